package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
	"github.com/rgm-go/rgm/train"
)

func newBenchTraining(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "training STUDY",
		Short: "Train variants of a configuration and measure them on QAPLIB",
		Long: `Train variants of a configuration, each with several seeds, and measure the networks
on QAPLIB. The studies:

` + bench.StudyHelp() + `
Every variant differs from the preset, with --set applied, in the settings that its
name tells. Trainings and results are kept in a folder: the same command goes on
where it was stopped. The table shows the mean over the seeds and its standard
deviation: of the gap on validation instances, in spreads, and of the gap to the best
known values of QAPLIB in percent, averaged over the classes.`,
		Example: `  rgm-lab bench training ablation --set episodes=2000 --seeds 4 --out runs/ablation
  rgm-lab bench training backbones --set model.architecture=gain-unskilled --plot backbones.png
  rgm-lab bench training generalisation --rollouts 1 --plot generalisation.png`,
		Args: settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s bench.StudySettings, args []string) error {
			changes, err := cmd.Flags().GetStringArray(verbs.SetFlag)
			if err != nil {
				return err
			}
			return runStudy(cmd.Context(), c, &s, args[0], changes, cmd.OutOrStdout())
		}),
	}
	addSearchFlags(cmd)
	flags := cmd.Flags()
	flags.Lookup("model").Hidden = true // it measures its own
	flags.Lookup("start").Hidden = true // its variants say whether they revoke
	flags.String("preset", "qap", "configuration to start from: "+strings.Join(train.Presets(), ", "))
	flags.StringArray(verbs.SetFlag, nil, "hyper-parameter of all variants, as `key=value`; may be repeated")
	flags.StringSlice("variants", nil, "variants to train (default all)")
	flags.Int("seeds", 4, "trainings of each variant, with the seeds 0, 1, …")
	flags.Int("min-n", 12, "least number of nodes of the instances to measure on")
	flags.Int("max-n", 50, "largest number of nodes")
	flags.StringP("out", "o", "", "`folder` of trainings and results (default runs/STUDY)")
	flags.String("plot", "", "`file`, .svg or .png, for a picture")
	flags.Int("updates", 0, "updates after which a training ends, a multiple of validation_every; with more a study goes on (default until its episodes are through)")
	flags.Float64("still", 0, "share of a training's updates for which validation stands still before it ends (default never)")
	flags.Int("workers", 1, "trainings at a time; one alone uses all processors")
	flags.String("format", report.Table, "table, json or csv (one training a line), or markdown")
	settings.Complete(cmd, "preset", train.Presets()...)
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV, report.Markdown)
	return cmd
}

// runStudy trains and measures what is not done yet and prints the table.
func runStudy(ctx context.Context, c *console.Console, s *bench.StudySettings, name string, changes []string, out io.Writer) error {
	of, err := bench.FindStudy(name)
	if err == nil {
		err = s.Check(of)
	}
	if err == nil && slices.ContainsFunc(changes, func(change string) bool { return strings.HasPrefix(change, "seed=") }) {
		err = errors.New("--set seed: a study trains with the seeds 0, 1, …: --seeds says how many")
	}
	if err != nil {
		return settings.Usage(err)
	}
	if s.Out == "" {
		s.Out = filepath.Join("runs", name)
	}
	instances := qaplib.PaperSet(s.MinN, s.MaxN)
	if of.Instances != nil {
		instances = slices.DeleteFunc(instances, func(name string) bool { return !of.Instances(name) })
	}
	if len(instances) == 0 {
		return settings.Usage(fmt.Errorf("no instance has %d to %d nodes", s.MinN, s.MaxN))
	}
	r, err := bench.NewRun(c, s, of, changes, instances)
	if err != nil {
		return settings.Usage(err)
	}
	lock, err := results.Claim(s.Out)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer lock.Close()
	results, err := r.Results(ctx)
	c.EndBar()
	if ctx.Err() != nil {
		err = fmt.Errorf("bench: interrupted after %d of %d trainings; all is saved in %s: the same command goes on", len(results), len(r.Tasks), s.Out)
	}
	if len(results) > 0 { // what was finished before an error stays
		rows := bench.StudyRows(of, results)
		err = errors.Join(err, bench.PrintStudy(out, s.Format, r.Measurement.Classes(), rows, results), plots.SaveStudyPicture(s.Plot, of, r.Measurement.Classes(), rows))
	}
	return err
}
