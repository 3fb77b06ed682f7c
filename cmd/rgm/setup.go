package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/models/pretrained"
)

// setupSettings are the settings of rgm setup.
type setupSettings struct {
	Check bool `mapstructure:"check"`
}

func newSetup(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Install the ONNX Runtime library, or check it",
		Long: `Install the ONNX Runtime library for this user, where it is not installed yet, and
load it. Other commands do so at first use; setup does it ahead of time. A library
of your own is used instead if ` + ortlib.LibraryVariable + ` names it.`,
		Args: arguments(cobra.NoArgs),
		RunE: withSettings(func(cmd *cobra.Command, s setupSettings, _ []string) error {
			return setup(cmd, c, s.Check)
		}),
	}
	cmd.Flags().Bool("check", false, "install nothing; fail if there is no library")
	return cmd
}

// setup loads the library, installs it before if need be unless it shall only
// check, and prints which one it is.
func setup(cmd *cobra.Command, c *console, check bool) error {
	if check {
		if _, err := ortlib.Find(); err != nil {
			return err
		}
	}
	version, err := loadedVersion(cmd.Context(), c.session())
	c.endBar()
	if err != nil {
		return err
	}
	library, err := ortlib.Find()
	if err != nil {
		return err
	}
	return writePairs(cmd.OutOrStdout(), [][2]string{
		{"ONNX Runtime", version}, {"library", library.Path}, {"source", library.Source},
	})
}

// loadedVersion loads the library by opening a model and returns the version that
// it says it has.
func loadedVersion(ctx context.Context, o infer.SessionOptions) (string, error) {
	data, err := pretrained.Model(pretrained.Names()[0])
	if err != nil {
		return "", err
	}
	n, err := infer.Open(ctx, data, o)
	if err != nil {
		return "", err
	}
	if err := n.Close(); err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	return cmp.Or(infer.RuntimeVersion(), ortlib.Version), nil
}
