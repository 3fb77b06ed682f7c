package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

// TestFileServesOneAtATime: also within a program, and again once it is closed.
func TestFileServesOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for range 2 {
		held := must.Get(File(path, time.Hour))(t)
		if _, err := File(path, time.Hour); !errors.Is(err, ErrLocked) {
			t.Errorf("a second lock: %v", err)
		}
		if err := held.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := File(filepath.Join(path, "below a file"), time.Hour); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("where no file can be: %v", err)
	}
}

// TestFolderServesOneAtATime: it is made, held, and free once it is closed.
func TestFolderServesOneAtATime(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders are not locked there")
	}
	path := filepath.Join(t.TempDir(), "a", "b")
	for range 2 {
		held := must.Get(MakeFolder(path))(t)
		if _, err := MakeFolder(path); !errors.Is(err, ErrLocked) {
			t.Errorf("a second lock: %v", err)
		}
		if err := held.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		t.Errorf("the folder: %v, %v", info, err)
	}
}
