// Package plots draws measurements, for files and for the pages of rgm-lab report.
package plots

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/qap"
)

// SaveAffinities draws the matrix of an instance, and a panel for each that a regularizer
// makes of it at a matching.
func SaveAffinities(path string, in *qap.Instance, m qap.Matching, regularizers []qap.Regularizer, literal bool) error {
	var panels []*plot.Plot
	for _, r := range append([]qap.Regularizer{{}}, regularizers...) {
		panels = append(panels, affinityPanel(in, r, m, literal))
	}
	return savePanels(path, panels, 3*vg.Inch, 3.2*vg.Inch)
}

// affinityPanel draws the matrix that a regularizer makes of K at a matching.
func affinityPanel(in *qap.Instance, r qap.Regularizer, m qap.Matching, literal bool) *plot.Plot {
	n1, n2 := in.Size()
	n := float64(n1 * n2)
	row, name := in.Affinity.Row, "K"
	if !r.None() {
		row, name = regularizedRows(in, r, m, literal), r.String()
	}
	picture, least, greatest := pictures.HeatMap(n1*n2, row)
	panel := plot.New()
	diagonal, entries := 0.0, make([]float64, n1*n2)
	for p := range entries {
		row(entries, p)
		diagonal += entries[p] / n
	}
	panel.Title.Text = fmt.Sprintf("%s: %.2g to %.2g, diagonal %.2g", name, least, greatest, diagonal)
	panel.HideAxes()
	panel.Add(plotter.NewImage(picture, 0, 0, n, n))
	return panel
}

// regularizedRows returns the rows of the surrogate (see qap.RegularizedSurrogate) at a
// matching; where there is no fit these are K's.
func regularizedRows(in *qap.Instance, r qap.Regularizer, m qap.Matching, literal bool) func([]float64, int) {
	n1, n2 := in.Size()
	score, size := in.Score(m), m.Size()
	g, fits := r.Fit(size, n1, n2)
	if !fits {
		return in.Affinity.Row
	}
	factor := r.Factor(size, n1, n2)
	if literal {
		factor = 1
	}
	return func(dst []float64, p int) {
		in.Affinity.Row(dst, p)
		for q := range dst {
			dst[q] = factor*dst[q] - g.A*score
		}
		dst[p] -= g.B * score
	}
}

// savePanels draws plots of a size in rows of up to four.
func savePanels(path string, panels []*plot.Plot, width, height vg.Length) error {
	const most = 4
	columns := min(len(panels), most)
	if columns == 0 {
		return errors.New("there is nothing to draw")
	}
	var rows [][]*plot.Plot
	for row := range slices.Chunk(panels, columns) {
		rows = append(rows, append(row[:len(row):len(row)], make([]*plot.Plot, columns-len(row))...))
	}
	return save(path, vg.Length(columns)*width, vg.Length(len(rows))*height, rows...)
}
