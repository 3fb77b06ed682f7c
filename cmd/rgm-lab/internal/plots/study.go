package plots

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rgm-go/rgm/cmd/rgm-lab/internal/bench"
	"github.com/rgm-go/rgm/internal/cli/pictures"
	"github.com/rgm-go/rgm/internal/statistics"
)

// SaveStudyPicture draws the rows of a study into a file, if it has a name.
func SaveStudyPicture(path string, of *bench.Study, classes []string, rows []bench.StudyRow) error {
	if path == "" {
		return nil
	}
	var drawn *plot.Plot
	var err error
	if of.HeatMap {
		drawn, err = drawHeatMap(classes, rows)
	} else {
		drawn, err = drawSeeds(of, rows)
	}
	if err == nil {
		err = pictures.SavePlots(path, 9*vg.Inch, 6*vg.Inch, []*plot.Plot{drawn})
	}
	if err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// wideSpread is how many times the least gap the largest is from where on their axis
// is logarithmic.
const wideSpread = 10

// drawSeeds draws a point for each training and a bar for the mean of each variant.
func drawSeeds(of *bench.Study, rows []bench.StudyRow) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = of.Name + ": gap on QAPLIB, average over the classes; a point is a training, a bar the mean of its variant"
	p.X.Label.Text = "gap in %"
	var points plotter.XYs
	var names []string
	for k := range rows { // the first variant on top
		row := rows[len(rows)-1-k]
		names = append(names, row.Variant)
		for _, gap := range row.Average {
			points = append(points, plotter.XY{X: gap, Y: float64(k)})
		}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	p.NominalY(names...)
	p.X.Min, p.X.Max, _, _ = plotter.XYRange(points)
	if p.X.Min > 0 && p.X.Max > wideSpread*p.X.Min {
		logarithmic(&p.X)
	} else {
		p.X.Min = min(p.X.Min, 0)
	}
	for k := range rows {
		row, y := rows[len(rows)-1-k], float64(k)
		bar, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: y}, {X: statistics.Mean(row.Average), Y: y}})
		if err != nil {
			return nil, err
		}
		bar.Color, bar.Width = color.Gray{210}, vg.Points(12)
		p.Add(bar)
	}
	p.Add(dots)
	return p, nil
}

// heat is the gaps of rows by class. A cell's colour tells its rank in its column,
// as in the paper's figures: 1 for the least gap.
type heat struct {
	classes []string
	rows    []bench.StudyRow
}

func (h heat) Dims() (columns, rows int) { return len(h.classes), len(h.rows) }

func (h heat) X(column int) float64 { return float64(column) }

func (h heat) Y(row int) float64 { return float64(row) }

func (h heat) gap(column, row int) float64 {
	return h.rows[len(h.rows)-1-row].Classes[h.classes[column]] // the first on top
}

func (h heat) Z(column, row int) float64 {
	least, largest := math.Inf(1), math.Inf(-1)
	for k := range h.rows {
		least, largest = min(least, h.gap(column, k)), max(largest, h.gap(column, k))
	}
	if largest == least {
		return 1
	}
	return (largest - h.gap(column, row)) / (largest - least)
}

// drawHeatMap draws what the rows reach on each class: the darker in its column the
// better.
func drawHeatMap(classes []string, rows []bench.StudyRow) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "gap in % on the larger halves of QAPLIB's classes; darker is better in a column"
	p.X.Label.Text, p.Y.Label.Text = "measured on", "trained on"
	cells := heat{classes, rows}
	p.Add(plotter.NewHeatMap(cells, shades(32)))
	var labels plotter.XYLabels
	var names []string
	for row := range rows {
		names = append(names, rows[len(rows)-1-row].Variant)
		for column := range classes {
			labels.XYs = append(labels.XYs, plotter.XY{X: float64(column), Y: float64(row)})
			labels.Labels = append(labels.Labels, fmt.Sprintf("%.2f", cells.gap(column, row)))
		}
	}
	written, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for k := range written.TextStyle {
		written.TextStyle[k].XAlign, written.TextStyle[k].YAlign = -0.5, -0.5
	}
	p.Add(written)
	p.NominalX(classes...)
	p.NominalY(names...)
	return p, nil
}

// shades are reds from white on, light enough for black text.
type shades int

func (s shades) Colors() []color.Color {
	var all []color.Color
	for k := range int(s) {
		pale := uint8(255 - 150*k/int(s))
		all = append(all, color.RGBA{255, pale, pale, 255})
	}
	return all
}

var _ palette.Palette = shades(0)
