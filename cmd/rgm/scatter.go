package main

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
)

// scatterRegularizers are the objectives that --scatter compares, a panel each.
var scatterRegularizers = []qap.Regularizer{
	{}, qap.RegularizeF1, qap.RegularizeF2, qap.RegularizeF3, qap.RegularizeMean(0.5), qap.RegularizeMean(1),
}

// scatterPoint is a matching of a pair: its F1, and its scores over those of the
// truth by scatterRegularizers.
type scatterPoint struct {
	label, pair, class string
	seed, matched      int
	f1                 float64
	scores             []float64
}

// newScatterPoints returns the points of a result: of the best matching of every size
// where the search kept them. There is none without a truth to compare with.
func newScatterPoints(p pairs.Pair, seed int, r qap.Result) []scatterPoint {
	if p.Truth == nil {
		return nil
	}
	matchings := []qap.Matching{r.Matching}
	if r.Profile != nil {
		matchings = nil
		for m, best := range r.Profile {
			if m > 0 && best.Matching != nil {
				matchings = append(matchings, best.Matching)
			}
		}
	}
	n1, n2 := p.Instance.Size()
	var points []scatterPoint
	for _, m := range matchings {
		quality := p.Judge(m)
		point := scatterPoint{pair: p.Name, class: p.Class, seed: seed, matched: m.Size(), f1: 100 * quality.F1}
		for _, r := range scatterRegularizers {
			factor := r.Factor(m.Size(), n1, n2) / r.Factor(p.Truth.Size(), n1, n2)
			point.scores = append(point.scores, factor*quality.Objective)
		}
		points = append(points, point)
	}
	return points
}

// checkScatter returns an error unless all files can be written.
func checkScatter(files []string) error {
	var errs []error
	for _, file := range files {
		errs = append(errs, checkOutput("scatter", file, formatSVG, formatPNG, formatCSV))
	}
	return errors.Join(errs...)
}

// saveScatter writes the points into files, each in the format of its name.
func saveScatter(files []string, points []scatterPoint) error {
	for _, file := range files {
		var err error
		if fileFormat(file) == formatCSV {
			err = atomicfile.Write(file, func(out io.Writer) error { return writeScatter(out, points) })
		} else {
			err = drawScatter(file, points)
		}
		if err != nil {
			return fmt.Errorf("--scatter: %w", err)
		}
	}
	return nil
}

// writeScatter writes the points as CSV.
func writeScatter(out io.Writer, points []scatterPoint) error {
	header := []string{"method", "pair", "class", "seed", "matched", "f1_percent"}
	for _, r := range scatterRegularizers {
		header = append(header, "objective_"+r.String())
	}
	var rows [][]string
	for _, p := range points {
		row := []string{p.label, p.pair, p.class, strconv.Itoa(p.seed), strconv.Itoa(p.matched), exactText(p.f1)}
		for _, score := range p.scores {
			row = append(row, exactText(score))
		}
		rows = append(rows, row)
	}
	return writeCSV(out, header, rows)
}

// drawScatter draws a panel for each regularizer.
func drawScatter(file string, points []scatterPoint) error {
	const columns, width, height = 3, 10 * vg.Inch, 6 * vg.Inch
	var panels [][]*plot.Plot
	for k := range scatterRegularizers {
		panel, err := scatterPanel(k, points)
		if err != nil {
			return err
		}
		if k%columns == 0 {
			panels = append(panels, nil)
		}
		panels[k/columns] = append(panels[k/columns], panel)
	}
	return savePlots(file, width, height, panels...)
}

// drawnScore is where greater scores are drawn: where the truth scores next to
// nothing, others are a hundred times it.
const drawnScore = 2

// scatterPanel draws scores over F1. The truth is at 100 % and 1.
func scatterPanel(k int, points []scatterPoint) (*plot.Plot, error) {
	var at plotter.XYs
	var f1, scores []float64
	for _, p := range points {
		at = append(at, plotter.XY{X: p.f1, Y: math.Min(p.scores[k], drawnScore)})
		f1, scores = append(f1, p.f1), append(scores, p.scores[k])
	}
	panel := plot.New()
	panel.Title.Text = "J"
	if r := scatterRegularizers[k]; !r.None() {
		panel.Title.Text = fmt.Sprintf("J·f(m), f = %v", r)
	}
	panel.Title.Text += fmt.Sprintf(": rank correlation %.2f", rankCorrelation(f1, scores))
	panel.X.Label.Text, panel.Y.Label.Text = "F1 in %", "score over that of the truth"
	panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = 0, 100, 0, 1
	dots, err := plotter.NewScatter(at)
	if err != nil {
		return nil, err
	}
	dots.Shape, dots.Radius, dots.Color = draw.CircleGlyph{}, vg.Points(1), color.NRGBA{B: 160, A: 90}
	panel.Add(plotter.NewGrid(), plotter.NewFunction(func(float64) float64 { return 1 }), dots)
	return panel, nil
}

// rankCorrelation returns Spearman's: the correlation of ranks, equal values sharing
// the mean of theirs.
func rankCorrelation(x, y []float64) float64 { return stat.Correlation(ranks(x), ranks(y), nil) }

func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(j, k int) int { return cmp.Compare(values[j], values[k]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			ranks[k] = float64(from+to-1) / 2
		}
		from = to
	}
	return ranks
}
