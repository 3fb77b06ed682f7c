package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/lab/bench"
)

func newBenchAlign() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "align [flags] [GRAPH...]",
		Short: "Align graphs with noisy copies of them",
		Long: `Align graphs of files, or generated ones, with copies that lost a share of their edges
and have their nodes in another order (the protocol of Skitsas and others, EDBT 2023: no
node loses its last edge), by several methods and other programs side by side. Shown are the edges that the true alignment shares, those
that the found one shares, the nodes that are right, and how many of the sure matches
are wrong.`,
		Example: `  rgm-lab bench align --removed 0.05,0.25 --time-limit 5s arenas.edges euroroad.edges
  rgm-lab bench align --against yeast15.edges yeast0.edges
  rgm-lab bench align --methods align,tabu,faq --peer "scipy=python3 lab/peers/faq.py" --format csv arenas.edges
  rgm-lab bench align --generate barabasi-albert --nodes 100000 --time-limit 60s --clock cpu`,
		RunE: settings.Merged(func(cmd *cobra.Command, s bench.AlignSettings, args []string) error {
			if err := settings.Usage(s.Check(args)); err != nil {
				return err
			}
			var rows []bench.AlignRow
			err := bench.Align(cmd.Context(), &s, args, func(r bench.AlignRow) error {
				if s.Format == report.JSON {
					return bench.PrintAlign(cmd.OutOrStdout(), s.Format, []bench.AlignRow{r})
				}
				rows = append(rows, r)
				return nil
			})
			if len(rows) > 0 { // those before an error too
				err = errors.Join(err, bench.PrintAlign(cmd.OutOrStdout(), s.Format, rows))
			}
			return err
		}),
	}
	flags := cmd.Flags()
	flags.String("generate", "", "in place of files a graph of a `model`: barabasi-albert, erdos-renyi, watts-strogatz, chung-lu, geometric")
	flags.Int("nodes", 1000, "of a generated graph")
	flags.Float64("degree", 10, "mean degree of a generated graph")
	flags.StringSlice("removed", []string{"0.05"}, "shares of edges that the copy loses")
	flags.Bool("replaced", false, "random edges come in the place of those removed, whether or not these are the last of a node")
	flags.Float64("gone", 0, "share of nodes that the copy loses")
	flags.String("against", "", "`file` in place of a noisy copy, with nodes of the same names or numbers")
	flags.Float64("known", 0, "share of nodes whose partners are known")
	flags.StringSlice("methods", []string{"align"}, "searches side by side: align, and with the edges as flows and distances tabu, population, anneal and faq, up to 3000 nodes")
	flags.StringArray("peer", nil, "`NAME=COMMAND` of another program beside them: it gets two files of edges as its last arguments and prints a node of each a line (lab/peers)")
	flags.StringSlice("starts", []string{bench.StartNone}, "what align has beside its own parts, each in a search of its own: none, bp, learned (asked where few edges are shared, as by rgm match)")
	flags.String("model", "", "`file` of the learned start (default the pretrained model)")
	flags.Int("seeds", 1, "copies of each graph and share")
	flags.Uint64("seed", 1, "of the first copy, and of the search")
	flags.Int("threads", 1, "cores of a search")
	flags.Duration("time-limit", 5*time.Second, "of each search; 0 for none")
	flags.Int("max-steps", 0, "trials of swaps of each search (default none)")
	flags.String("clock", bench.ClockWall, "what time limits and seconds are of: wall, or cpu (processor time)")
	flags.String("format", report.Table, "table, json (one pair a line), csv or markdown")
	settings.Complete(cmd, "generate", networks.Kinds()...)
	settings.Complete(cmd, "clock", bench.ClockWall, bench.ClockCPU)
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV, report.Markdown)
	return cmd
}
