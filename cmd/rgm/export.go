package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/export"
)

// exportSettings are the settings of rgm export.
type exportSettings struct {
	Output        string `mapstructure:"output"`
	SelfContained bool   `mapstructure:"self-contained"`
}

func newExport(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export CHECKPOINT|MODEL -o FILE.onnx",
		Short: "Write a network as an ONNX file",
		Long: `Write the network of a checkpoint (the best one by validation) or of a model as an
ONNX file. The file is put in its place only after ONNX Runtime has given the same
values for it as Go.`,
		Args: settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s exportSettings, args []string) error {
			if s.Output == "" {
				return settings.Usage(errors.New("export: name the file to write with -o FILE.onnx"))
			}
			return exportNetwork(cmd.Context(), c, &s, args[0])
		}),
	}
	cmd.Flags().StringP("output", "o", "", "`file` to write")
	cmd.Flags().Bool("self-contained", false, "take affinity matrix and matchings instead of features, for use from any language (architecture paper)")
	return cmd
}

// exportNetwork writes the network of a checkpoint or model as an ONNX file.
func exportNetwork(ctx context.Context, c *console.Console, s *exportSettings, path string) error {
	n, err := networks.Load(path)
	if err != nil {
		return err
	}
	write := export.Write
	if s.SelfContained {
		write = export.WriteSelfContained
	}
	err = write(ctx, s.Output, n.Network, n.Training, c.Session())
	c.EndBar()
	return err
}
