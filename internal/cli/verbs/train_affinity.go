package verbs

import (
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/settings"
	"github.com/rgm-go/rgm/internal/cli/training"
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
		Example: `  rgm train affinity --out runs/affinity
  rgm solve --affinity runs/affinity/affinity.onnx --method profile pairs.npy`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.Settings[affinity.Config], _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(affinity.CheckpointFile, cmd.Flags().Changed)); err != nil {
				return err
			}
			return training.Affinity(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := affinity.Default()
	flags := cmd.Flags()
	addPairsFlags(flags, "affinity", d.Seed, d.Width, d.LeastNodes, d.MostNodes, d.LargestNodes)
	flags.Int("pairs", d.Pairs, "generated pairs to learn from what an affinity is worth")
	flags.Int("size-pairs", d.SizePairs, "others, to learn from how many matches to make")
	flags.Int("validation-pairs", d.ValidationPairs, "others, to measure both on")
	flags.Int("updates", d.Updates, "updates of the first part")
	flags.Int("size-updates", d.SizeUpdates, "updates of the second part")
	flags.Float64("learning-rate", d.LearningRate, "at the start of both parts; it falls to 0")
	flags.Float64("size-decay", d.SizeDecay, "weight decay of the second part, times the learning rate")
	return cmd
}

// addPairsFlags adds the flags that trainings on pairs of graphs have in common.
func addPairsFlags(flags *pflag.FlagSet, name string, seed uint64, width, least, most, largest int) {
	flags.StringP("out", "o", filepath.Join("runs", name), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", seed, "seed of all random choices")
	flags.Int("width", width, "width of the hidden layers")
	flags.Int("least-nodes", least, "least nodes of the larger graph of a pair")
	flags.Int("most-nodes", most, "most nodes of it, but for a fifth of the pairs")
	flags.Int("largest-nodes", largest, "most nodes of these")
}
