package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/atomicfile"
)

// bundleSettings are the settings of rgm bundle.
type bundleSettings struct {
	Models string `mapstructure:"models"`
}

func newBundle(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bundle DIR",
		Short: "Put everything for a machine without network into a folder",
		Long: `Put this program, the ONNX Runtime library and the models into a folder, with their
checksums. On another machine of the same kind, with the same C library or a later one,
DIR/rgm.sh runs the program with that library: it needs no network and writes nothing.
There, "cd DIR && sha256sum -c SHA256SUMS" checks the copy. The library is installed
beforehand where it is not.`,
		Example: `  rgm bundle /media/usb/rgm
  /media/usb/rgm/rgm.sh serve --models /media/usb/rgm/models`,
		Args: settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s bundleSettings, args []string) error {
			return writeBundle(cmd.Context(), c, &s, args[0])
		}),
	}
	cmd.Flags().String("models", "", "`folder` of .onnx files to add to the pretrained models")
	return cmd
}

// bundleScript runs the program of a bundle with the library beside it.
const bundleScript = `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd) || exit 1
` + ortlib.LibraryVariable + `="$here/lib/LIBRARY" exec "$here/rgm" "$@"
`

// writeBundle writes the files of a bundle and, last, their checksums.
func writeBundle(ctx context.Context, c *console.Console, s *bundleSettings, folder string) error {
	if runtime.GOOS == "windows" {
		return errors.New("bundle: this system has no sh, which a bundle needs")
	}
	models, err := service.Models(s.Models)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	library, err := ortlib.Locate(ctx, ortlib.Options{})
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	b := bundle{folder: folder}
	name := filepath.Base(library.Path)
	err = errors.Join(
		b.copyFile("rgm", program, 0o755),
		b.copyFile("lib/"+name, library.Path, 0o644),
		b.write("rgm.sh", strings.NewReader(strings.Replace(bundleScript, "LIBRARY", name, 1)), 0o755),
	)
	for _, m := range models {
		err = errors.Join(err, b.write("models/"+m.Name+".onnx", strings.NewReader(string(m.Data)), 0o644))
	}
	if err != nil {
		return err
	}
	slices.Sort(b.sums)
	sums := strings.Join(b.sums, "\n") + "\n"
	if err := b.write("SHA256SUMS", strings.NewReader(sums), 0o644); err != nil {
		return err
	}
	c.Log.Info("bundle", "folder", folder, "files", len(b.sums)+1)
	return nil
}

// bundle is a folder that is being filled.
type bundle struct {
	folder string
	sums   []string // lines of SHA256SUMS: digest, two blanks, name
}

func (b *bundle) copyFile(name, from string, mode os.FileMode) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	return b.write(name, file, mode)
}

// write writes a file and takes note of its checksum.
func (b *bundle) write(name string, from io.Reader, mode os.FileMode) error {
	path := filepath.Join(b.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	digest := sha256.New()
	err := atomicfile.Write(path, func(to io.Writer) error {
		_, err := io.Copy(io.MultiWriter(to, digest), from)
		return err
	})
	if err != nil {
		return err
	}
	b.sums = append(b.sums, hex.EncodeToString(digest.Sum(nil))+"  "+name)
	return os.Chmod(path, mode)
}
