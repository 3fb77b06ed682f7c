package plots

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/bench"
)

// SaveScatter writes the points into files, each in the format of its name.
func SaveScatter(files []string, points []bench.ScatterPoint) error {
	for _, file := range files {
		var err error
		if settings.FileFormat(file) == report.CSV {
			err = atomicfile.Write(file, func(out io.Writer) error { return bench.WriteScatter(out, points) })
		} else {
			err = drawScatter(file, points)
		}
		if err != nil {
			return fmt.Errorf("--scatter: %w", err)
		}
	}
	return nil
}

// drawScatter draws a panel for each regularizer.
func drawScatter(file string, points []bench.ScatterPoint) error {
	const columns, width, height = 3, 10 * vg.Inch, 6 * vg.Inch
	var panels [][]*plot.Plot
	for k := range bench.ScatterRegularizers {
		panel, err := scatterPanel(k, points)
		if err != nil {
			return err
		}
		if k%columns == 0 {
			panels = append(panels, nil)
		}
		panels[k/columns] = append(panels[k/columns], panel)
	}
	return save(file, width, height, panels...)
}

// drawnScore is where greater scores are drawn: where the truth scores next to
// nothing, others are a hundred times it.
const drawnScore = 2

// scatterPanel draws scores over F1. The truth is at 100 % and 1.
func scatterPanel(k int, points []bench.ScatterPoint) (*plot.Plot, error) {
	var at plotter.XYs
	var f1, scores []float64
	for _, p := range points {
		at = append(at, plotter.XY{X: p.F1, Y: math.Min(p.Scores[k], drawnScore)})
		f1, scores = append(f1, p.F1), append(scores, p.Scores[k])
	}
	panel := plot.New()
	panel.Title.Text = "J"
	if r := bench.ScatterRegularizers[k]; !r.None() {
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
func rankCorrelation(x, y []float64) float64 {
	return stat.Correlation(statistics.Ranks(x), statistics.Ranks(y), nil)
}
