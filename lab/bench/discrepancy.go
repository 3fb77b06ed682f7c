package bench

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/statistics"
)

// objectiveRange is how many results have a score, over that of the truth, in a
// range, and how right they are: the paper's table of the discrepancy between
// objective and F1 (appendix, "Limitations").
type objectiveRange struct {
	Range string   `json:"objective"`
	Share float64  `json:"percent"`
	F1    *float64 `json:"f1_percent,omitempty"` // nil of no result
}

// objectiveRanges are the paper's ranges; 1 is meant but for rounding.
var objectiveRanges = []struct {
	name string
	has  func(objective float64) bool
}{
	{"<0.99", func(objective float64) bool { return objective < 0.99 }},
	{"0.99..1", func(objective float64) bool { return objective >= 0.99 && objective < 1 && !isOne(objective) }},
	{"=1", isOne},
	{">1", func(objective float64) bool { return objective > 1 && !isOne(objective) }},
}

func isOne(objective float64) bool {
	const rounding = 1e-6 // affinities are stored as float32
	return math.Abs(objective-1) <= rounding
}

// newObjectiveRanges sorts outcomes into ranges; nil where no truth is known.
func newObjectiveRanges(outcomes []pairOutcome) []objectiveRange {
	var ranges []objectiveRange
	for _, r := range objectiveRanges {
		var f1 []float64
		for _, o := range outcomes {
			if !o.hasTruth {
				return nil
			}
			if r.has(o.quality.Objective) {
				f1 = append(f1, 100*o.quality.F1)
			}
		}
		one := objectiveRange{Range: r.name, Share: 100 * float64(len(f1)) / float64(len(outcomes))}
		if len(f1) > 0 {
			average := statistics.Mean(f1)
			one.F1 = &average
		}
		ranges = append(ranges, one)
	}
	return ranges
}

// discrepancyTable shows the ranges of measured rows: the share of the results, below
// it their F1.
func discrepancyTable(rows []MatchingRow) (header []string, cells [][]string) {
	header = []string{"objective"}
	for _, r := range objectiveRanges {
		header = append(header, r.name)
	}
	for _, row := range rows {
		if row.Objectives == nil {
			continue
		}
		shares, f1 := []string{row.Label() + ", share %"}, []string{"F1"}
		for _, r := range row.Objectives {
			shares, f1 = append(shares, fmt.Sprintf("%.1f", r.Share)), append(f1, percentText(r.F1))
		}
		cells = append(cells, shares, f1)
	}
	return header, cells
}
