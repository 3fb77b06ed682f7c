package pictures

import (
	"cmp"
	"image/color"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/train"
)

// Training is what a training wrote of itself.
type Training struct {
	Name  string
	Lines []train.Line
}

// panel is one small plot over the updates.
type panel struct {
	title string
	// values returns what a line measured, by the name of the curve; "" where there
	// is one curve.
	values func(train.Line) map[string]float64
	spread func(train.Line) *float64 // of the one curve of a single run; nil is none
	split  bool                      // whether there are several curves
}

// panels are the learning curve, row by row.
var panels = []panel{
	{title: "Gap of validation (spreads)", values: one(func(l train.Line) *float64 { return l.ValidationGap }),
		spread: func(l train.Line) *float64 { return l.ValidationStd }},
	{title: "Gap of validation by family", values: func(l train.Line) map[string]float64 { return l.ValidationByFamily }, split: true},
	{title: "Gap of validation by nodes", values: func(l train.Line) map[string]float64 { return l.ValidationBySize }, split: true},
	{title: "Gap of episodes (spreads)", values: one(func(l train.Line) *float64 { return l.EpisodeGap })},
	{title: "Return of an episode", values: one(func(l train.Line) *float64 { return l.Return })},
	{title: "Exploration rate ε", values: one(func(l train.Line) *float64 { return &l.Epsilon })},
	{title: "Loss", values: one(func(l train.Line) *float64 { return l.Loss })},
	{title: "|TD error|", values: one(func(l train.Line) *float64 { return l.TD })},
	{title: "Q of sampled actions", values: one(func(l train.Line) *float64 { return l.Q })},
}

// one makes a single curve of a quantity; where it is nil it was not measured.
func one(quantity func(train.Line) *float64) func(train.Line) map[string]float64 {
	return func(l train.Line) map[string]float64 {
		if v := quantity(l); v != nil {
			return map[string]float64{"": *v}
		}
		return nil
	}
}

// curve is a line over the updates with, where it is known, a band around it.
type curve struct {
	name   string
	points plotter.XYs
	spread []float64
}

// tooLarge is what no axis can be made for: of a training that has diverged.
const tooLarge = 1e100

// singleCurves returns those of one run.
func (p panel) singleCurves(run Training) []curve {
	byName := map[string]*curve{}
	for _, l := range run.Lines {
		for name, v := range p.values(l) {
			if !(math.Abs(v) < tooLarge) {
				continue
			}
			c := byName[name]
			if c == nil {
				c = &curve{name: name}
				byName[name] = c
			}
			c.points = append(c.points, plotter.XY{X: float64(l.Updates), Y: v})
			if p.spread != nil {
				if s := p.spread(l); s != nil {
					c.spread = append(c.spread, *s)
				}
			}
		}
	}
	var curves []curve
	for _, name := range slices.SortedFunc(maps.Keys(byName), inOrderOfNumbers) {
		curves = append(curves, *byName[name])
	}
	return curves
}

// overlaidCurves returns the one curve of each run.
func (p panel) overlaidCurves(runs []Training) []curve {
	var curves []curve
	for _, run := range runs {
		for _, c := range p.singleCurves(run) {
			curves = append(curves, curve{name: run.Name, points: c.points})
		}
	}
	return curves
}

// meanCurves returns the means over runs where all have a value, with the standard
// deviation of the runs around them.
func (p panel) meanCurves(runs []Training) []curve {
	type place struct {
		name    string
		updates float64
	}
	values := map[place][]float64{}
	for _, run := range runs {
		for _, c := range p.singleCurves(run) {
			for _, at := range c.points {
				values[place{c.name, at.X}] = append(values[place{c.name, at.X}], at.Y)
			}
		}
	}
	var curves []curve
	for _, c := range p.singleCurves(runs[0]) {
		averaged := curve{name: c.name}
		for _, at := range c.points {
			if v := values[place{c.name, at.X}]; len(v) == len(runs) {
				averaged.points = append(averaged.points, plotter.XY{X: at.X, Y: statistics.Mean(v)})
				if len(v) > 1 {
					averaged.spread = append(averaged.spread, statistics.Deviation(v))
				}
			}
		}
		if len(averaged.points) > 0 {
			curves = append(curves, averaged)
		}
	}
	return curves
}

