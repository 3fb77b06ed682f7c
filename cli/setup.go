package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/infer/ortlib"
)

// setupSettings are the settings of rgm setup.
type setupSettings struct {
	Check bool `mapstructure:"check"`
	CUDA  bool `mapstructure:"cuda"`
}

func newSetup(c *console.Console) *cobra.Command {
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
		Example: `  rgm setup
  rgm setup --check`,
		Args: settings.Arguments(cobra.NoArgs),
		RunE: settings.Merged(func(cmd *cobra.Command, s setupSettings, _ []string) error {
			return setup(cmd, c, &s)
		}),
	}
	cmd.Flags().Bool("check", false, "install nothing; fail if there is no library, or it does not work")
	cmd.Flags().Bool("cuda", false, "the build for NVIDIA GPUs")
	return cmd
}

// setup installs the library if need be, unless it shall only check, loads it, and
// prints which one it is.
func setup(cmd *cobra.Command, c *console.Console, s *setupSettings) error {
	build, by, options := ortlib.CPU, networks.Provider{Name: networks.ProviderCPU}, c.Session()
	options.Install = !s.Check
	if s.CUDA {
		build, by = ortlib.CUDA, networks.Provider{Name: networks.ProviderCUDA}
	}
	find := func() (ortlib.Library, error) { return ortlib.Find(build) }
	if !s.Check {
		find = func() (ortlib.Library, error) {
			return ortlib.Locate(cmd.Context(), ortlib.Options{Build: build, Progress: options.Progress, Again: true})
		}
	}
	library, err := find()
	c.EndBar()
	if err != nil {
		return networks.Advise(err)
	}
	version, err := networks.RuntimeVersion(cmd.Context(), by.Session(options))
	if s.CUDA && !s.Check && err != nil { // an image may be made where there is no GPU
		c.Log.Warn("installed, but it does not work here", "reason", err)
		version, err = cmp.Or(library.Version, "unknown"), nil
	}
	if err != nil {
		return networks.Advise(err)
	}
	return report.WritePairs(cmd.OutOrStdout(), [][2]string{
		{"ONNX Runtime", version}, {"library", library.Path}, {"source", library.Source},
	})
}
