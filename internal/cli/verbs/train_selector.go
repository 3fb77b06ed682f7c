package verbs

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/internal/cli/console"
	"github.com/rgm-go/rgm/internal/cli/settings"
	"github.com/rgm-go/rgm/internal/cli/training"
	"github.com/rgm-go/rgm/train/selector"
)

func newTrainSelector(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "selector",
		Short: "Train the choice among searches",
		Long: `Train the network that gives time to the searches of --method auto. What each search
brings to instances, generated or --files, is recorded once; then the network learns from replays,
and these are written into a folder:

  config.toml    the merged configuration, for --config
  metrics.jsonl  rounds of learning, and mean log-gaps on other instances
  selector.onnx  the network, for rgm solve --chooser FILE and rgm-lab bench choosers
  selector.rgm   the whole training, for --resume

A run that ends early, by a signal, leaves a checkpoint.`,
		Example: `  rgm train selector --out runs/selector
  rgm train selector --from selector --files problems/ --instances 60 --validation 15 --out runs/mine
  rgm-lab bench choosers --choosers rule,runs/selector/selector.onnx --families mapping`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s training.Settings[selector.Config], _ []string) error {
			if err := settings.Usage(s.Config.Validate(), s.CheckResume(selector.CheckpointFile, cmd.Flags().Changed)); err != nil {
				return err
			}
			return training.Selector(cmd.Context(), c, &s, cmd.OutOrStdout())
		}),
	}
	training.AddSelectorFlags(cmd.Flags())
	return cmd
}
