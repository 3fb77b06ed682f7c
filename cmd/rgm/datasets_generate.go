package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/bench"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/qap"
)

// generateSettings are the settings of rgm datasets generate.
type generateSettings struct {
	Name      string  `mapstructure:"name"`
	Inliers   int     `mapstructure:"inliers"`
	Outliers  int     `mapstructure:"outliers"`
	Noise     float64 `mapstructure:"noise"`
	Pairs     int     `mapstructure:"pairs"`
	PerTruth  int     `mapstructure:"per-truth"`
	Edges     string  `mapstructure:"edges"`
	Length    float64 `mapstructure:"length"`
	Direction float64 `mapstructure:"direction"`
	Relative  bool    `mapstructure:"relative"`
	Seed      uint64  `mapstructure:"seed"`
}

func newGenerate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate FOLDER",
		Short: "Generate pairs of points whose true matching is known",
		Long: `Generate pairs of points by the paper's protocol: inliers in the unit square, each
coordinate scaled by a factor in 1-noise..1+noise in graph 2, outliers in both graphs;
all nodes relabelled at random. The folder gets the .npy stacks

  NAME_P1.npy, NAME_P2.npy   points (pairs, nodes, 2)
  NAME_X.npy                 true matchings as 0/1 matrices (pairs, nodes, nodes)
  NAME_A.npy                 affinity matrices (pairs, nodes², nodes²), for rgm solve

and NAME_recipe.toml, the settings, which --config reads.`,
		Example: `  rgm datasets generate --outliers 3 --pairs 50 points && rgm solve --method rrwm points/synthetic_A.npy`,
		Args:    settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s generateSettings, args []string) error {
			return generate(cmd.Context(), args[0], &s)
		}),
	}
	flags := cmd.Flags()
	flags.String("name", "synthetic", "what the files' names begin with")
	flags.Int("inliers", 10, "nodes of both graphs that match")
	flags.Int("outliers", 0, "further nodes of each graph")
	flags.Float64("noise", 0.1, "noise of the coordinates, the paper's δ, 0..1")
	flags.Int("pairs", 200, "pairs of graphs")
	flags.Int("per-truth", 1, "pairs that share their true points (the paper has 300)")
	flags.String("edges", graphs.Complete.String(), "complete or delaunay")
	flags.Float64("length", graphs.PaperSynthetic.Length, "width of squared differences of length, the paper's σ₁")
	flags.Float64("direction", 0, "width of squared differences of direction in rad² (default directions do not count)")
	flags.Bool("relative", false, "lengths in units of the mean distance of two nodes")
	flags.Uint64("seed", 0, "every random choice comes from it")
	settings.Complete(cmd, "edges", bench.EdgeRules()...)
	return cmd
}

// source returns what makes the pairs.
func (s *generateSettings) source() (pairs.Synthetic, error) {
	edges, err := graphs.ParseEdgeRule(s.Edges)
	source := pairs.Synthetic{
		Inliers: s.Inliers, Outliers: s.Outliers, Noise: s.Noise, Count: s.Pairs, PerTruth: s.PerTruth, Seed: s.Seed,
		Affinity: graphs.Geometric{Edges: edges, Length: s.Length, Direction: s.Direction, Relative: s.Relative},
	}
	return source, errors.Join(err, settings.AtLeast(1, "pairs", s.Pairs), settings.AtLeast(1, "per-truth", s.PerTruth))
}

// generatePairs returns the pairs of a set, unless the context ends.
func generatePairs(ctx context.Context, set pairs.Set) ([]pairs.Pair, error) {
	var all []pairs.Pair
	for p, err := range set.Pairs {
		if err != nil {
			return nil, settings.Usage(err)
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("interrupted after %d pairs; nothing is written", len(all))
		}
		all = append(all, p)
	}
	return all, nil
}

// writerUntil writes until the context ends.
type writerUntil struct {
	ctx context.Context
	io.Writer
}

func (w writerUntil) Write(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, errors.New("interrupted")
	}
	return w.Writer.Write(b)
}

// generate writes the files of a set into a folder, which it makes.
func generate(ctx context.Context, folder string, s *generateSettings) error {
	source, err := s.source()
	if err := settings.Usage(err); err != nil {
		return err
	}
	all, err := generatePairs(ctx, pairs.Relabelled(source.Set(), s.Seed))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	write := func(ending string, write func(io.Writer) error) {
		if err == nil {
			err = atomicfile.Write(filepath.Join(folder, s.Name+ending), func(w io.Writer) error { return write(writerUntil{ctx, w}) })
		}
	}
	array := func(a datasets.Array) func(io.Writer) error {
		return func(w io.Writer) error { return datasets.WriteArray(w, a) }
	}
	points1, points2, truths := pairs.Stacks(all)
	write("_P1.npy", array(points1))
	write("_P2.npy", array(points2))
	write("_X.npy", array(truths))
	write("_A.npy", func(w io.Writer) error {
		var instances []*qap.Instance
		for _, p := range all {
			instances = append(instances, p.Instance)
		}
		return datasets.WriteNPY(w, instances...)
	})
	write("_recipe.toml", func(w io.Writer) error { return settings.Write(w, *s) })
	return err
}
