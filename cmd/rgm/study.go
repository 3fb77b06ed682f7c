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

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/train"
)

// studySettings are the settings of rgm bench training.
type studySettings struct {
	Search searchSettings `mapstructure:",squash"`

	Preset   string   `mapstructure:"preset"`
	Variants []string `mapstructure:"variants"`
	Seeds    int      `mapstructure:"seeds"`
	MinN     int      `mapstructure:"min-n"`
	MaxN     int      `mapstructure:"max-n"`
	Out      string   `mapstructure:"out"`
	Plot     string   `mapstructure:"plot"`
	Workers  int      `mapstructure:"workers"`
	Format   string   `mapstructure:"format"`
}

func newBenchTraining(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "training STUDY",
		Short: "Train variants of a configuration and measure them on QAPLIB",
		Long: `Train variants of a configuration, each with several seeds, and measure the networks
on QAPLIB. The studies:

` + studyHelp() + `
Every variant differs from the preset, with --set applied, in the settings that its
name tells. Trainings and results are kept in a folder: the same command goes on
where it was stopped. The table shows the mean over the seeds and its standard
deviation: of the gap on validation instances, in spreads, and of the gap to the best
known values of QAPLIB in percent, averaged over the classes.`,
		Example: `  rgm bench training ablation --set episodes=2000 --seeds 4 --out runs/ablation
  rgm bench training backbones --plot docs/backbones.png
  rgm bench training generalisation --rollouts 1 --plot docs/generalisation.png`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: withSettings(func(cmd *cobra.Command, s studySettings, args []string) error {
			changes, err := cmd.Flags().GetStringArray(setFlag)
			if err != nil {
				return err
			}
			return runStudy(cmd.Context(), c, &s, args[0], changes, cmd.OutOrStdout())
		}),
	}
	addSearchFlags(cmd)
	flags := cmd.Flags()
	flags.Lookup("model").Hidden = true // it measures its own
	flags.String("preset", "qap", "configuration to start from: "+strings.Join(train.Presets(), ", "))
	flags.StringArray(setFlag, nil, "hyper-parameter of all variants, as `key=value`; may be repeated")
	flags.StringSlice("variants", nil, "variants to train (default all)")
	flags.Int("seeds", 4, "trainings of each variant, with the seeds 0, 1, …")
	flags.Int("min-n", 12, "least number of nodes of the instances to measure on")
	flags.Int("max-n", 50, "largest number of nodes")
	flags.String("out", "", "`folder` of trainings and results (default runs/STUDY)")
	flags.String("plot", "", "`file`, .svg or .png, for a picture")
	flags.Int("workers", 1, "trainings at a time; one alone uses all processors")
	flags.String("format", formatTable, "table, json or csv (one training a line), or markdown")
	complete(cmd, "preset", train.Presets()...)
	complete(cmd, "format", formatTable, formatJSON, formatCSV, formatMarkdown)
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *studySettings) check(of *study) error {
	errs := []error{
		s.Search.check(),
		atLeast(1, "seeds", s.Seeds),
		atLeast(1, "workers", s.Workers),
		oneOf("format", s.Format, formatTable, formatJSON, formatCSV, formatMarkdown),
	}
	if s.Search.Model != "" {
		errs = append(errs, fmt.Errorf("--model %s: a study measures the networks that it trains: leave it out", s.Search.Model))
	}
	if s.Plot != "" {
		errs = append(errs, checkOutput("plot", s.Plot, formatSVG, formatPNG))
	}
	for _, name := range s.Variants {
		errs = append(errs, oneOf("variants", name, of.names()...))
	}
	return errors.Join(errs...)
}

// runStudy trains and measures what is not done yet and prints the table.
func runStudy(ctx context.Context, c *console, s *studySettings, name string, changes []string, out io.Writer) error {
	of, err := findStudy(name)
	if err == nil {
		err = s.check(of)
	}
	if err == nil && slices.ContainsFunc(changes, func(change string) bool { return strings.HasPrefix(change, "seed=") }) {
		err = errors.New("--set seed: a study trains with the seeds 0, 1, …: --seeds says how many")
	}
	if err != nil {
		return usable(err)
	}
	if s.Out == "" {
		s.Out = filepath.Join("runs", name)
	}
	instances := datasets.PaperSet(s.MinN, s.MaxN)
	if of.instances != nil {
		instances = slices.DeleteFunc(instances, func(name string) bool { return !of.instances(name) })
	}
	if len(instances) == 0 {
		return usable(fmt.Errorf("no instance has %d to %d nodes", s.MinN, s.MaxN))
	}
	r, err := newStudyRun(c, s, of, changes, instances)
	if err != nil {
		return usable(err)
	}
	lock, err := claim(s.Out)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer lock.Close()
	results, err := r.results(ctx)
	c.endBar()
	if ctx.Err() != nil {
		err = fmt.Errorf("bench: interrupted after %d of %d trainings; all is saved in %s: the same command goes on", len(results), len(r.tasks), s.Out)
	}
	if len(results) > 0 { // what was finished before an error stays
		rows := studyRows(of, results)
		err = errors.Join(err, printStudy(out, s.Format, r.measurement.classes(), rows, results), saveStudyPicture(s.Plot, of, r.measurement.classes(), rows))
	}
	return err
}
