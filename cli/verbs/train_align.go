package verbs

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/training"
	"github.com/rgm-go/rgm/train/alignment"
)

func newTrainAlign(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "align",
		Short: "Train learned belief propagation, for rgm match",
		Long: `Train the belief propagation that rgm match begins noisy alignments with, on generated
pairs of graphs whose alignment is known, and write into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  losses and accuracies, and the shares of planted edges found on other pairs
  align.onnx     the network, for rgm match --method align --model FILE
  align.rgm      the whole training, for --resume

A run that ends early, by a signal, leaves a checkpoint.`,
		Example: `  rgm train align --out runs/align
  rgm match --method align --model runs/align/align.onnx left.edges right.edges`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.Settings[alignment.Config], _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(alignment.CheckpointFile, cmd.Flags().Changed)); err != nil {
				return err
			}
			return training.Alignment(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	d := alignment.Default()
	flags := cmd.Flags()
	flags.StringP("out", "o", filepath.Join("runs", "align"), "`folder` to write")
	flags.String("resume", "", "`folder` of a training to go on with, by the configuration of its checkpoint")
	flags.Uint64("seed", d.Seed, "seed of all random choices")
	flags.Int("updates", d.Updates, "updates of the first stage")
	flags.Int("again-updates", d.AgainUpdates, "updates of the second stage, which also sees a matching")
	flags.Int("pairs", d.Pairs, "pairs of nodes in an update: graphs are drawn until there are so many")
	flags.Int("steps", d.Steps, "steps that the first stage learns through")
	flags.Int("again-steps", d.AgainSteps, "steps that the second learns through")
	flags.Int("least-nodes", d.LeastNodes, "least nodes of a graph")
	flags.Int("most-nodes", d.MostNodes, "most nodes, at the end of a stage")
	flags.Float64("noise", d.Noise, "greatest share of edges that are changed")
	flags.Float64("learning-rate", d.LearningRate, "at the start of the first stage; it falls to 0")
	flags.Float64("clip-norm", d.ClipNorm, "greatest norm of a gradient")
	return cmd
}
