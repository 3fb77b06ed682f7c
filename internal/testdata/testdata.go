// Package testdata finds the measured data that some tests compare with. The
// data are not part of the repository; a test that needs them is skipped where
// they are absent.
package testdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder of the test data, of which elem are
// the parts: Path(t, "reference", "peers_qaplib.json"). The data are in the folder
// $RGM_TESTDATA, which holds data/, fixtures/ and reference/, or else in a folder
// shared/ beside the repository. Where the file is absent, the test is skipped.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{root(t)}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("testdata: %v: set RGM_TESTDATA to the folder that holds data/, fixtures/ and reference/", err)
	}
	return path
}

func root(t testing.TB) string {
	if folder := os.Getenv("RGM_TESTDATA"); folder != "" {
		return folder
	}
	folder, err := os.Getwd() // of a test, that of its package
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return filepath.Join(folder, "..", "shared")
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	t.Skip("testdata: no go.mod above the test: set RGM_TESTDATA to the folder that holds data/, fixtures/ and reference/")
	return ""
}
