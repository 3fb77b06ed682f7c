package report

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/qap"
)

// Answer is what rgm solve prints of an instance; docs/CLI_JSON.md says what each
// field means.
type Answer struct {
	rgm.Result
	Err error `json:"-"` // in place of all but Instance
}

// NewAnswer returns what a search found, and how far that is from the best known.
func NewAnswer(in *qap.Instance, r rgm.Result) Answer {
	a := Answer{Result: r}
	a.BestKnown, a.GapPercent = qaplib.Compared(in, r.Objective)
	return a
}

// Base returns the answer itself, of one that says more.
func (a Answer) Base() Answer { return a }

// Failure returns the answer of an instance, or an input, that failed.
func Failure(name string, err error) Answer { return Answer{rgm.Result{Instance: name}, err} }

// RoundSeconds drops what no clock measures.
func RoundSeconds(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }

// Writer prints answers. Close follows the last one.
type Writer interface {
	Write(Answer) error
	Close() error
}

// jsonWriter prints an object a line.
type jsonWriter struct{ out io.Writer }

func (w jsonWriter) Write(a Answer) error {
	if a.Err != nil {
		return WriteFailure(w.out, a)
	}
	return WriteJSON(w.out, a)
}

// WriteFailure prints the answer of an instance that failed, as an object.
func WriteFailure(out io.Writer, a Answer) error {
	return WriteJSON(out, struct {
		Instance string `json:"instance"`
		Error    string `json:"error"`
	}{a.Instance, a.Err.Error()})
}

func (w jsonWriter) Close() error { return nil }

// csvWriter prints a row each, below the names of the fields.
type csvWriter struct{ out *csv.Writer }

func newCSVWriter(out io.Writer) csvWriter {
	w := csvWriter{csv.NewWriter(out)}
	w.out.Write([]string{ // an error comes again at the next Flush
		"instance", "n1", "n2", "sense", "objective", "best_known", "gap_percent", "matched", "matching", "method",
		"model", "provider", "rollouts", "steps", "seconds", "status", "seed", "error", "refine", "bound", "profile", "affinity",
		"affinity_used", "affinity_reason", "found_by", "evaluations", "bound_gap_percent",
	})
	return w
}

func (w csvWriter) Write(a Answer) error {
	row := make([]string, 27)
	row[0], row[18], row[19], row[20] = a.Instance, a.Refine, OptionalText(a.Bound), profileText(a.Profile)
	row[21], row[22], row[23] = a.Affinity, a.AffinityUsed, a.AffinityReason
	if a.Err != nil {
		row[17] = a.Err.Error()
	} else {
		row[24], row[25], row[26] = a.FoundBy, strconv.Itoa(a.Evaluations), OptionalText(a.BoundGap)
		copy(row[1:], []string{
			strconv.Itoa(a.N1), strconv.Itoa(a.N2), a.Sense, ExactText(a.Objective), OptionalText(a.BestKnown),
			OptionalText(a.GapPercent), strconv.Itoa(a.Matched), MatchingText(a.Matching), a.Method,
			a.Model, a.Provider, strconv.Itoa(a.Rollouts), strconv.Itoa(a.Steps), ExactText(a.Seconds), string(a.Status),
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

// solutionWriter prints a solution file of QAPLIB each; failures are in the log.
type solutionWriter struct{ out io.Writer }

func (w solutionWriter) Write(a Answer) error {
	if a.Err != nil {
		return nil
	}
	if a.N1 != a.N2 {
		return fmt.Errorf("%s: --format sln is of graphs of as many nodes, not %d and %d: take json", a.Instance, a.N1, a.N2)
	}
	if err := datasets.WriteSolution(w.out, a.Objective, a.Matching); err != nil {
		return fmt.Errorf("%s: %w", a.Instance, err)
	}
	return nil
}

func (w solutionWriter) Close() error { return nil }

// MatchingText lists a matching as best_known.csv does.
func MatchingText(m qap.Matching) string { return strings.Trim(fmt.Sprint([]int(m)), "[]") }

// tableWriter prints a table for people, all at once: its columns are as wide as
// the widest entry. A summary by class follows.
type tableWriter struct {
	out     io.Writer
	rows    [][]string
	answers []Answer
	bounded bool // whether some answer has a bound to show
}

func (w *tableWriter) Write(a Answer) error {
	if a.Err != nil {
		w.rows = append(w.rows, []string{a.Instance, "", "", "", "", "", "", "", "", "", withoutResult(a.Err)})
		return nil
	}
	w.answers = append(w.answers, a)
	size := strconv.Itoa(a.N1)
	if a.N1 != a.N2 {
		size = fmt.Sprintf("%d×%d", a.N1, a.N2)
	}
	best, gap, bound := "", "", ""
	if a.BestKnown != nil {
		best = NumberText(*a.BestKnown)
	}
	if a.GapPercent != nil {
		gap = fmt.Sprintf("%.3f", *a.GapPercent)
	}
	if a.Bound != nil {
		// Beside a best known value a bound from elsewhere says little.
		bound = NumberText(*a.Bound)
		w.bounded = w.bounded || a.BestKnown == nil || a.Method == rgm.MethodExact
		if a.BoundGap != nil {
			bound += fmt.Sprintf(" (%.2f %%)", *a.BoundGap)
		}
	}
	w.rows = append(w.rows, []string{
		a.Instance, size, NumberText(a.Objective), best, gap, bound, strconv.Itoa(a.Matched), strconv.Itoa(a.Steps),
		fmt.Sprintf("%.3f", a.Seconds), a.FoundBy, string(a.Status),
	})
	return nil
}

// withoutResult is the status of an instance without a result.
func withoutResult(err error) string {
	switch {
	case errors.Is(err, errTimeUp):
		return string(qap.Deadline)
	case errors.Is(err, ErrNotBegun), errors.Is(err, context.Canceled):
		return string(qap.Cancelled)
	}
	return "failed"
}

func (w *tableWriter) Close() error {
	const bound = 5 // its column
	header := []string{"instance", "n", "objective", "best known", "gap %", "bound", "matched", "steps", "seconds", "found by", "status"}
	if !w.bounded {
		header = slices.Delete(header, bound, bound+1)
		for k, row := range w.rows {
			w.rows[k] = slices.Delete(row, bound, bound+1)
		}
	}
	if err := WriteTable(w.out, header, w.rows); err != nil {
		return err
	}
	if err := writeProfiles(w.out, w.answers); err != nil {
		return err
	}
	return writeSummary(w.out, w.answers)
}

// NewWriter returns the writer of a format.
func NewWriter(format string, out io.Writer) Writer {
	switch format {
	case JSON:
		return jsonWriter{out}
	case CSV:
		return newCSVWriter(out)
	case SLN:
		return solutionWriter{out}
	}
	return &tableWriter{out: out}
}
