package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteReplacesTheWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"long content", "short", strings.Repeat("beyond any buffer ", 10000)} {
		err := Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != text {
			t.Errorf("file holds %.20q, %v, want %.20q", have, err, text)
		}
	}
	checkFiles(t, path, "file")
}

func TestFailedWriteLeavesTheOldFileAndNoOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("failure")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("new", 1<<17))
		return failure
	})
	if !errors.Is(err, failure) {
		t.Errorf("error %v, want %v", err, failure)
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != "old" {
		t.Errorf("file holds %.20q, %v, want old", have, err)
	}
	checkFiles(t, path, "file")
}

func TestWriteIntoAMissingFolderFails(t *testing.T) {
	err := Write(filepath.Join(t.TempDir(), "missing", "file"), func(io.Writer) error { return nil })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestNewFileHasThePermissionsOfAnyNewFile(t *testing.T) {
	folder := t.TempDir()
	if err := Write(filepath.Join(folder, "a"), func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "b"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	a, errA := os.Stat(filepath.Join(folder, "a"))
	b, errB := os.Stat(filepath.Join(folder, "b"))
	if errA != nil || errB != nil || a.Mode() != b.Mode() {
		t.Errorf("%v and %v, %v %v", a.Mode(), b.Mode(), errA, errB)
	}
}

// checkFiles demands that the folder of path holds one file.
func checkFiles(t *testing.T, path, want string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || entries[0].Name() != want {
		t.Errorf("folder holds %v, %v, want %s alone", entries, err, want)
	}
}
