package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/datasets"
)

// benchSettings are the settings of rgm bench qaplib.
type benchSettings struct {
	Search searchSettings `mapstructure:",squash"`

	Classes []string `mapstructure:"classes"`
	MinN    int      `mapstructure:"min-n"`
	MaxN    int      `mapstructure:"max-n"`
	Half    string   `mapstructure:"half"`
	Methods []string `mapstructure:"methods"`
	Limits  []string `mapstructure:"time-limits"` // durations
	Plot    string   `mapstructure:"plot"`
	Seeds   int      `mapstructure:"seeds"`
	Workers int      `mapstructure:"workers"`
	Format  string   `mapstructure:"format"`
}

// The values of --half.
const (
	halfBoth    = "both"
	halfSmaller = "smaller"
	halfLarger  = "larger"
)

func newBench(c *console) *cobra.Command {
	return group("bench", "Measure methods", newBenchQAPLIB(c), newBenchMatching(c), newBenchTraining(c))
}

func newBenchQAPLIB(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "qaplib",
		Short: "Measure methods on QAPLIB, beside the paper's numbers",
		Long: `Measure methods on QAPLIB: the mean gap to the best known values of each class, its
average over the classes, and the time taken, in the paper's table with the rows
that the paper prints (over all sizes, whichever are measured), and below each the
least and the largest gap. A method may also be a model file, so that two models can
be compared. Times are comparable with --workers 1.

--time-limits measures every method under several time limits, and --plot draws the
average gap of each against the time.`,
		Example: `  rgm bench qaplib --time-limit 1s --seeds 4
  rgm bench qaplib --classes nug,tai --methods rgm,tabu,./other.onnx
  rgm bench qaplib --time-limits 10ms,100ms,1s --plot frontier.svg
  rgm bench qaplib --min-n 100 --max-n 256 --time-limit 10s --methods tabu`,
		Args: arguments(cobra.NoArgs),
		RunE: withSettings(func(cmd *cobra.Command, s benchSettings, _ []string) error {
			return bench(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	addSearchFlags(cmd)
	flags := cmd.Flags()
	flags.StringSlice("classes", nil, "classes of instances (default the paper's 14)")
	flags.Int("min-n", 12, "least number of nodes")
	flags.Int("max-n", 64, "largest number of nodes")
	flags.String("half", halfBoth, "of each class: smaller (that of the preset qaplib), larger (the rest), or both")
	flags.StringSlice("methods", controlNames(), "methods of rgm solve, or .onnx files")
	flags.StringSlice("time-limits", nil, "durations, in place of --time-limit: every method is measured under each")
	flags.String("plot", "", "`file`, .svg or .png, for a picture of the average gap against the time")
	flags.Int("seeds", 1, "runs of each instance, with the seeds 0, 1, …")
	flags.Int("workers", 1, "instances solved at a time")
	flags.String("format", formatTable, "table, json (one row a line), csv or markdown")
	complete(cmd, "half", halfBoth, halfSmaller, halfLarger)
	complete(cmd, "format", formatTable, formatJSON, formatCSV, formatMarkdown)
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *benchSettings) check() error {
	errs := []error{
		s.checkLimits(),
		atLeast(1, "seeds", s.Seeds),
		atLeast(1, "workers", s.Workers),
		oneOf("half", s.Half, halfBoth, halfSmaller, halfLarger),
		oneOf("format", s.Format, formatTable, formatJSON, formatCSV, formatMarkdown),
	}
	if s.Plot != "" {
		errs = append(errs, checkOutput("plot", s.Plot, formatSVG, formatPNG))
	}
	for _, class := range s.Classes {
		errs = append(errs, oneOf("classes", class, paperClasses...))
	}
	return errors.Join(append(errs, checkMethods(s.Methods))...)
}

// instances returns the names of the instances to measure on.
func (s *benchSettings) instances() []string {
	return slices.DeleteFunc(datasets.PaperSet(s.MinN, s.MaxN), func(name string) bool {
		return len(s.Classes) > 0 && !slices.Contains(s.Classes, datasets.Class(name)) ||
			s.Half != halfBoth && (s.Half == halfSmaller) != datasets.InSmallerHalf(name)
	})
}

// checkMethods returns an error unless all methods are known, or model files.
func checkMethods(methods []string) error {
	if len(methods) == 0 {
		return errors.New("--methods is empty: want one or more")
	}
	var errs []error
	for _, m := range methods {
		if !isModelFile(m) {
			errs = append(errs, oneOf("methods", m, append(methodNames(), "FILE.onnx")...))
		}
	}
	return errors.Join(errs...)
}

func isModelFile(method string) bool { return strings.HasSuffix(method, ".onnx") }

// bench measures the methods and prints the table.
func bench(ctx context.Context, c *console, s *benchSettings, out io.Writer) error {
	if err := usable(s.check()); err != nil {
		return err
	}
	names := s.instances()
	if len(names) == 0 {
		return usable(fmt.Errorf("no instance has %d to %d nodes in these classes and halves", s.MinN, s.MaxN))
	}
	m, err := newMeasurement(c, s, names)
	if err != nil {
		return err
	}
	return measureMethods(ctx, c, s.Methods, s.Search, m.measureAll, func(rows []benchRow) error {
		rows = append(paperRows(m.classes()), rows...)
		return errors.Join(printBench(out, s.Format, m.classes(), rows), savePicture(s.Plot, rows))
	})
}
