// Package testdata finds the measured data that some tests compare with, and has their
// optima. What a licence lets pass on is in this package's folder, with its source and its
// licence beside it; a test that needs the rest is skipped where that is absent.
package testdata

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

var (
	//go:embed pygmtools/fixtures.zip
	fixtures []byte
	//go:embed multimatching/synth.zip
	synthetic []byte
)

// Optima are those of problems of gmbench (Haller et al., ECCV 2022), minimised, by the
// names of their files in data/dd.
var Optima = map[string]float64{
	"opengm1": -170.637097242, "house-sparse1": -67.25219696753629, "house-sparse15": -65.12807273175682, "house-sparse29": -66.91014924965005,
	"house-sparse43": -65.25515171890477, "house-sparse57": -66.40131682194858, "house-sparse71": -66.13683200918823,
	"house-sparse85": -69.44110567208953, "house-sparse99": -67.48580350172804,
}

// Path returns the path of a file or folder of the test data, of which elem are
// the parts: Path(t, "reference", "peers_qaplib.json"). The data are in the folder
// $RGM_TESTDATA, which holds data/, fixtures/ and reference/, or else in a folder
// shared/ beside the repository; a file that is in neither comes from this package.
// Where it is not there either, the test is skipped.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	beside := filepath.Join(append([]string{root(t)}, elem...)...)
	if _, err := os.Stat(beside); err == nil {
		return beside
	}
	content, err := packed(path.Join(elem...))
	if err != nil {
		t.Skipf("needs data that are not part of the repository: %s: CONTRIBUTING.md says where they are looked for", path.Join(elem...))
	}
	file := filepath.Join(t.TempDir(), path.Base(path.Join(elem...)))
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// Read returns the content of a file of the test data.
func Read(t testing.TB, elem ...string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(Path(t, elem...)))(t)
}

// ReadJSON decodes a file of the test data.
func ReadJSON(t testing.TB, value any, elem ...string) {
	t.Helper()
	if err := json.Unmarshal(Read(t, elem...), value); err != nil {
		t.Fatalf("%s: %v", filepath.Join(elem...), err)
	}
}

// packed returns a file of this package's archives.
func packed(name string) ([]byte, error) {
	for _, archive := range [][]byte{fixtures, synthetic} {
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return nil, err
		}
		if file, err := files.Open(name); err == nil {
			defer file.Close()
			return io.ReadAll(file)
		}
	}
	return nil, fs.ErrNotExist
}

// root returns the folder that may hold the data that are not part of the repository.
func root(t testing.TB) string {
	if folder := os.Getenv("RGM_TESTDATA"); folder != "" {
		return folder
	}
	return filepath.Join(Repository(t), "..", "shared")
}

// Repository returns the root of the repository, of whichever module a test is.
func Repository(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd() // of a test, that of its package
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "CONTRIBUTING.md")); missing == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	t.Fatal("testdata: no CONTRIBUTING.md above the test: this is no clone of the repository")
	return ""
}
