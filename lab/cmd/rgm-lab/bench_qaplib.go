package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

func newBenchQAPLIB(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "qaplib",
		Short: "Measure methods on QAPLIB, beside the paper's numbers",
		Long: `Measure methods on QAPLIB: the mean gap to the best known values of each class, its
average over the classes, and the time taken, in the paper's table with the rows
that the paper prints (over all sizes, whichever are measured), and below each the
least and the largest gap. A method may also be a model file, so that two models can
be compared. Times are comparable with --workers 1, and time limits on a busy machine
with --clock cpu.

--time-limits measures every method under several time limits, and --plot draws the
average gap of each against the time.`,
		Example: `  rgm-lab bench qaplib --time-limit 1s --seeds 4
  rgm-lab bench qaplib --classes nug,tai --methods rgm,tabu,./other.onnx
  rgm-lab bench qaplib --time-limits 10ms,100ms,1s --plot frontier.svg
  rgm-lab bench qaplib --min-n 100 --max-n 256 --time-limit 10s --methods tabu
  rgm-lab bench qaplib --methods auto --time-limit 10ms --peer "faq=python3 lab/peers/qap.py faq"`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s bench.QAPLIBSettings, _ []string) error {
			return benchQAPLIB(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	addSearchFlags(cmd, "revocable")
	flags := cmd.Flags()
	flags.StringSlice("classes", nil, "classes of instances (default the paper's 14)")
	flags.Int("min-n", 12, "least number of nodes")
	flags.Int("max-n", 64, "largest number of nodes")
	flags.String("half", bench.HalfBoth, "of each class: smaller (that of the preset qaplib), larger (the rest), or both")
	flags.StringSlice("methods", []string{search.MethodRGM, search.MethodGreedy, search.MethodGreedyTabu, rgm.MethodGreedyAges, rgm.MethodTabu}, "methods of rgm solve, or models: pretrained ones or .onnx files")
	flags.StringArray("peer", nil, "`NAME=COMMAND` of another program beside them: it gets a seed and .dat files as its last arguments and prints a matching of each (lab/peers)")
	flags.StringSlice("time-limits", nil, "durations, in place of --time-limit: every method is measured under each")
	flags.String("clock", bench.ClockWall, "what time limits are of: wall, or cpu, the program's processor time, which other programs do not slow")
	flags.String("plot", "", "`file`, .svg or .png, for a picture of the average gap against the time")
	flags.Int("seeds", 1, "runs of each instance, with the seeds 0, 1, …")
	flags.Int("workers", 1, "instances solved at a time")
	flags.String("format", report.Table, "table, json (one row a line), csv or markdown")
	settings.Complete(cmd, "clock", bench.ClockWall, bench.ClockCPU)
	settings.Complete(cmd, "half", bench.HalfBoth, bench.HalfSmaller, bench.HalfLarger)
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV, report.Markdown)
	return cmd
}

// benchQAPLIB measures the methods and prints the table.
func benchQAPLIB(ctx context.Context, c *console.Console, s *bench.QAPLIBSettings, out io.Writer) error {
	if err := settings.Usage(s.Check()); err != nil {
		return err
	}
	names := s.Instances()
	if len(names) == 0 {
		return settings.Usage(fmt.Errorf("no instance has %d to %d nodes in these classes and halves", s.MinN, s.MaxN))
	}
	m, err := bench.NewQAPLIB(c, s, names)
	if err != nil {
		return err
	}
	measure := func(ctx context.Context, searchers []*search.Searcher) ([]bench.QAPLIBRow, error) {
		rows, err := m.MeasureAll(ctx, searchers)
		if err != nil {
			return rows, err
		}
		peers, err := m.MeasurePeers(ctx)
		return append(rows, peers...), err
	}
	return bench.Methods(ctx, c, s.Methods, s.Search, measure, func(rows []bench.QAPLIBRow) error {
		rows = append(bench.PaperRows(m.Classes()), rows...)
		return errors.Join(bench.PrintQAPLIB(out, s.Format, m.Classes(), rows), plots.SavePicture(s.Plot, rows))
	})
}
