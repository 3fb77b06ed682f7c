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
	CUDA  bool `mapstructure:"cuda"`
}

func newSetup(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Install the ONNX Runtime library, or check it",
		Long: `Install the ONNX Runtime library for this user, where it is not installed yet, and
load it. Other commands do so at first use; setup does it ahead of time. A library
of your own is used instead if ` + ortlib.LibraryVariable + ` names it.

With --cuda it is the build for NVIDIA GPUs (Linux on x86-64; 290 MB to fetch), which
--provider cuda uses and no command installs at first use. It is kept beside the
other. It needs a GPU, its driver, and CUDA 13's cuBLAS, cuRAND and runtime where the
system's loader finds them (LD_LIBRARY_PATH): setup tells what is missing, and
setup --cuda --check fails then.`,
		Args: arguments(cobra.NoArgs),
		RunE: withSettings(func(cmd *cobra.Command, s setupSettings, _ []string) error {
			return setup(cmd, c, &s)
		}),
	}
	cmd.Flags().Bool("check", false, "install nothing; fail if there is no library, or it does not work")
	cmd.Flags().Bool("cuda", false, "the build for NVIDIA GPUs")
	return cmd
}

// setup installs the library if need be, unless it shall only check, loads it, and
// prints which one it is.
func setup(cmd *cobra.Command, c *console, s *setupSettings) error {
	build, by, options := ortlib.CPU, provider{name: providerCPU}, c.session()
	if s.CUDA {
		build, by = ortlib.CUDA, provider{name: providerCUDA}
	}
	find := func() (ortlib.Library, error) { return ortlib.Find(build) }
	if !s.Check {
		find = func() (ortlib.Library, error) {
			return ortlib.Locate(cmd.Context(), ortlib.Options{Build: build, Progress: options.Progress})
		}
	}
	library, err := find()
	c.endBar()
	if err != nil {
		return err
	}
	version, err := loadedVersion(cmd.Context(), by.session(options))
	if s.CUDA && !s.Check && err != nil { // an image may be made where there is no GPU
		c.log.Warn("installed, but it does not work here", "reason", err)
		version, err = cmp.Or(library.Version, "unknown"), nil
	}
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