// LearningCurve writes the panels of one run, of several runs laid over each
// other, or of their mean, as a picture.
func LearningCurve(out io.Writer, format string, runs []Training, averaged bool) error {
	const columns, width, height = 3, 4.5 * vg.Inch, 3 * vg.Inch
	plots, err := learningPlots(runs, averaged)
	if err != nil {
		return err
	}
	rows := slices.Collect(slices.Chunk(plots, columns))
	for len(rows[len(rows)-1]) < columns {
		rows[len(rows)-1] = append(rows[len(rows)-1], nil)
	}
	return WritePlots(out, format, columns*width, vg.Length(len(rows))*height, rows...)
}

func learningPlots(runs []Training, averaged bool) ([]*plot.Plot, error) {
	var plots []*plot.Plot
	for _, p := range panels {
		var curves []curve
		switch {
		case averaged:
			curves = p.meanCurves(runs)
		case len(runs) == 1:
			curves = p.singleCurves(runs[0])
		case p.split:
			continue // too many lines
		default:
			curves = p.overlaidCurves(runs)
		}
		drawn, err := p.draw(curves)
		if err != nil {
			return nil, err
		}
		plots = append(plots, drawn)
	}
	return plots, nil
}

// draw draws curves over the updates.
func (p panel) draw(curves []curve) (*plot.Plot, error) {
	drawn := plot.New()
	drawn.Title.Text, drawn.X.Label.Text = p.title, "updates"
	drawn.Legend.Top = true
	drawn.Add(plotter.NewGrid())
	if len(curves) == 0 { // axes need a range
		drawn.X.Min, drawn.X.Max, drawn.Y.Min, drawn.Y.Max = 0, 1, 0, 1
		return drawn, nil
	}
	for k, c := range curves {
		if err := c.addTo(drawn, k); err != nil {
			return nil, err
		}
	}
	drawn.Y.Min = math.Min(drawn.Y.Min, 0)
	return drawn, nil
}

// addTo draws the curve as the k-th of a plot.
func (c curve) addTo(drawn *plot.Plot, k int) error {
	if len(c.spread) == len(c.points) {
		band, err := c.band(k)
		if err != nil {
			return err
		}
		drawn.Add(band)
	}
	line, dots, err := plotter.NewLinePoints(c.points)
	if err != nil {
		return err
	}
	colors := len(plotutil.DefaultColors)
	line.Color, line.Dashes = plotutil.Color(k), plotutil.Dashes(k/colors)
	dots.Color, dots.Shape, dots.Radius = line.Color, draw.CircleGlyph{}, vg.Points(1.2)
	drawn.Add(line, dots)
	if c.name != "" {
		drawn.Legend.Add(c.name, line)
	}
	return nil
}

// band is the area within the spread around the curve.
func (c curve) band(k int) (*plotter.Polygon, error) {
	var edge plotter.XYs
	for i, at := range c.points {
		edge = append(edge, plotter.XY{X: at.X, Y: at.Y + c.spread[i]})
	}
	for i, at := range slices.Backward(c.points) {
		edge = append(edge, plotter.XY{X: at.X, Y: at.Y - c.spread[i]})
	}
	band, err := plotter.NewPolygon(edge)
	if err != nil {
		return nil, err
	}
	band.Color, band.LineStyle.Width = transparent(plotutil.Color(k)), 0
	return band, nil
}

func transparent(c color.Color) color.Color {
	faded := color.NRGBAModel.Convert(c).(color.NRGBA)
	faded.A = 60
	return faded
}

// inOrderOfNumbers compares names that are numbers by their value, all others as text.
func inOrderOfNumbers(x, y string) int {
	m, errX := strconv.Atoi(x)
	n, errY := strconv.Atoi(y)
	if errX != nil || errY != nil {
		return strings.Compare(x, y)
	}
	return cmp.Compare(m, n)
}
