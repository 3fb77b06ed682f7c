package verbs

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// featuredSettings are the settings of rgm datasets affinity.
type featuredSettings struct {
	NodeWidth float64 `mapstructure:"node-width"`
	EdgeWidth float64 `mapstructure:"edge-width"`
	Force     bool    `mapstructure:"force"`
}

func newFeaturedAffinity() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "affinity GRAPH1 GRAPH2 OUT",
		Short: "Build an affinity matrix from the features of nodes and edges",
		Long: `Build the affinity matrix of two graphs, exp(-|u-v|²/width) for feature vectors u and v
of two nodes or two edges, and write it as .npy or .dd. A GRAPH is a folder with

  edges.npy           the two nodes of each edge, both ways where it has no direction (e, 2)
  edge_features.npy   (e, c)
  nodes.npy           features of nodes (n, d); without it node affinities are 0`,
		Example: `  rgm datasets affinity image1 image2 k.npy && rgm solve --n1 8 --n2 10 k.npy`,
		Args:    settings.Arguments(cobra.ExactArgs(3)),
		RunE: settings.Merged(func(_ *cobra.Command, s featuredSettings, args []string) error {
			if err := settings.Usage(settings.CheckNew(s.Force, args[2])); err != nil {
				return err
			}
			return writeFeaturedAffinity(graphs.Gaussian{Node: s.NodeWidth, Edge: s.EdgeWidth}, args[0], args[1], args[2])
		}),
	}
	settings.AddForceFlag(cmd)
	flags := cmd.Flags()
	flags.Float64("node-width", 1, "width of squared distances of node features")
	flags.Float64("edge-width", 1, "width of squared distances of edge features")
	return cmd
}

func writeFeaturedAffinity(kernel graphs.Gaussian, folder1, folder2, out string) error {
	write, err := datasets.Writer(out)
	if err != nil {
		return settings.Usage(err)
	}
	graph1, err1 := graphs.ReadFeatured(folder1)
	graph2, err2 := graphs.ReadFeatured(folder2)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	in, err := kernel.Instance(graph1, graph2)
	if err != nil {
		return err
	}
	return atomicfile.Write(out, func(w io.Writer) error { return write(w, in) })
}
