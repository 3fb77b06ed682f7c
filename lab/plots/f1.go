package plots

import (
	"errors"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/rgm-go/rgm/lab/bench"
)

// SaveF1 draws the F1 of measured rows by class into a file, a line with a band of a standard
// error to either side for each, and a panel for each set; with times above it one of the time
// that a pair took.
func SaveF1(path string, rows []bench.MatchingRow, times bool) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r bench.MatchingRow) bool { return !r.Measured() })
	if len(rows) == 0 {
		return errors.New("there is nothing to draw")
	}
	var panels, above []*plot.Plot
	var errs []error
	for len(rows) > 0 {
		set := rows[0].Set
		var own []bench.MatchingRow
		for _, r := range rows {
			if r.Set == set {
				own = append(own, r)
			}
		}
		rows = slices.DeleteFunc(rows, func(r bench.MatchingRow) bool { return r.Set == set })
		panel, err := drawF1(set, own)
		panels, errs = append(panels, panel), append(errs, err)
		if times {
			panel, err := drawTimes(set, own) // nil, an empty place, without times
			above, errs = append(above, panel), append(errs, err)
		}
	}
	err := errors.Join(errs...)
	if err == nil {
		tiles := [][]*plot.Plot{panels}
		if times {
			tiles = [][]*plot.Plot{above, panels}
		}
		err = save(path, vg.Length(len(panels))*6*vg.Inch, vg.Length(len(tiles))*4.5*vg.Inch, tiles...)
	}
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// drawF1 draws the rows of a set.
func drawF1(set string, rows []bench.MatchingRow) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = set + ": mean F1, ± its standard error"
	p.Y.Label.Text = "F1 in %"
	p.Legend.Left = true // where curves that fall do not come
	p.Add(plotter.NewGrid())
	classes := classesOf(rows)
	if len(classes) == 0 {
		return nil, fmt.Errorf("the rows of the set %s have no classes", set)
	}
	for k, r := range rows {
		var mean plotter.XYs
		var upper, lower plotter.XYs
		for x, class := range classes {
			f1, spread, ok := r.F1(class)
			if !ok {
				continue
			}
			mean = append(mean, plotter.XY{X: float64(x), Y: f1})
			upper = append(upper, plotter.XY{X: float64(x), Y: f1 + spread})
			lower = append(lower, plotter.XY{X: float64(x), Y: f1 - spread})
		}
		if len(mean) == 0 {
			continue
		}
		slices.Reverse(lower)
		band, err := plotter.NewPolygon(append(upper, lower...))
		if err != nil {
			return nil, err
		}
		red, green, blue, _ := plotutil.Color(k).RGBA()
		band.Color = color.NRGBA{uint8(red >> 8), uint8(green >> 8), uint8(blue >> 8), 50}
		band.LineStyle.Width = 0
		p.Add(band)
		if err := addCurve(p, k, r.Label(), mean); err != nil {
			return nil, err
		}
	}
	p.NominalX(classes...)
	return p, nil
}

// classesOf returns the classes of rows, each once.
func classesOf(rows []bench.MatchingRow) []string {
	var classes []string
	for _, r := range rows {
		for _, class := range r.ClassNames() {
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	return classes
}

// drawTimes draws the mean time that a pair of each class took by the rows of a set; nil where
// none is known.
func drawTimes(set string, rows []bench.MatchingRow) (*plot.Plot, error) {
	const least = 1e-6 // seconds: a logarithm is drawn
	p := plot.New()
	p.Title.Text = set + ": time of a pair"
	p.Y.Label.Text = "seconds"
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Legend.Left, p.Legend.Top = true, true // where curves that rise do not come
	p.Add(plotter.NewGrid())
	classes, drawn := classesOf(rows), 0
	for k, r := range rows {
		var times plotter.XYs
		for x, class := range classes {
			if seconds, ok := r.Seconds(class); ok {
				times = append(times, plotter.XY{X: float64(x), Y: max(seconds, least)})
			}
		}
		if len(times) == 0 {
			continue
		}
		drawn++
		if err := addCurve(p, k, r.Label(), times); err != nil {
			return nil, err
		}
	}
	if drawn == 0 {
		return nil, nil
	}
	p.Y.Min, p.Y.Max = p.Y.Min/2, p.Y.Max*2 // one time alone would have a range around it, from below 0
	p.NominalX(classes...)
	return p, nil
}
