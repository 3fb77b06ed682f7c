package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/cmd/rgm/internal/training"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train/soft"
)

func newTrainNGM(c *console.Console) *cobra.Command {
	return newTrainSoft(c, models.ArchitectureNGM, `"Neural graph matching
network" (Wang, Yan, Yang, TPAMI 2021)`)
}

func newTrainLCS(c *console.Console) *cobra.Command {
	return newTrainSoft(c, models.ArchitectureLCS, `"Learning combinatorial
solver for graph matching" (Wang, Liu, Li, Jin, Hou, Ling, CVPR 2020)`)
}

// newTrainSoft returns the verb that trains networks of an architecture, which is its name.
func newTrainSoft(c *console.Console, architecture, after string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   architecture,
		Short: "Train a network that gives soft matchings",
		Long: fmt.Sprintf(`Train a network that matches graphs in one evaluation, after %[2]s, and write into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and how good it is on other instances
  model.onnx     the network, for rgm solve --method %[1]s --model FILE
  %[1]s.rgm        the whole training, for --resume

--loss truth learns from generated pairs of graphs whose true matching is known, --loss
objective from generated assignment problems, by the objective of its own soft matching.
A run that ends early, by a signal, leaves a checkpoint.`, architecture, after),
		Example: fmt.Sprintf(`  rgm train %[1]s --out runs/%[1]s
  rgm solve --method %[1]s --model runs/%[1]s/model.onnx pairs.npy`, architecture),
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.SoftSettings, _ []string) error {
			s.Config.Architecture = architecture
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(cmd.Flags().Changed)); err != nil {
				return err
			}
			return training.Soft(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := soft.Default(architecture)
	flags := cmd.Flags()
	flags.String("out", filepath.Join("runs", architecture), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", d.Seed, "every random choice comes from it")
	flags.String("loss", d.Loss, "what is learned from: truth or objective")
	flags.Int("hidden", d.Hidden, "width of the embeddings")
	flags.Int("layers", d.Layers, "layers of the network; lcs: rounds of its one layer")
	flags.Int("least-nodes", d.LeastNodes, "least nodes of the larger graph")
	flags.Int("most-nodes", d.MostNodes, "most nodes of it")
	flags.Int("batch", d.Batch, "instances of an update, drawn anew for each")
	flags.Int("updates", d.Updates, "updates")
	flags.Int("validation-pairs", d.ValidationPairs, "other instances, to measure on")
	flags.Float64("learning-rate", d.LearningRate, "at the start; it falls to 0")
	settings.Complete(cmd, "loss", soft.LossTruth, soft.LossObjective)
	return cmd
}
