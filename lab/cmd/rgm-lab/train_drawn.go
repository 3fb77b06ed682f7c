package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/lab/research/drawn"
	"github.com/rgm-go/rgm/lab/research/lcs"
	"github.com/rgm-go/rgm/lab/research/ngm"
	"github.com/rgm-go/rgm/lab/research/rewriter"
)

func newTrainNGM(c *console.Console) *cobra.Command {
	return newTrainSoft(c, ngm.Name, `"Neural graph matching
network" (Wang, Yan, Yang, TPAMI 2021)`)
}

func newTrainLCS(c *console.Console) *cobra.Command {
	return newTrainSoft(c, lcs.Name, `"Learning combinatorial
solver for graph matching" (Wang, Liu, Li, Jin, Hou, Ling, CVPR 2020)`)
}

// newTrainSoft returns the verb that trains networks which give soft matchings, of an
// architecture, which is its name.
func newTrainSoft(c *console.Console, architecture, after string) *cobra.Command {
	cmd := newTrainDrawn(c, architecture, architecture)
	cmd.Short = "Train a network that gives soft matchings"
	cmd.Long = fmt.Sprintf(`Train a network that matches graphs in one evaluation, after %[2]s, and write into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and how good it is on other instances
  model.onnx     the network, for rgm-lab solve --method %[1]s --model FILE
  %[1]s.rgm        the whole training, for --resume

--loss truth learns from generated pairs of graphs whose true matching is known, --loss
objective from generated assignment problems, by the objective of its own soft matching.
A run that ends early, by a signal, leaves a checkpoint.`, architecture, after)
	cmd.Example = fmt.Sprintf(`  rgm-lab train %[1]s --out runs/%[1]s
  rgm-lab solve --method %[1]s --model runs/%[1]s/model.onnx pairs.npy`, architecture)
	d := drawn.Default(architecture)
	cmd.Flags().String("loss", d.Loss, "what is learned from: truth or objective")
	cmd.Flags().Int("layers", d.Layers, "layers of the network; lcs: rounds of its one layer")
	settings.Complete(cmd, "loss", drawn.LossTruth, drawn.LossObjective)
	return cmd
}

func newTrainRewrite(c *console.Console) *cobra.Command {
	cmd := newTrainDrawn(c, "rewrite", rewriter.Name)
	cmd.Short = "Train the pickers of local rewriting"
	cmd.Long = `Train a network that picks what local rewriting changes of a matching, a node and then its
next partner, after "Learning to perform local rewriting for combinatorial optimization"
(Chen, Tian, NeurIPS 2019), on generated pairs of graphs and assignment problems, and write
into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and how it compares with greedy rewriting on other instances
  model.onnx     the network, for rgm-lab solve --refine FILE
  rewriter.rgm   the whole training, for --resume

A run that ends early, by a signal, leaves a checkpoint.`
	cmd.Example = `  rgm-lab train rewrite --out runs/rewrite
  rgm-lab solve --method rrwm --refine runs/rewrite/model.onnx pairs.npy`
	return cmd
}

// newTrainDrawn returns a verb that trains networks of an architecture.
func newTrainDrawn(c *console.Console, name, architecture string) *cobra.Command {
	d := drawn.Default(architecture)
	cmd := &cobra.Command{
		Use:  name,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.Settings[drawn.Config], _ []string) error {
			s.Config.Architecture = architecture
			if architecture == rewriter.Name { // which has no choice of these
				s.Config.Loss, s.Config.Layers = d.Loss, d.Layers
			}
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(drawn.CheckpointFile(architecture), cmd.Flags().Changed)); err != nil {
				return err
			}
			return trainDrawn(cmd.Context(), c, name, &s, cmd.OutOrStdout())
		}),
	}
	flags := cmd.Flags()
	flags.StringP("out", "o", filepath.Join("runs", name), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", d.Seed, "seed of all random choices")
	flags.Int("hidden", d.Hidden, "width of the network")
	flags.Int("least-nodes", d.LeastNodes, "least nodes of the larger graph")
	flags.Int("most-nodes", d.MostNodes, "most nodes of it")
	flags.Int("batch", d.Batch, "instances of an update, drawn anew for each")
	flags.Int("updates", d.Updates, "updates")
	flags.Int("validation-pairs", d.ValidationPairs, "other instances, to measure on")
	flags.Float64("learning-rate", d.LearningRate, "at the start; it falls to 0")
	return cmd
}
