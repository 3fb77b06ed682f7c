package verbs

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
)

// inspectSettings are the settings of rgm inspect.
type inspectSettings struct {
	Format string `mapstructure:"format"`
}

// Inspect returns the command rgm inspect.
func Inspect() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Show what is in a model or checkpoint",
		Long: `Show what is in a model or checkpoint: the network, its inputs and outputs, how it was
trained and, of a checkpoint, where its training stands and the command that goes on.`,
		Example: `  rgm inspect qap
  rgm inspect --format json runs/qap/checkpoint.rgm`,
		Args:              settings.Arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeModels,
		RunE: settings.Merged(func(cmd *cobra.Command, s inspectSettings, args []string) error {
			if err := settings.Usage(settings.OneOf("format", s.Format, report.Table, report.JSON)); err != nil {
				return err
			}
			d, err := networks.Describe(args[0])
			if err != nil {
				return err
			}
			if s.Format == report.JSON {
				return report.WriteJSON(cmd.OutOrStdout(), d)
			}
			return d.Print(cmd.OutOrStdout())
		}),
	}
	cmd.Flags().String("format", report.Table, "table or json")
	settings.Complete(cmd, "format", report.Table, report.JSON)
	return cmd
}
