package bench

import (
	"errors"
	"io"
	"strconv"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// ScatterRegularizers are the objectives that --scatter compares, a panel each.
var ScatterRegularizers = []qap.Regularizer{
	{}, qap.RegularizeF1, qap.RegularizeF2, qap.RegularizeF3, qap.RegularizeMean(0.5), qap.RegularizeMean(1),
}

// ScatterPoint is a matching of a pair: its F1, and its scores over those of the
// truth by ScatterRegularizers.
type ScatterPoint struct {
	label, pair, class string
	seed, matched      int
	F1                 float64
	Scores             []float64
}

// newScatterPoints returns the points of a result: of the best matching of every size
// where the search kept them. There is none without a truth to compare with.
func newScatterPoints(p pairs.Pair, seed int, r rgm.Result) []ScatterPoint {
	if p.Truth == nil {
		return nil
	}
	matchings := []qap.Matching{r.Matching}
	if r.Profile != nil {
		matchings = nil
		for _, best := range r.Profile {
			if best.Matched > 0 {
				matchings = append(matchings, best.Matching)
			}
		}
	}
	n1, n2 := p.Instance.Size()
	var points []ScatterPoint
	for _, m := range matchings {
		quality := p.Judge(m)
		point := ScatterPoint{pair: p.Name, class: p.Class, seed: seed, matched: m.Size(), F1: 100 * quality.F1}
		for _, r := range ScatterRegularizers {
			factor := r.Factor(m.Size(), n1, n2) / r.Factor(p.Truth.Size(), n1, n2)
			point.Scores = append(point.Scores, factor*quality.Objective)
		}
		points = append(points, point)
	}
	return points
}

// checkScatter returns an error unless all files can be written.
func checkScatter(files []string) error {
	var errs []error
	for _, file := range files {
		errs = append(errs, settings.CheckOutput("scatter", file, report.SVG, report.PNG, report.CSV))
	}
	return errors.Join(errs...)
}

// WriteScatter writes the points as CSV.
func WriteScatter(out io.Writer, points []ScatterPoint) error {
	header := []string{"method", "pair", "class", "seed", "matched", "f1_percent"}
	for _, r := range ScatterRegularizers {
		header = append(header, "objective_"+r.String())
	}
	var rows [][]string
	for _, p := range points {
		row := []string{p.label, p.pair, p.class, strconv.Itoa(p.seed), strconv.Itoa(p.matched), report.ExactText(p.F1)}
		for _, score := range p.Scores {
			row = append(row, report.ExactText(score))
		}
		rows = append(rows, row)
	}
	return report.WriteCSV(out, header, rows)
}
