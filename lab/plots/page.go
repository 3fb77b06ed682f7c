package plots

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/internal/statistics"
)

// Series is a line: Y over X, with Error, if it has as many values, up and down. Y that is NaN is
// left out.
type Series struct {
	Name        string
	X, Y, Error []float64
}

// Lines draws series over one axis as an SVG, with a legend to their right.
func Lines(title, xLabel, yLabel string, series []Series) string {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, xLabel, yLabel
	p.Add(plotter.NewGrid())
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	for k, s := range series {
		points := plotutil.ErrorPoints{XYs: nil}
		for i, y := range s.Y {
			if math.IsNaN(y) {
				continue
			}
			spread := 0.0
			if len(s.Error) == len(s.Y) && !math.IsNaN(s.Error[i]) {
				spread = s.Error[i]
			}
			points.XYs = append(points.XYs, plotter.XY{X: s.X[i], Y: y})
			points.YErrors = append(points.YErrors, struct{ Low, High float64 }{spread, spread})
		}
		if len(points.XYs) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points.XYs)
		must(err)
		bars, err := plotter.NewYErrorBars(points)
		must(err)
		line.Color, dots.Color, bars.Color = plotutil.Color(k), plotutil.Color(k), plotutil.Color(k)
		line.Width, line.Dashes = vg.Points(1.5), plotutil.Dashes(k/len(plotutil.DefaultColors))
		dots.Shape, dots.Radius = draw.CircleGlyph{}, vg.Points(2)
		p.Add(line, dots, bars)
		legend.Add(s.Name, line, dots)
	}
	framed(p)
	if p.Y.Min > 0 {
		p.Y.Min = 0
	}
	const width, height, right = 9 * vg.Inch, 4 * vg.Inch, 3.4 * vg.Inch
	return svg(width, height, func(c draw.Canvas) {
		p.Draw(draw.Crop(c, 0, -right, 0, 0))
		legend.Draw(draw.Crop(c, width-right+vg.Points(10), 0, 0, -vg.Points(24)))
	})
}

// Row is the values that one thing has.
type Row struct {
	Name   string
	Values []float64
}

// Dots draws a line for each row, the first on top, as an SVG: a dot for each of its values, a bar
// to their mean.
func Dots(title, label string, rows []Row) string {
	p := dots(title, label, rows)
	return svg(8*vg.Inch, vg.Length(len(rows))*0.3*vg.Inch+vg.Inch, p.Draw)
}

// wideSpread is how many times the least value the largest is from where on their axis is
// logarithmic.
const wideSpread = 10

func dots(title, label string, rows []Row) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = title, label
	var points plotter.XYs
	var names []string
	for k, row := range slices.Backward(rows) {
		names = append(names, row.Name)
		for _, v := range row.Values {
			points = append(points, plotter.XY{X: v, Y: float64(len(rows) - 1 - k)})
		}
	}
	if len(points) == 0 {
		framed(p)
		return p
	}
	p.NominalY(names...)
	p.X.Min, p.X.Max, _, _ = plotter.XYRange(points)
	if p.X.Min > 0 && p.X.Max > wideSpread*p.X.Min {
		logarithmic(&p.X)
	} else {
		p.X.Min = min(p.X.Min, 0)
	}
	for k, row := range rows {
		if len(row.Values) == 0 {
			continue
		}
		y := float64(len(rows) - 1 - k)
		bar, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: y}, {X: statistics.Mean(row.Values), Y: y}})
		must(err)
		bar.Color, bar.Width = color.Gray{210}, vg.Points(12)
		p.Add(bar)
	}
	scatter, err := plotter.NewScatter(points)
	must(err)
	p.Add(scatter)
	return p
}

// Table is numbers by row and column, NaN where there is none.
type Table struct {
	Title, RowLabel, ColumnLabel string
	Rows, Columns                []string
	Values                       [][]float64
	Low                          bool // less is better
}

