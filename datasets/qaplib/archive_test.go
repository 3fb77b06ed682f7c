package qaplib

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

var update = flag.Bool("update", false, "make qaplib/qaplib.zip anew")

// TestArchive: what is embedded are the files of the folder, byte for byte.
func TestArchive(t *testing.T) {
	paths := must.Get(filepath.Glob("*.dat"))(t)
	if *update {
		if err := os.WriteFile("qaplib.zip", archiveOf(t, paths), 0o644); err != nil {
			t.Fatal(err)
		}
		return // it is embedded by the next build
	}
	if len(paths) != len(Names()) {
		t.Errorf("%d files are embedded, the folder has %d", len(Names()), len(paths))
	}
	for _, path := range paths {
		want := must.Get(os.ReadFile(path))(t)
		if got, err := fs.ReadFile(files(), filepath.Base(path)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is embedded as another file: %v", path, err)
		}
	}
}

func archiveOf(t *testing.T, paths []string) []byte {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, path := range paths {
		data := must.Get(os.ReadFile(path))(t)
		file := must.Get(w.Create(filepath.Base(path)))(t)
		if _, err := file.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}
