package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// matchingSettings are the settings of rgm bench matching.
type matchingSettings struct {
	Search searchSettings `mapstructure:",squash"`

	Set        string   `mapstructure:"set"`
	Data       string   `mapstructure:"data"`
	Pairs      int      `mapstructure:"pairs"`
	Edges      string   `mapstructure:"edges"`
	Methods    []string `mapstructure:"methods"`
	Seeds      int      `mapstructure:"seeds"`
	Complete   bool     `mapstructure:"complete"`
	Revocable  bool     `mapstructure:"revocable"`
	Inliers    []string `mapstructure:"inliers"` // counts
	Regularize []string `mapstructure:"regularize"`
	Fix        []string `mapstructure:"fix"` // counts
	Scatter    []string `mapstructure:"scatter"`
	Workers    int      `mapstructure:"workers"`
	Format     string   `mapstructure:"format"`

	Discrepancy bool `mapstructure:"discrepancy"`
}

func newBenchMatching(c *console) *cobra.Command {
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
` + describeMatchingSets() + `
docs/MATCHING.md describes them, and the folder that --data names.`,
		Example: `  rgm bench matching --set synthetic --methods sm,rrwm,ipfp
  rgm bench matching --set willow-outliers --data data --inliers 10 --format markdown
  rgm bench matching --set willow-outliers --data data --methods profile --inliers 8..13 --regularize none,f1
  rgm bench matching --methods profile,greedy-tabu --fix 0..5
  rgm bench matching --methods profile --scatter scores.png,scores.csv --discrepancy`,
		Args: arguments(cobra.NoArgs),
		RunE: withSettings(func(cmd *cobra.Command, s matchingSettings, _ []string) error {
			return benchMatching(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	addSearchFlags(cmd)
	flags := cmd.Flags()
	flags.String("set", "synthetic", "what is matched")
	flags.String("data", "", "`folder` of the sets that are not generated")
	flags.Int("pairs", 200, "generated pairs of each class")
	flags.String("edges", "", "graphs of points: complete or delaunay (default from the set)")
	flags.StringSlice("methods", []string{"sm", "rrwm", "ipfp", methodGreedy, methodGreedyTabu}, "methods of rgm solve, or .onnx files")
	flags.Int("seeds", 1, "runs of each pair, with the seeds 0, 1, … of relabelling and search")
	flags.Bool("complete", false, "match min(n1,n2) nodes")
	flags.Bool("revocable", true, "let actions release matches; =false is the paper's \"w/o rev.\"")
	flags.StringSlice("inliers", nil, "keep so many matches, `counts` such as 10 or 8..13, 0 for any number; of a method that cannot, the weakest are released (default any number)")
	flags.StringSlice("regularize", []string{"none"}, "multiply the score of m matches by f(m), as rgm solve does: none, f1, f2, f3, mean or mean:`p`")
	flags.StringSlice("fix", nil, "give so many of the true matches as seeds, `counts` such as 3 or 0..5 (default none)")
	flags.StringSlice("scatter", nil, "`files` that show scores against F1: pictures .svg or .png, the data .csv")
	flags.Bool("discrepancy", false, "below the table, the results by their score over that of the truth, and their F1")
	flags.Int("workers", 1, "pairs solved at a time")
	flags.String("format", formatTable, "table, json (one row a line), csv (one row and class a line) or markdown")
	complete(cmd, "set", matchingSetNames()...)
	complete(cmd, "edges", edgeRules()...)
	complete(cmd, "regularize", "none", "f1", "f2", "f3", "mean")
	complete(cmd, "format", formatTable, formatJSON, formatCSV, formatMarkdown)
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *matchingSettings) check() error {
	goals, err := s.goals()
	errs := []error{
		err,
		s.Search.check(),
		oneOf("set", s.Set, matchingSetNames()...),
		oneOf("edges", s.Edges, append(edgeRules(), "")...),
		oneOf("format", s.Format, formatTable, formatJSON, formatCSV, formatMarkdown),
		atLeast(1, "pairs", s.Pairs),
		atLeast(1, "seeds", s.Seeds),
		atLeast(1, "workers", s.Workers),
		checkScatter(s.Scatter),
		checkMethods(s.Methods),
	}
	for _, method := range s.Methods {
		if slices.ContainsFunc(goals, matchingGoal.needsGoals) && !isModelFile(method) && !keepsGoals(method) {
			errs = append(errs, fmt.Errorf("--regularize, --fix: the method %s cannot", method))
		}
		if !s.Revocable && !isModelFile(method) && !stepsFreely(method) {
			errs = append(errs, fmt.Errorf("--revocable=false: the method %s takes no steps in the environment", method))
		}
	}
	if set, ok := findMatchingSet(s.Set); ok {
		if set.folder != "" && s.Data == "" {
			errs = append(errs, fmt.Errorf("--set %s needs --data: the folder that holds %s (docs/MATCHING.md)", s.Set, set.folder))
		}
		if set.edgesFixed && s.Edges != "" {
			errs = append(errs, fmt.Errorf("--edges: the affinities of --set %s are given", s.Set))
		}
	}
	return errors.Join(errs...)
}

// benchMatching measures the methods and prints the table.
func benchMatching(ctx context.Context, c *console, s *matchingSettings, out io.Writer) error {
	if err := usable(s.check()); err != nil {
		return err
	}
	m, err := newMatchingMeasurement(c, s)
	if err != nil {
		return err
	}
	return measureMethods(ctx, c, s.Methods, s.Search, m.measureAll, func(rows []matchingRow) error {
		return errors.Join(m.print(out, append(m.referenceRows(), rows...)), saveScatter(s.Scatter, m.points))
	})
}
