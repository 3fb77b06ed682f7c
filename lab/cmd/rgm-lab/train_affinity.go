package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/train/affinity"
)

func newTrainAffinity(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "affinity",
		Short: "Train a learned affinity",
		Long: `Train a network that re-weighs affinities against outliers, on generated pairs of
graphs whose true matching is known, and write into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and mean F1 on other generated pairs
  affinity.onnx  the network, for rgm solve --affinity FILE
  affinity.rgm   the whole training, for --resume

A run that ends early, by a signal, leaves a checkpoint.`,
		Example: `  rgm-lab train affinity --out runs/affinity
  rgm solve --affinity runs/affinity/affinity.onnx --method profile pairs.npy`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.Settings[affinity.Config], _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(affinity.CheckpointFile, cmd.Flags().Changed)); err != nil {
				return err
			}
			return trainAffinity(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := affinity.Default()
	flags := cmd.Flags()
	flags.StringP("out", "o", filepath.Join("runs", "affinity"), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", d.Seed, "seed of all random choices")
	flags.Int("width", d.Width, "width of the hidden layers")
	flags.Int("least-nodes", d.LeastNodes, "least nodes of the larger graph of a pair")
	flags.Int("most-nodes", d.MostNodes, "most nodes of it, but for a fifth of the pairs")
	flags.Int("largest-nodes", d.LargestNodes, "most nodes of these")
	flags.Int("pairs", d.Pairs, "generated pairs to learn from what an affinity is worth")
	flags.Int("size-pairs", d.SizePairs, "others, to learn from how many matches to make")
	flags.Int("validation-pairs", d.ValidationPairs, "others, to measure both on")
	flags.Int("updates", d.Updates, "updates of the first part")
	flags.Int("size-updates", d.SizeUpdates, "updates of the second part")
	flags.Float64("learning-rate", d.LearningRate, "at the start of both parts; it falls to 0")
	flags.Float64("size-decay", d.SizeDecay, "weight decay of the second part, times the learning rate")
	return cmd
}

// trainAffinity trains learned affinities.
func trainAffinity(ctx context.Context, c *console.Console, s *training.Settings[affinity.Config], out io.Writer) error {
	return training.Learn(ctx, c, s, training.Kind[*affinity.Trainer]{
		Command: "rgm-lab train affinity", Checkpoint: affinity.CheckpointFile, Model: "affinity.onnx",
		Begin: func() (*affinity.Trainer, error) {
			c.Log.Info("drawing pairs of graphs")
			return affinity.New(s.Config, kinds.Broad{})
		},
		Resume: func(checkpoint string) (*affinity.Trainer, error) {
			c.Log.Info("drawing pairs of graphs")
			return affinity.Resume(ctx, checkpoint, kinds.Broad{})
		},
		Run: func(t *affinity.Trainer, dir string, show training.Shown) error {
			return t.Run(ctx, affinity.Options{Dir: dir, Progress: func(m affinity.Metrics) {
				show("training "+m.Stage, m.Update, m.Updates, lossOf(m))
			}})
		},
		Results: func(t *affinity.Trainer) [][2]string {
			v := t.Validation()
			return [][2]string{{"validation F1", fmt.Sprintf("%.4f", v.F1)}, {"with the true count", fmt.Sprintf("%.4f", v.F1Count)}}
		},
		Save: func(t *affinity.Trainer, path, training string, verify bool) error {
			return networks.Save(ctx, path, t.Network(), training, verify)
		},
	}, out)
}

// lossOf says how a stage goes.
func lossOf(m affinity.Metrics) string { return fmt.Sprintf("%s, loss %.4f", m.Stage, m.Loss) }
