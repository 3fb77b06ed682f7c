package verbs

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/graphpairs"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/edited"
	"github.com/rgm-go/rgm/datasets/graphs"
)

func newGenerate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate FOLDER",
		Short: "Generate pairs of points whose true matching is known, or of graphs whose edits are",
		Long: `Generate pairs of points by the paper's protocol: inliers in the unit square, each
coordinate scaled by a factor in 1-noise..1+noise in graph 2, outliers in both graphs;
all nodes relabelled at random. With --keypoints the inliers are those of two images of a
category. The folder gets the .npy stacks

  NAME_P1.npy, NAME_P2.npy   points (pairs, nodes, 2)
  NAME_X.npy                 true matchings as 0/1 matrices (pairs, nodes, nodes)
  NAME_A.npy                 affinity matrices (pairs, nodes², nodes²), for rgm solve

and NAME_recipe.toml, the settings, which --config reads.

--family edits writes graphs, and copies of them that so many edits have changed, whose
nodes have another order: two files .json of each pair, for rgm distance;
NAME_pairs.csv, what their distance is at most where each edit costs 1, and the files
.known of the map of the nodes, for rgm train affinity; and NAME_pairs.jsonl, the pairs
with the map, a pair a line.`,
		Example: `  rgm datasets generate --outliers 3 --pairs 50 points && rgm solve --method rrwm points/synthetic_A.npy
  rgm datasets generate --family edits --kinds molecules,plain --nodes 10,20 --edits 5 --pairs 50 --name near graphs`,
		Args: settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s graphpairs.Generated, args []string) error {
			foreign := graphpairs.OfEdits()
			if s.Family == graphpairs.FamilyEdits {
				foreign = graphpairs.OfPoints()
			}
			for _, name := range foreign {
				if cmd.Flags().Changed(name) {
					return settings.Usage(fmt.Errorf("--%s: it is for the other family than --family %s", name, s.Family))
				}
			}
			return s.Write(cmd.Context(), args[0])
		}),
	}
	flags := cmd.Flags()
	flags.String("family", graphpairs.FamilyPoints, "points, or edits: graphs and copies of them that edits have changed")
	flags.StringSlice("kinds", edited.Kinds()[:1], "of --family edits, some of "+strings.Join(edited.Kinds(), ", "))
	flags.IntSlice("nodes", []int{12}, "of --family edits, nodes of the graphs")
	flags.Int("edits", 4, "of --family edits, how many of a pair, at most one a node")
	flags.String("name", "synthetic", "what the files' names begin with")
	flags.Int("inliers", 10, "nodes of both graphs that match")
	flags.Int("outliers", 0, "further nodes of each graph")
	flags.Float64("noise", 0.1, "noise of the coordinates, the paper's δ, 0..1")
	flags.Int("pairs", 200, "pairs of graphs; of --family edits so many of each kind and count of nodes")
	flags.Int("per-truth", 1, "pairs that share their true points (the paper has 300)")
	flags.String("edges", graphs.Complete.String(), "complete or delaunay")
	flags.Float64("length", affinities.PaperSynthetic.Length, "width of squared differences of length, the paper's σ₁")
	flags.Float64("direction", 0, "width of squared differences of direction in rad² (default directions do not count)")
	flags.Bool("relative", false, "lengths in units of the mean distance of two nodes")
	flags.String("keypoints", "", "`file` .npy of the keypoints of a category's images (images, n, 2): pairs are of two of its images, in place of generated inliers")
	flags.Float64("frame", 256, "side of the images of --keypoints, in which outliers are drawn")
	AddSeedFlag(cmd)
	settings.AddForceFlag(cmd)
	settings.Complete(cmd, "family", graphpairs.FamilyPoints, graphpairs.FamilyEdits)
	settings.Complete(cmd, "kinds", edited.Kinds()...)
	settings.Complete(cmd, "edges", graphs.Complete.String(), graphs.Delaunay.String())
	return cmd
}
