package verbs

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/export"
)

// exportSettings are the settings of rgm export.
type exportSettings struct {
	Out           string `mapstructure:"out"`
	SelfContained bool   `mapstructure:"self-contained"`
	Form          string `mapstructure:"form"`
}

// Export returns the command rgm export.
func Export(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export CHECKPOINT|MODEL -o FILE.onnx",
		Short: "Write a network as an ONNX file",
		Long: `Write the network of a checkpoint (the best one by validation) or of a model as an
ONNX file. The file is put in its place only after ONNX Runtime has given the same
values for it as Go. With --self-contained it computes the features itself, for use
from any language; docs/MODEL_FORMAT.md says what it takes and gives.`,
		Example: `  rgm export runs/qap/checkpoint.rgm -o mine.onnx
  rgm export --self-contained --form koopmans-beckmann -o whole.onnx qap`,
		Args:              settings.Arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeModels,
		RunE: settings.Merged(func(cmd *cobra.Command, s exportSettings, args []string) error {
			if s.Out == "" {
				return settings.Usage(errors.New("export: name the file to write with -o FILE.onnx"))
			}
			if s.Form != "" && !s.SelfContained {
				return settings.Usage(errors.New("export: --form belongs to --self-contained"))
			}
			if err := settings.Usage(settings.OneOf("form", cmp.Or(s.Form, string(export.Lawler)), string(export.Lawler), string(export.KoopmansBeckmann))); err != nil {
				return err
			}
			return exportNetwork(cmd.Context(), c, &s, args[0])
		}),
	}
	cmd.Flags().StringP("out", "o", "", "`file` to write")
	cmd.Flags().Bool("self-contained", false, "take an instance and its state instead of features, for use from any language")
	cmd.Flags().String("form", "", "`form` of the instances that a self-contained model takes: lawler, an affinity matrix (if empty), or koopmans-beckmann, two matrices (architecture gain)")
	settings.Complete(cmd, "form", string(export.Lawler), string(export.KoopmansBeckmann))
	return cmd
}

// exportNetwork writes the network of a checkpoint or model as an ONNX file.
func exportNetwork(ctx context.Context, c *console.Console, s *exportSettings, path string) error {
	n, err := networks.Load(path)
	if err != nil {
		return err
	}
	if s.SelfContained {
		err = export.WriteSelfContained(ctx, s.Out, n.Network, n.Training, export.Form(s.Form), c.Session())
	} else {
		err = export.Write(ctx, s.Out, n.Network, n.Training, c.Session())
	}
	c.EndBar()
	return networks.Advise(err)
}
