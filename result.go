package rgm

import (
	"math"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
	"github.com/rgm-go/rgm/qap/confidence"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// Result is what a search found, and how, as rgm solve and rgm match print it with --format json:
// docs/CLI_JSON.md says what each field means. Fields may be added, never renamed.
type Result struct {
	Instance   string       `json:"instance"`
	N1         int          `json:"n1"`
	N2         int          `json:"n2"`
	Sense      string       `json:"sense"`
	Objective  float64      `json:"objective"`
	BestKnown  *float64     `json:"best_known,omitempty"`
	GapPercent *float64     `json:"gap_percent,omitempty"`
	Bound      *float64     `json:"bound,omitempty"`
	BoundGap   *float64     `json:"bound_gap_percent,omitempty"`
	Matched    int          `json:"matched"`
	Matching   qap.Matching `json:"matching"`
	Method     string       `json:"method"`
	Refine     string       `json:"refine,omitempty"`
	Model      string       `json:"model,omitempty"`
	Provider   string       `json:"provider,omitempty"`
	Affinity   string       `json:"affinity,omitempty"`

	AffinityUsed   string `json:"affinity_used,omitempty"`
	AffinityReason string `json:"affinity_reason,omitempty"`

	OverChance float64 `json:"over_chance,omitempty"`

	Recalled *Recalled `json:"recalled,omitempty"`

	FoundBy     string     `json:"found_by"`
	Evaluations int        `json:"evaluations"`
	Rollouts    int        `json:"rollouts"`
	Steps       int        `json:"steps"`
	Seconds     float64    `json:"seconds"`
	Status      qap.Status `json:"status"`
	Seed        uint64     `json:"seed"`
	Profile     []Size     `json:"profile,omitempty"`

	Matchings    []Size `json:"matchings,omitempty"`
	MatchingsAre string `json:"matchings_are,omitempty"`

	Confidence  []float64 `json:"confidence,omitempty"` // of each node of graph 1 how likely its match is right
	Sure        []bool    `json:"sure,omitempty"`       // whether that is at least confidence.Sure
	SureMatches *int      `json:"sure_matches,omitempty"`
	LeftOut     int       `json:"left_out,omitempty"` // matches taken away, since a node of each more likely has no partner
	Ask         []int     `json:"ask,omitempty"`      // nodes of graph 1 of which to ask who they are, the one that settles most first

	*compare.Compared // of two graphs
	*compare.Aligned  // of two graphs that were aligned
	*compare.Placed   // of points that a transform takes to others

	Score    float64           `json:"-"` // the objective, to be maximised
	Decision *reweigh.Decision `json:"-"` // which affinities were searched by, nil where given ones were wanted
}

// notLearned says that learned affinities were asked for and not used, and why.
func (r *Result) notLearned(why string) {
	r.Affinity, r.AffinityUsed, r.AffinityReason = ModelAffinity, AffinityGiven, why
	r.Decision = &reweigh.Decision{Reason: why}
}

// tellSure tells which matches are sure, where it is known how likely each is right.
func (r *Result) tellSure() {
	if r.Confidence == nil {
		return
	}
	count := 0
	r.Sure, r.SureMatches = make([]bool, len(r.Confidence)), &count
	for i, likely := range r.Confidence {
		if r.Sure[i] = r.Matching[i] != qap.Unmatched && likely >= confidence.Sure; r.Sure[i] {
			count++
		}
	}
}

// Size is a matching: the best of one size, or one of Result.Matchings.
type Size struct {
	Matched   int          `json:"matched"`
	Objective float64      `json:"objective"`
	Matching  qap.Matching `json:"matching"`
}

// newResult returns what a search found in an instance.
func newResult(in *qap.Instance, r qap.Result) Result {
	n1, n2 := in.Size()
	full := Result{
		Instance: in.Name, N1: n1, N2: n2, Sense: in.Sense.String(), Objective: r.Objective, Score: r.Score,
		Matched: r.Matching.Size(), Matching: r.Matching, FoundBy: r.FoundBy, Rollouts: r.Rollouts, Steps: r.Steps, Status: r.Status,
	}
	if r.HasBound {
		full.Bound, full.BoundGap = &r.Bound, boundGap(&r)
	}
	return full
}

// boundGap returns by how much an objective may be from the optimum at most, in percent of it:
// 0 within the error of a proof; nil where the objective is 0 and no optimum.
func boundGap(r *qap.Result) *float64 {
	gap, size := 0.0, math.Abs(r.Objective)
	if miss := math.Abs(r.Bound - r.Objective); r.Status != qap.Optimal && miss > bound.Tolerance*size {
		gap = 100 * miss / size
	}
	if math.IsInf(gap, 0) || math.IsNaN(gap) {
		return nil
	}
	return &gap
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

// seconds returns a time as Result.Seconds has it, to a microsecond.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e6 }
