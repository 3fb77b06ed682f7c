package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// plotProfileSettings are the settings of rgm plot profile.
type plotProfileSettings struct {
	Reading readingSettings `mapstructure:",squash"`

	Out        string        `mapstructure:"out"`
	Regularize []string      `mapstructure:"regularize"`
	TimeLimit  time.Duration `mapstructure:"time-limit"`
	Seed       uint64        `mapstructure:"seed"`
}

func newPlotProfile(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile INSTANCE…",
		Short: "Draw the best score against the number of matches",
		Long: `Search the best matching of every size, as rgm solve --method profile does, and draw
its objective against its size, a panel for each instance. The size with the best
objective is marked J, the one that each --regularize would choose with its name.`,
		Example: `  rgm plot profile --out profile.svg problems/car.npy`,
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE: withSettings(func(cmd *cobra.Command, s plotProfileSettings, args []string) error {
			return plotProfile(cmd, c, &s, args)
		}),
	}
	addReadingFlags(cmd)
	addOutFlag(cmd, "profile.svg")
	flags := cmd.Flags()
	flags.StringSlice("regularize", []string{"f1", "f2", "f3", "mean"}, "choices to mark: f1, f2, f3, mean or mean:`p`")
	flags.Duration("time-limit", 0, "wall clock for an instance (default none)")
	flags.Uint64("seed", 0, "every random choice comes from it")
	return cmd
}

// addOutFlag adds the flag that names a picture.
func addOutFlag(cmd *cobra.Command, name string) {
	cmd.Flags().StringP("out", "o", name, "picture to write: .svg or .png")
}

// mostPanels is how many instances a picture shows.
const mostPanels = 24

// plotProfile searches the instances and writes the picture.
func plotProfile(cmd *cobra.Command, c *console, s *plotProfileSettings, args []string) error {
	reading, readingErr := s.Reading.options(c)
	regularizers, regularizersErr := parseRegularizers(s.Regularize)
	var limitErr error
	if s.TimeLimit < 0 {
		limitErr = fmt.Errorf("--time-limit %v: want 0 (none) or more", s.TimeLimit)
	}
	if err := usable(readingErr, regularizersErr, limitErr, checkOutput("out", s.Out, formatSVG, formatPNG)); err != nil {
		return err
	}
	var found []foundProfile
	for _, input := range expand(args, reading, cmd.InOrStdin(), "") {
		for in, err := range input.instances {
			if err != nil {
				return err
			}
			if len(found) == mostPanels {
				return fmt.Errorf("a picture shows %d instances at most", mostPanels)
			}
			p, err := s.search(cmd.Context(), in)
			if err != nil {
				return fmt.Errorf("%s: %w", in.Name, err)
			}
			found = append(found, foundProfile{instance: in, profile: p})
		}
	}
	return saveProfiles(s.Out, found, regularizers)
}

// search returns the profile of an instance.
func (s *plotProfileSettings) search(ctx context.Context, in *qap.Instance) (qap.Profile, error) {
	options := qap.Options{Limits: qap.Limits{TimeLimit: s.TimeLimit}, Seed: s.Seed}
	result, err := profile.Solver{}.Solve(ctx, in, options)
	if err == nil {
		err = ctx.Err()
	}
	return result.Profile, err
}

// foundProfile is the profile of an instance.
type foundProfile struct {
	instance *qap.Instance
	profile  qap.Profile
}

// saveProfiles draws a panel for each profile, with the choices of the regularizers.
func saveProfiles(path string, found []foundProfile, regularizers []qap.Regularizer) error {
	var panels []*plot.Plot
	for _, f := range found {
		panel, err := drawProfile(f.instance, f.profile, append([]qap.Regularizer{{}}, regularizers...))
		if err != nil {
			return fmt.Errorf("%s: %w", f.instance.Name, err)
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
	for _, size := range profileAnswer(in, p) {
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
