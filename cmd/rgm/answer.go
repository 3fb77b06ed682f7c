package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

// answer is what rgm solve prints of an instance; docs/CLI_JSON.md says what each
// field means.
type answer struct {
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

	Rollouts int          `json:"rollouts"`
	Steps    int          `json:"steps"`
	Seconds  float64      `json:"seconds"`
	Status   qap.Status   `json:"status"`
	Seed     uint64       `json:"seed"`
	Profile  []sizeAnswer `json:"profile,omitempty"`

	err error `json:"-"` // in place of all but Instance
}

// newAnswer returns what a search found, and how far that is from the best known.
func newAnswer(in *qap.Instance, r qap.Result) answer {
	n1, n2 := in.Size()
	a := answer{
		Instance: in.Name, N1: n1, N2: n2, Sense: in.Sense.String(),
		Objective: r.Objective, Matched: r.Matching.Size(), Matching: r.Matching,
		Rollouts: r.Rollouts, Steps: r.Steps, Status: r.Status,
	}
	if r.HasBound {
		a.Bound = &r.Bound
	}
	if best, known := bestKnown(in); known {
		a.BestKnown = &best.Value
		if gap, defined := datasets.Gap(r.Objective, best.Value); defined {
			a.GapPercent = &gap
		}
	}
	return a
}

// failure returns the answer of an instance, or an input, that failed.
func failure(name string, err error) answer { return answer{Instance: name, err: err} }

// roundSeconds drops what no clock measures.
func roundSeconds(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }

// resultWriter prints answers. Close follows the last one.
type resultWriter interface {
	Write(answer) error
	Close() error
}

// jsonWriter prints an object a line.
type jsonWriter struct{ out io.Writer }

func (w jsonWriter) Write(a answer) error {
	if a.err != nil {
		return writeJSON(w.out, struct {
			Instance string `json:"instance"`
			Error    string `json:"error"`
		}{a.Instance, a.err.Error()})
	}
	return writeJSON(w.out, a)
}

func (w jsonWriter) Close() error { return nil }

// csvWriter prints a row each, below the names of the fields.
type csvWriter struct{ out *csv.Writer }

func newCSVWriter(out io.Writer) csvWriter {
	w := csvWriter{csv.NewWriter(out)}
	w.out.Write([]string{ // an error comes again at the next Flush
		"instance", "n1", "n2", "sense", "objective", "best_known", "gap_percent", "matched", "matching", "method",
		"model", "provider", "rollouts", "steps", "seconds", "status", "seed", "error", "refine", "bound", "profile", "affinity",
		"affinity_used", "affinity_reason",
	})
	return w
}

func (w csvWriter) Write(a answer) error {
	row := make([]string, 24)
	row[0], row[18], row[19], row[20] = a.Instance, a.Refine, optionalText(a.Bound), profileText(a.Profile)
	row[21], row[22], row[23] = a.Affinity, a.AffinityUsed, a.AffinityReason
	if a.err != nil {
		row[17] = a.err.Error()
	} else {
		copy(row[1:], []string{
			strconv.Itoa(a.N1), strconv.Itoa(a.N2), a.Sense, exactText(a.Objective), optionalText(a.BestKnown),
			optionalText(a.GapPercent), strconv.Itoa(a.Matched), matchingText(a.Matching), a.Method,
			a.Model, a.Provider, strconv.Itoa(a.Rollouts), strconv.Itoa(a.Steps), exactText(a.Seconds), string(a.Status),
			strconv.FormatUint(a.Seed, 10),
		})
	}
	w.out.Write(row)
	return w.Close()
}

func (w csvWriter) Close() error {
	w.out.Flush()
	return w.out.Error()
}

// matchingText lists a matching as best_known.csv does.
func matchingText(m qap.Matching) string { return strings.Trim(fmt.Sprint([]int(m)), "[]") }

// tableWriter prints a table for people, all at once: its columns are as wide as
// the widest entry. A summary by class follows.
type tableWriter struct {
	out     io.Writer
	rows    [][]string
	answers []answer
	bounded bool // whether some answer has a bound
}

func (w *tableWriter) Write(a answer) error {
	if a.err != nil {
		w.rows = append(w.rows, []string{a.Instance, "", "", "", "", "", "", "", "", "failed"})
		return nil
	}
	w.answers = append(w.answers, a)
	size := strconv.Itoa(a.N1)
	if a.N1 != a.N2 {
		size = fmt.Sprintf("%d×%d", a.N1, a.N2)
	}
	best, gap, bound := "", "", ""
	if a.BestKnown != nil {
		best = numberText(*a.BestKnown)
	}
	if a.GapPercent != nil {
		gap = fmt.Sprintf("%.3f", *a.GapPercent)
	}
	if a.Bound != nil {
		bound, w.bounded = numberText(*a.Bound), true
	}
	w.rows = append(w.rows, []string{
		a.Instance, size, numberText(a.Objective), best, gap, bound, strconv.Itoa(a.Matched), strconv.Itoa(a.Steps),
		fmt.Sprintf("%.3f", a.Seconds), string(a.Status),
	})
	return nil
}

func (w *tableWriter) Close() error {
	const bound = 5 // its column
	header := []string{"instance", "n", "objective", "best known", "gap %", "bound", "matched", "steps", "seconds", "status"}
	if !w.bounded {
		header = slices.Delete(header, bound, bound+1)
		for k, row := range w.rows {
			w.rows[k] = slices.Delete(row, bound, bound+1)
		}
	}
	if err := writeTable(w.out, header, w.rows); err != nil {
		return err
	}
	if err := writeProfiles(w.out, w.answers); err != nil {
		return err
	}
	return writeSummary(w.out, w.answers)
}
