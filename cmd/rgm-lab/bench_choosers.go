package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm-lab/internal/bench"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/report"
	"github.com/rgm-go/rgm/internal/cli/settings"
)

func newBenchChoosers(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "choosers [INSTANCE...]",
		Short: "Measure how --method auto divides its time among searches",
		Long: `Record what each search of --method auto brings to instances, and replay every chooser on
the same recordings: mean log-gap (the logarithm to base 10 of the gap in percent + 0.01)
and mean rank, with standard errors over the instances, and the log-gap less that of the
first chooser. Times are counted in swaps, at what those of each search cost, so that a
busy machine changes nothing. The oracle takes the search that is best in hindsight.`,
		Example: `  rgm-lab bench choosers --families mapping,backboard --choosers learned,rule,luby
  rgm-lab bench choosers --times 100ms,1s --seeds 2 nug30 tai30a ste36a`,
		RunE: settings.Merged(func(cmd *cobra.Command, s bench.ChoosersSettings, args []string) error {
			if err := settings.Usage(s.Check()); err != nil {
				return err
			}
			rows, err := bench.Choosers(cmd.Context(), c, &s, args)
			if err != nil {
				return err
			}
			return bench.PrintChoosers(cmd.OutOrStdout(), s.Format, rows)
		}),
	}
	flags := cmd.Flags()
	flags.StringSlice("choosers", bench.ChooserNames(), "choosers to compare, or .onnx files of rgm train selector")
	flags.StringSlice("families", nil, "generated instances beside those of files, of "+strings.Join(datasets.Families(), ", "))
	flags.IntSlice("sizes", []int{30, 60, 100}, "nodes of the generated ones")
	flags.Int("count", 4, "how many of each family and size")
	flags.String("best-known", "", "JSON `file` of objectives by the names of instances (default those of QAPLIB, else the best of all that is recorded)")
	flags.StringSlice("times", []string{"100ms", "1s"}, "durations, in swaps of a core with AVX-512, after which gaps are measured")
	flags.Int("seeds", 1, "searches of each instance, with the seeds 0, 1, …")
	flags.String("recordings", "", "`file` of what is recorded, read where it is there, to measure other choosers on the same")
	flags.String("format", report.Table, "table, json (one row a line), csv or markdown")
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV, report.Markdown)
	return cmd
}