// Heat draws a table as an SVG. A cell is the darker the better its number is in its column, as in
// the paper's figures.
func Heat(t Table) string {
	p := t.plot()
	return svg(vg.Length(len(t.Columns))*0.6*vg.Inch+2*vg.Inch, vg.Length(len(t.Rows))*0.3*vg.Inch+1.2*vg.Inch, p.Draw)
}

// Dims makes the table a grid of colours, with X, Y and Z; the first row is on top.
func (t Table) Dims() (columns, rows int) { return len(t.Columns), len(t.Rows) }

// X is where a column lies.
func (t Table) X(column int) float64 { return float64(column) }

// Y is where a row lies, from below.
func (t Table) Y(row int) float64 { return float64(row) }

func (t Table) at(column, row int) float64 { return t.Values[len(t.Rows)-1-row][column] }

// Z is 1 for the best number of a column and 0 for the worst.
func (t Table) Z(column, row int) float64 {
	least, largest := math.Inf(1), math.Inf(-1)
	for k := range t.Rows {
		if v := t.at(column, k); !math.IsNaN(v) {
			least, largest = min(least, v), max(largest, v)
		}
	}
	v := t.at(column, row)
	switch {
	case math.IsNaN(v):
		return 0
	case largest == least:
		return 1
	case t.Low:
		return (largest - v) / (largest - least)
	}
	return (v - least) / (largest - least)
}

func (t Table) plot() *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = t.Title, t.ColumnLabel, t.RowLabel
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		framed(p)
		return p
	}
	cells := plotter.NewHeatMap(t, shades(32))
	cells.Min, cells.Max = 0, 1
	p.Add(cells)
	var labels plotter.XYLabels
	var names []string
	for row := range t.Rows {
		names = append(names, t.Rows[len(t.Rows)-1-row])
		for column := range t.Columns {
			if v := t.at(column, row); !math.IsNaN(v) {
				labels.XYs = append(labels.XYs, plotter.XY{X: float64(column), Y: float64(row)})
				labels.Labels = append(labels.Labels, fmt.Sprintf("%.2f", v))
			}
		}
	}
	written, err := plotter.NewLabels(labels)
	must(err)
	for k := range written.TextStyle {
		written.TextStyle[k].XAlign, written.TextStyle[k].YAlign = -0.5, -0.5
	}
	p.Add(written)
	p.NominalX(t.Columns...)
	p.NominalY(names...)
	return p
}

// Cloud is points of one kind.
type Cloud struct {
	Title string
	X, Y  []float64
}

// Clouds draws each cloud in a panel of its own as an SVG, x from 0 to 100; yMost is the greatest
// y, where greater ones are drawn too.
func Clouds(xLabel, yLabel string, yMost float64, clouds []Cloud) string {
	const side = 3 * vg.Inch
	return svg(vg.Length(len(clouds))*side, side, func(c draw.Canvas) {
		tiles := draw.Tiles{Rows: 1, Cols: max(len(clouds), 1), PadX: vg.Points(12)}
		for k, cloud := range clouds {
			p := plot.New()
			p.Title.Text, p.X.Label.Text, p.Y.Label.Text = cloud.Title, xLabel, yLabel
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 100, 0, yMost
			p.Add(plotter.NewGrid())
			var points plotter.XYs
			for i, x := range cloud.X {
				points = append(points, plotter.XY{X: x, Y: min(cloud.Y[i], yMost)})
			}
			if len(points) > 0 {
				scatter, err := plotter.NewScatter(points)
				must(err)
				scatter.Shape, scatter.Radius, scatter.Color = draw.CircleGlyph{}, vg.Points(1), color.NRGBA{B: 160, A: 90}
				p.Add(scatter)
			}
			p.Draw(tiles.At(c, k, 0))
		}
	})
}

// framed gives a plot without points a range.
func framed(p *plot.Plot) {
	if p.X.Min > p.X.Max {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	}
}

// svg returns what draws on a canvas.
func svg(width, height vg.Length, drawn func(draw.Canvas)) string {
	var text bytes.Buffer
	must(pictures.Write(&text, "svg", max(width, vg.Inch), height, drawn))
	return text.String()
}

// must stops where numbers that are finite cannot be drawn.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("plots: %v", err))
	}
}
