package verbs

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/internal/version"
	"github.com/rgm-go/rgm/models/pretrained"
)

// Version returns the command rgm version.
func Version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program, of ONNX Runtime and of the models",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return printVersions(cmd.OutOrStdout()) },
	}
}

// printVersions prints a version a line.
func printVersions(out io.Writer) error {
	pairs := [][2]string{
		{"rgm", version.Number},
		{"commit", commit()},
		{"go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{"onnxruntime", ortlib.CPU.Version() + ", " + installedLibrary(ortlib.CPU, "rgm setup")},
		{"onnxruntime for CUDA", ortlib.CUDA.Version() + ", " + installedLibrary(ortlib.CUDA, "rgm setup --cuda")},
	}
	for _, name := range append(pretrained.Names(), pretrained.Align) {
		digest, err := weightsDigest(name)
		if err != nil {
			return err
		}
		pairs = append(pairs, [2]string{"model " + name, "weights sha256 " + digest})
	}
	return report.WritePairs(out, pairs)
}

// commit returns the commit that the program was built from, in words.
func commit() string {
	switch commit, changed := version.Commit(); {
	case commit == "":
		return "not known"
	case changed:
		return commit + ", and files differ from it"
	default:
		return commit
	}
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
