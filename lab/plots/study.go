package plots

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/vg"

	"github.com/rgm-go/rgm/lab/bench"
)

// SaveStudyPicture draws the rows of a study into a file, if it has a name.
func SaveStudyPicture(path string, of *bench.Study, classes []string, rows []bench.StudyRow) error {
	if path == "" {
		return nil
	}
	var drawn *plot.Plot
	if of.HeatMap {
		drawn = studyTable(classes, rows).plot()
	} else {
		drawn = dots(of.Name+": gap on QAPLIB, average over the classes; a point is a training, a bar the mean of its variant", "gap in %", studyRows(rows))
	}
	err := save(path, 9*vg.Inch, 6*vg.Inch, []*plot.Plot{drawn})
	if err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	return nil
}

// studyRows are the average gaps of each variant.
func studyRows(rows []bench.StudyRow) []Row {
	var all []Row
	for _, r := range rows {
		all = append(all, Row{r.Variant, r.Average})
	}
	return all
}

// studyTable is what the variants reach on each class.
func studyTable(classes []string, rows []bench.StudyRow) Table {
	t := Table{
		Title: "gap in % on the larger halves of QAPLIB's classes; darker is better in a column", RowLabel: "trained on", ColumnLabel: "measured on",
		Columns: classes, Low: true,
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, r.Variant)
		var gaps []float64
		for _, class := range classes {
			gaps = append(gaps, r.Classes[class])
		}
		t.Values = append(t.Values, gaps)
	}
	return t
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
