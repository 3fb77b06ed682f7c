package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

func newBenchMatching(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "matching",
		Short: "Measure methods on graph matching with outliers, beside published numbers",
		Long: `Measure methods on pairs of graphs whose true matching is known: precision, recall,
F1, the score over that of the truth, how often the optimum is reached, and the time
taken. The table has F1 by class (the share of optima where no truth is known); below
it stands how its numbers were made. All nodes are relabelled at random first.

--inliers, --regularize and --fix take several values, ranges of counts too: every
method has a row for each combination. --scatter compares scores with F1, a point for
every result, of the method profile for the best matching of every size.

The sets are:
` + bench.DescribeMatchingSets() + `
lab/notes/MATCHING_RESULTS.md describes them, and the folder that --data names.`,
		Example: `  rgm-lab bench matching --set synthetic --methods sm,rrwm,ipfp
  rgm-lab bench matching --set willow-outliers --data data --inliers 10 --format markdown
  rgm-lab bench matching --set willow-outliers --data data --methods profile --inliers 8..13 --regularize none,f1
  rgm-lab bench matching --methods profile,greedy-tabu --fix 0..5
  rgm-lab bench matching --methods profile --scatter scores.png,scores.csv --discrepancy`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s bench.MatchingSettings, _ []string) error {
			return benchMatching(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	addSearchFlags(cmd, "affinity", "revocable")
	flags := cmd.Flags()
	flags.String("set", "synthetic", "data set to match, by its `name` in the list above (in rgm train --set key=value sets hyper-parameters)")
	flags.String("data", "", "`folder` of the sets that are not generated")
	flags.Int("pairs", 200, "generated pairs of each class; of the sets in files at most so many (Willow)")
	flags.String("edges", "", "graphs of points: complete or delaunay (default from the set)")
	flags.StringSlice("nodes", nil, "of --set sizes, `counts` of nodes (default 20,50,100,200,500,1000)")
	flags.StringSlice("methods", []string{"sm", "rrwm", "ipfp", search.MethodGreedy, search.MethodGreedyTabu}, "methods of rgm solve, or models: pretrained ones or .onnx files")
	flags.Int("seeds", 1, "runs of each pair, with the seeds 0, 1, … of relabelling and search")
	flags.Bool("complete", false, "match min(n1,n2) nodes")
	flags.StringSlice("inliers", nil, "keep so many matches, `counts` such as 10 or 8..13, 0 for any number; of a method that cannot, the weakest are released (default any number)")
	flags.StringSlice("regularize", []string{"none"}, "multiply the score of m matches by f(m), as rgm solve does: none, f1, f2, f3, mean, mean:p or null")
	flags.StringSlice("affinities", nil, "several `values` of --affinity, a row each; those besides given are not regularised")
	flags.StringSlice("fix", nil, "give so many of the true matches as seeds, `counts` such as 3 or 0..5 (default none)")
	flags.StringSlice("scatter", nil, "`files` that show scores against F1: pictures .svg or .png, the data .csv")
	flags.Bool("discrepancy", false, "below the table, the results by their score over that of the truth, and their F1")
	flags.Int("workers", 1, "pairs solved at a time")
	flags.String("clock", bench.ClockWall, "what times and time limits are of: wall, or cpu, the program's processor time, which other programs do not slow")
	flags.String("format", report.Table, "table, json (one row a line), csv (one row and class a line) or markdown")
	settings.Complete(cmd, "set", bench.MatchingSetNames()...)
	settings.Complete(cmd, "clock", bench.ClockWall, bench.ClockCPU)
	settings.Complete(cmd, "edges", bench.EdgeRules()...)
	settings.Complete(cmd, "regularize", "none", "f1", "f2", "f3", "mean", "null")
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV, report.Markdown)
	return cmd
}

// benchMatching measures the methods and prints the table.
func benchMatching(ctx context.Context, c *console.Console, s *bench.MatchingSettings, out io.Writer) error {
	if err := settings.Usage(s.Check()); err != nil {
		return err
	}
	m, err := bench.NewMatching(c, s)
	if err != nil {
		return err
	}
	return m.Run(ctx, func(rows []bench.MatchingRow) error {
		return errors.Join(m.Print(out, append(m.ReferenceRows(), rows...)), plots.SaveScatter(s.Scatter, m.Points))
	})
}
