package verbs

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/cli/report"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models/pretrained"
)

func Version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program, of ONNX Runtime and of the models",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return PrintVersions(cmd.OutOrStdout()) },
	}
}

// printVersions prints a version a line.
func PrintVersions(out io.Writer) error {
	pairs := [][2]string{
		{"rgm", ProgramVersion()},
		{"go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{"onnxruntime", ortlib.CPU.Version() + ", " + installedLibrary(ortlib.CPU, "rgm setup")},
		{"onnxruntime for CUDA", ortlib.CUDA.Version() + ", " + installedLibrary(ortlib.CUDA, "rgm setup --cuda")},
	}
	for _, name := range pretrained.Names() {
		digest, err := weightsDigest(name)
		if err != nil {
			return err
		}
		pairs = append(pairs, [2]string{"model " + name, "weights sha256 " + digest})
	}
	return report.WritePairs(out, pairs)
}

// programVersion returns the version that the Go toolchain stamped on the program.
func ProgramVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// programCommit returns the commit that the program was built from, as far as it is known, and
// whether files differed from it.
func ProgramCommit() (commit string, changed bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	return commit, changed
}

// installedLibrary says where a build is, or which command installs it.
func installedLibrary(b ortlib.Build, setup string) string {
	library, err := ortlib.Find(b)
	if err != nil {
		return "not installed (" + setup + " installs it)"
	}
	return fmt.Sprintf("%s (from %s)", library.Path, library.Source)
}

// weightsDigest returns the sha256 of a pretrained model's weights.
func weightsDigest(name string) (string, error) {
	data, err := pretrained.Model(name)
	if err != nil {
		return "", err
	}
	m, err := onnx.Check(data)
	if err != nil {
		return "", fmt.Errorf("model %s: %w", name, err)
	}
	return onnx.WeightsDigest(m), nil
}
