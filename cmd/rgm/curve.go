package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rgm-go/rgm/train"
)

// readMetrics returns the lines of a metrics file.
func readMetrics(path string) ([]train.Line, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("learning curve: %w", err)
	}
	var lines []train.Line
	for text := range strings.Lines(string(data)) {
		var line train.Line
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			return nil, fmt.Errorf("learning curve: %s:%d: %w", path, len(lines)+1, err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// panel is one small plot of a quantity over the updates. A quantity that is nil
// was not measured.
type panel struct {
	title    string
	quantity func(train.Line) *float64
}

// panels are the learning curve, row by row.
var panels = [2][2]panel{
	{
		{"Gap of validation (spreads)", func(l train.Line) *float64 { return l.ValidationGap }},
		{"Gap of episodes (spreads)", func(l train.Line) *float64 { return l.EpisodeGap }},
	},
	{
		{"Loss", func(l train.Line) *float64 { return l.Loss }},
		{"Exploration rate ε", func(l train.Line) *float64 { return &l.Epsilon }},
	},
}

// drawLearningCurve writes the panels as a PNG picture.
func drawLearningCurve(out io.Writer, lines []train.Line) error {
	const width, height = 9 * vg.Inch, 6 * vg.Inch
	var plots [][]*plot.Plot
	for _, row := range panels {
		var drawn []*plot.Plot
		for _, p := range row {
			one, err := p.plot(lines)
			if err != nil {
				return fmt.Errorf("learning curve: %w", err)
			}
			drawn = append(drawn, one)
		}
		plots = append(plots, drawn)
	}
	return writePlots(out, formatPNG, width, height, plots...)
}

// plot draws the quantity over the updates.
func (p panel) plot(lines []train.Line) (*plot.Plot, error) {
	var points plotter.XYs
	for _, l := range lines {
		if v := p.quantity(l); v != nil {
			points = append(points, plotter.XY{X: float64(l.Updates), Y: *v})
		}
	}
	drawn := plot.New()
	drawn.Title.Text, drawn.X.Label.Text = p.title, "updates"
	drawn.Add(plotter.NewGrid())
	if len(points) == 0 { // axes need a range
		drawn.X.Min, drawn.X.Max, drawn.Y.Min, drawn.Y.Max = 0, 1, 0, 1
		return drawn, nil
	}
	curve, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, err
	}
	dots.Radius = vg.Points(1.5)
	drawn.Add(curve, dots)
	drawn.Y.Min = math.Min(drawn.Y.Min, 0)
	return drawn, nil
}
