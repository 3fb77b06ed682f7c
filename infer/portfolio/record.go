package portfolio

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// Record is a result as rgm solve prints it with --format json: docs/CLI_JSON.md says
// what each field means. Fields may be added, never renamed.
type Record struct {
	Instance   string       `json:"instance"`
	N1         int          `json:"n1"`
	N2         int          `json:"n2"`
	Sense      string       `json:"sense"`
	Objective  float64      `json:"objective"`
	BestKnown  *float64     `json:"best_known,omitempty"`
	GapPercent *float64     `json:"gap_percent,omitempty"`
	Bound      *float64     `json:"bound,omitempty"`
	Matched    int          `json:"matched"`
	Matching   qap.Matching `json:"matching"`
	Method     string       `json:"method"`
	Refine     string       `json:"refine,omitempty"`
	Model      string       `json:"model,omitempty"`
	Provider   string       `json:"provider,omitempty"`
	Affinity   string       `json:"affinity,omitempty"`

	AffinityUsed   string `json:"affinity_used,omitempty"`
	AffinityReason string `json:"affinity_reason,omitempty"`

	FoundBy     string     `json:"found_by"`
	Evaluations int        `json:"evaluations"`
	Rollouts    int        `json:"rollouts"`
	Steps       int        `json:"steps"`
	Seconds     float64    `json:"seconds"`
	Status      qap.Status `json:"status"`
	Seed        uint64     `json:"seed"`
	Profile     []Size     `json:"profile,omitempty"`
}

// Size is the best matching of one size.
type Size struct {
	Matched   int          `json:"matched"`
	Objective float64      `json:"objective"`
	Matching  qap.Matching `json:"matching"`
}

// NewRecord returns the record of a result, without what is known of the instance from
// elsewhere (BestKnown, GapPercent) and without the profile, which Sizes returns.
func NewRecord(in *qap.Instance, r Result) Record {
	n1, n2 := in.Size()
	record := Record{
		Instance: in.Name, N1: n1, N2: n2, Sense: in.Sense.String(),
		Objective: r.Objective, Matched: r.Matching.Size(), Matching: r.Matching,
		Method: r.Method, Refine: r.Refine, Model: r.Model, Provider: r.Provider, Affinity: r.Affinity,
		FoundBy: r.FoundBy, Evaluations: r.Evaluations, Rollouts: r.Rollouts, Steps: r.Steps,
		Seconds: math.Round(r.Elapsed.Seconds()*1e6) / 1e6, Status: r.Status, Seed: r.Seed,
	}
	if r.HasBound {
		record.Bound = &r.Bound
	}
	if r.Decision != nil {
		record.AffinityUsed, record.AffinityReason = AffinityUsed(*r.Decision), r.Decision.Reason
	}
	return record
}

// Sizes returns the best matchings of the sizes that a search reached.
func Sizes(in *qap.Instance, p qap.Profile) []Size {
	var sizes []Size
	for m, best := range p {
		if best.Matching != nil {
			sizes = append(sizes, Size{m, in.Objective(best.Score), best.Matching})
		}
	}
	return sizes
}
