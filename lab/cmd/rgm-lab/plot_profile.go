package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// plotProfileSettings are the settings of rgm-lab plot profile.
type plotProfileSettings struct {
	Reading inputs.Settings `mapstructure:",squash"`

	Out        string        `mapstructure:"out"`
	Regularize []string      `mapstructure:"regularize"`
	TimeLimit  time.Duration `mapstructure:"time-limit"`
	Seed       uint64        `mapstructure:"seed"`
}

func newPlotProfile(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile INSTANCE…",
		Short: "Draw the best score against the number of matches",
		Long: `Search the best matching of every size, as rgm solve --method profile does, and draw
its objective against its size, a panel for each instance. The size with the best
objective is marked J, the one that each --regularize would choose with its name.`,
		Example: `  rgm-lab plot profile --out profile.svg problems/car.npy`,
		Args:    settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s plotProfileSettings, args []string) error {
			return plotProfile(cmd, c, &s, args)
		}),
	}
	verbs.AddReadingFlags(cmd)
	verbs.AddOutFlag(cmd, "profile.svg")
	flags := cmd.Flags()
	flags.StringSlice("regularize", []string{"f1", "f2", "f3", "mean"}, "choices to mark: f1, f2, f3, mean or mean:p")
	flags.Duration("time-limit", 0, "wall clock for an instance (default none)")
	verbs.AddSeedFlag(cmd)
	return cmd
}

// mostPanels is how many instances a picture shows.
const mostPanels = 24

// plotProfile searches the instances and writes the picture.
func plotProfile(cmd *cobra.Command, c *console.Console, s *plotProfileSettings, args []string) error {
	_, readingErr := s.Reading.Options(c)
	regularizers, regularizersErr := bench.ParseFixedRegularizers(s.Regularize)
	var limitErr error
	if s.TimeLimit < 0 {
		limitErr = fmt.Errorf("--time-limit %v: want 0 (none) or more", s.TimeLimit)
	}
	if err := settings.Usage(readingErr, regularizersErr, limitErr, settings.CheckOutput("out", s.Out, report.SVG, report.PNG)); err != nil {
		return err
	}
	reader := inputs.Reader{Reading: s.Reading, Stdin: cmd.InOrStdin(), Console: c}
	all, err := reader.Open(args)
	if err != nil {
		return err
	}
	var found []plots.FoundProfile
	for _, input := range all {
		for in, err := range input.Instances {
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
			found = append(found, plots.FoundProfile{Instance: in, Profile: p})
		}
	}
	return verbs.PrintPath(cmd, s.Out, plots.SaveProfiles(s.Out, found, regularizers))
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
