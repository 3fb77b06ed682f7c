package plots

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/qap"
)

// FoundProfile is the profile of an instance.
type FoundProfile struct {
	Instance *qap.Instance
	Profile  qap.Profile
}

// SaveProfiles draws a panel for each profile, with the choices of the regularizers.
func SaveProfiles(path string, found []FoundProfile, regularizers []qap.Regularizer) error {
	var panels []*plot.Plot
	for _, f := range found {
		panel, err := drawProfile(f.Instance, f.Profile, append([]qap.Regularizer{{}}, regularizers...))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Instance.Name, err)
		}
		panels = append(panels, panel)
	}
	return savePanels(path, panels, 4*vg.Inch, 3*vg.Inch)
}

// drawProfile draws the objective of every size, and marks the choices.
func drawProfile(in *qap.Instance, p qap.Profile, regularizers []qap.Regularizer) (*plot.Plot, error) {
	panel := plot.New()
	panel.Title.Text, panel.X.Label.Text, panel.Y.Label.Text = in.Name, "matches", "best objective"
	panel.Add(plotter.NewGrid())
	var curve plotter.XYs
	for _, size := range rgm.Sizes(in, p) {
		curve = append(curve, plotter.XY{X: float64(size.Matched), Y: size.Objective})
	}
	line, dots, err := plotter.NewLinePoints(curve)
	if err != nil {
		return nil, err
	}
	dots.Shape, dots.Radius = draw.CircleGlyph{}, vg.Points(1.5)
	marks := chosenSizes(in, p, regularizers)
	labels, err := plotter.NewLabels(marks)
	if err != nil {
		return nil, err
	}
	rings, err := plotter.NewScatter(marks)
	if err != nil {
		return nil, err
	}
	rings.Shape, rings.Radius = draw.RingGlyph{}, vg.Points(4)
	for k := range labels.TextStyle { // upright, so that those of neighbours do not meet
		labels.TextStyle[k].Rotation, labels.TextStyle[k].YAlign = math.Pi/2, text.YCenter
	}
	labels.Offset = vg.Point{Y: vg.Points(6)}
	panel.Add(line, dots, rings, labels)
	const room = 0.5 // of the axis, for a label
	height := panel.Y.Max - panel.Y.Min
	for _, mark := range marks.XYs {
		panel.Y.Max = math.Max(panel.Y.Max, mark.Y+room*height)
	}
	return panel, nil
}

// chosenSizes returns the sizes that regularizers choose, each labelled with all that
// choose it.
func chosenSizes(in *qap.Instance, p qap.Profile, regularizers []qap.Regularizer) plotter.XYLabels {
	names := make([][]string, len(p))
	for _, r := range regularizers {
		m, ok := qap.Goal{Regularizer: r}.Choose(in, p)
		switch {
		case !ok:
		case r.None():
			names[m] = append(names[m], "J")
		default:
			names[m] = append(names[m], r.String())
		}
	}
	var marks plotter.XYLabels
	for m, of := range names {
		if of != nil {
			marks.XYs = append(marks.XYs, plotter.XY{X: float64(m), Y: in.Objective(p[m].Score)})
			marks.Labels = append(marks.Labels, strings.Join(of, ", "))
		}
	}
	return marks
}
