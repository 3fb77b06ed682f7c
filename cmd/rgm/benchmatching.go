package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/qap"
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
	Inliers    int      `mapstructure:"inliers"`
	Regularize string   `mapstructure:"regularize"`
	Workers    int      `mapstructure:"workers"`
	Format     string   `mapstructure:"format"`
}

func newBenchMatching(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "matching",
		Short: "Measure methods on graph matching with outliers, beside published numbers",
		Long: `Measure methods on pairs of graphs whose true matching is known: precision, recall,
F1, the score over that of the truth, how often the optimum is reached, and the time
taken. The table has F1 by class (the share of optima where no truth is known); below
it stands how its numbers were made. All nodes are relabelled at random first.

The sets are:
` + describeMatchingSets() + `
docs/MATCHING.md describes them, and the folder that --data names.`,
		Example: `  rgm bench matching --set synthetic --methods sm,rrwm,ipfp
  rgm bench matching --set willow-outliers --data data --inliers 10 --format markdown`,
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
	flags.Int("inliers", 0, "keep so many matches; of a method that cannot, the weakest are released (default all)")
	flags.String("regularize", "none", "multiply the score of m matches by f(m), as rgm solve does: none, f1, f2, f3, mean or mean:`p`")
	flags.Int("workers", 1, "pairs solved at a time")
	flags.String("format", formatTable, "table, json (one row a line) or markdown")
	complete(cmd, "set", matchingSetNames()...)
	complete(cmd, "edges", edgeRules()...)
	complete(cmd, "regularize", "none", "f1", "f2", "f3", "mean")
	complete(cmd, "format", formatTable, formatJSON, formatMarkdown)
	return cmd
}

// check returns an error that lists everything the settings have wrong.
func (s *matchingSettings) check() error {
	regularizer, err := qap.ParseRegularizer(s.Regularize)
	if err != nil {
		err = fmt.Errorf("--regularize: %w", err)
	}
	errs := []error{
		err,
		s.Search.check(),
		oneOf("set", s.Set, matchingSetNames()...),
		oneOf("edges", s.Edges, append(edgeRules(), "")...),
		oneOf("format", s.Format, formatTable, formatJSON, formatMarkdown),
		atLeast(1, "pairs", s.Pairs),
		atLeast(1, "seeds", s.Seeds),
		atLeast(1, "workers", s.Workers),
		atLeast(0, "inliers", s.Inliers),
		checkMethods(s.Methods),
	}
	for _, method := range s.Methods {
		if !regularizer.None() && !isModelFile(method) && !keepsGoals(method) {
			errs = append(errs, fmt.Errorf("--regularize: the method %s cannot", method))
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
	searchers, err := newSearchers(ctx, c, s.Methods, s.Search)
	if err != nil {
		return err
	}
	rows, err := m.measureAll(ctx, searchers)
	c.endBar()
	if len(rows) > 0 { // what was finished before an error stays
		err = errors.Join(err, m.print(out, append(referenceRows(s), rows...)))
	}
	for _, s := range searchers {
		err = errors.Join(err, s.Close())
	}
	return err
}
