package verbs

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/settings"
	"github.com/rgm-go/rgm/internal/cli/training"
	"github.com/rgm-go/rgm/train/affinity"
)

func newTrainGate(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Train the choice between given and learned affinities",
		Long: `Train a network that chooses between given and learned affinities, and how many
matches to make, on generated pairs of graphs of many kinds whose true matching is known.
The learned affinities are those of the pretrained model. It writes into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  the losses, and mean F1 on other generated pairs
  gate.onnx      the network
  gate.rgm       the whole training, for --resume

A run that ends early, by a signal, leaves a checkpoint.`,
		Example: `  rgm train gate --out runs/gate
  rgm inspect runs/gate/gate.onnx`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.Settings[affinity.GateConfig], _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(affinity.GateFile, cmd.Flags().Changed)); err != nil {
				return err
			}
			return training.Gate(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := affinity.DefaultGate()
	flags := cmd.Flags()
	addPairsFlags(flags, "gate", d.Seed, d.Width, d.LeastNodes, d.MostNodes, d.LargestNodes)
	flags.Int("pairs", d.Pairs, "generated pairs to learn from")
	flags.Int("validation-pairs", d.ValidationPairs, "others, to measure it on")
	flags.Int("updates", d.Updates, "updates of the network")
	flags.Float64("learning-rate", d.LearningRate, "at the start; it falls to 0")
	flags.Float64("decay", d.Decay, "weight decay, times the learning rate")
	return cmd
}
