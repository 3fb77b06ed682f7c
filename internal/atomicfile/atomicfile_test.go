package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
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

// TestWriteInStaysInTheFolder: neither a name nor a link leads out of it.
func TestWriteInStaysInTheFolder(t *testing.T) {
	outside := t.TempDir()
	path := filepath.Join(outside, "folder")
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	folder := must.Get(os.OpenRoot(path))(t)
	defer folder.Close()
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}
	if err := WriteIn(folder, "../file", write); err == nil {
		t.Error("no error from a name that leads out of the folder")
	}
	target := filepath.Join(outside, "target")
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(path, "file")); err != nil {
		t.Skip(err)
	}
	if err := WriteIn(folder, "file", write); err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(target); err != nil || string(have) != "old" {
		t.Errorf("behind the link is %q, %v, want old", have, err)
	}
	if have, err := folder.ReadFile("file"); err != nil || string(have) != "new" {
		t.Errorf("in the folder is %q, %v, want new", have, err)
	}
}

func TestLeftoversAreRecognised(t *testing.T) {
	for name, want := range map[string]bool{
		temporaryName("nug12.json"): true, "nug12.json": false, "nug12.tmp": false, "a.0123456789abcdef.tmp.json": false,
	} {
		if IsLeftover(name) != want {
			t.Errorf("%s: %v, want %v", name, !want, want)
		}
	}
}
