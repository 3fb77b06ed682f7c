package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/lab/bench"
)

func newBenchDistance() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "distance [flags] PAIRS.jsonl...",
		Short: "Measure edit distances of pairs whose best is known",
		Long: `Measure edit distances of pairs whose best known distance a file has, a pair a line
(lab/notes/DISTANCE.md; rgm datasets generate --family edits writes such). Shown are how
often the best is reached, by how much edits cost more, how far lower bounds are below
it, the pairs that are proved, and the time of a pair. Costs are recomputed from the
edits; a claim that the best known contradicts is an error.`,
		Example: `  rgm-lab bench distance --time-limits 10ms,100ms,1s near_pairs.jsonl
  rgm-lab bench distance --by nodes --peer "networkx=python3 lab/peers/distances.py networkx" near_pairs.jsonl`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s bench.DistanceSettings, args []string) error {
			if err := settings.Usage(s.Check()); err != nil {
				return err
			}
			var claims []bench.DistanceClaim
			err := bench.Distance(cmd.Context(), &s, args, func(c bench.DistanceClaim) error {
				if s.Format == report.JSON {
					return s.PrintDistance(cmd.OutOrStdout(), []bench.DistanceClaim{c})
				}
				claims = append(claims, c)
				return nil
			})
			if len(claims) > 0 { // those before an error too
				err = errors.Join(err, s.PrintDistance(cmd.OutOrStdout(), claims))
			}
			return err
		}),
	}
	flags := cmd.Flags()
	flags.StringSlice("time-limits", []string{"1s"}, "of a pair, each `limit` in its own rows; 0 for none")
	flags.Int("max-steps", 0, "steps of a pair (default none)")
	flags.Int("pairs", 0, "of each row at most so many, the first (default all)")
	flags.String("by", bench.ByBin, "what rows are: bin, as the file has it, or nodes of the larger graph")
	flags.StringArray("peer", nil, "`NAME=COMMAND` of another program beside them: it reads pairs, has the limit in seconds as its last argument, and prints claims (lab/peers)")
	flags.Uint64("seed", 0, "of the searches")
	flags.String("clock", bench.ClockWall, "what the time limits and seconds of rgm are of: wall, or cpu (processor time); peers tell their own")
	flags.String("format", report.Table, "table, json (one claim a line), csv or markdown")
	settings.Complete(cmd, "by", bench.ByBin, bench.ByNodes)
	settings.Complete(cmd, "clock", bench.ClockWall, bench.ClockCPU)
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV, report.Markdown)
	return cmd
}
