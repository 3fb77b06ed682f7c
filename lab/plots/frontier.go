package plots

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/lab/bench"
)

// leastGap is, in percent, where smaller gaps are drawn: a logarithmic axis has no 0.
const leastGap = 0.001

// leastSeconds is what the clock of a row tells apart.
const leastSeconds = 1e-6

// SavePicture draws rows into a file, if it has a name.
func SavePicture(path string, rows []bench.QAPLIBRow) error {
	if path == "" {
		return nil
	}
	return SaveFrontier("plot", path, rows)
}

// SaveFrontier draws rows into a file that a setting names.
func SaveFrontier(setting, path string, rows []bench.QAPLIBRow) error {
	drawn, err := drawFrontier(rows)
	if err == nil {
		err = save(path, 9*vg.Inch, 6*vg.Inch, []*plot.Plot{drawn})
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", setting, err)
	}
	return nil
}

// drawFrontier draws the average gap over the time of an instance, by the wall's clock or
// that of the row's time limit: a line for each measured method, and a labelled point for each row of the paper.
func drawFrontier(rows []bench.QAPLIBRow) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "QAPLIB: average over the classes of the mean gap to the best known"
	p.X.Label.Text, p.Y.Label.Text = "seconds an instance", "gap in %"               // short: long ones cost room at the ends of logarithmic axes
	p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, vg.Points(8), vg.Points(8) // where no method comes
	p.Add(plotter.NewGrid())

	var paper plotter.XYLabels
	var names []string // of the measured series, in their order
	curves := map[string]plotter.XYs{}
	for _, row := range rows {
		at := plotter.XY{X: math.Max(row.TimePerInstance(), leastSeconds), Y: math.Max(row.Average, leastGap)}
		if row.Source == bench.SourcePaper {
			paper.XYs = append(paper.XYs, at)
			paper.Labels = append(paper.Labels, " "+row.Label(false))
			continue
		}
		name := row.Series()
		if curves[name] == nil {
			names = append(names, name)
		}
		curves[name] = append(curves[name], at)
	}
	var errs []error
	for k, name := range names {
		errs = append(errs, addCurve(p, k, name, curves[name]))
	}
	errs = append(errs, addPoints(p, paper))
	logarithmic(&p.X)
	logarithmic(&p.Y)
	return p, errors.Join(errs...)
}

// addCurve adds line k with its points to the plot and its legend.
func addCurve(p *plot.Plot, k int, name string, points plotter.XYs) error {
	slices.SortFunc(points, func(x, y plotter.XY) int { return cmp.Compare(x.X, y.X) })
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = plotutil.Color(k), vg.Points(1.5)
	dots.Color, dots.Shape = plotutil.Color(k), plotutil.Shape(k)
	p.Add(line, dots)
	p.Legend.Add(name, line, dots)
	return nil
}

// addPoints adds labelled points.
func addPoints(p *plot.Plot, points plotter.XYLabels) error {
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.Shape, dots.Radius = draw.CrossGlyph{}, vg.Points(4)
	labels, err := plotter.NewLabels(points)
	if err != nil {
		return err
	}
	p.Add(dots, labels)
	return nil
}

// logarithmic makes an axis run over whole decades, with a tick at each digit. The
// plot package's own ticks miss decades by rounding.
func logarithmic(axis *plot.Axis) {
	from, to := int(math.Floor(math.Log10(axis.Min))), int(math.Ceil(math.Log10(axis.Max)))
	to = max(to, from+1)
	var ticks plot.ConstantTicks
	for k := from; k <= to; k++ {
		decade := math.Pow10(k)
		ticks = append(ticks, plot.Tick{Value: decade, Label: report.ExactText(decade)})
		for digit := 2.0; digit < 10 && k < to; digit++ {
			ticks = append(ticks, plot.Tick{Value: digit * decade})
		}
	}
	axis.Min, axis.Max = math.Pow10(from), math.Pow10(to)
	axis.Scale, axis.Tick.Marker = plot.LogScale{}, ticks
}
