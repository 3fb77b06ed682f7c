package inputs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/internal/must"
)

// TestProblemsAreWritten: however many there are to be, nothing is done for all before the first is
// written, and files that are there are refused.
func TestProblemsAreWritten(t *testing.T) {
	folder := t.TempDir()
	s := inputs.Problems{Families: []string{"grid"}, Sizes: []int{4}, Count: 1 << 40}
	files := &written{Context: t.Context(), folder: folder}
	if err := s.Write(files, folder); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("error %v", err)
	}
	if names := files.names(); len(names) != 3 || filepath.Base(names[2]) != "grid-4-002.dat" {
		t.Errorf("files %v, want three", names)
	}
	if err := s.Write(t.Context(), folder); err == nil || !strings.Contains(err.Error(), "grid-4-000.dat is there") {
		t.Errorf("once more: error %v", err)
	}
	s.Count, s.Sizes = 1, []int{5}
	if err := s.Write(t.Context(), folder); err != nil {
		t.Error(err)
	}
	must.Get(os.Stat(filepath.Join(folder, "grid-5-000.dat")))(t)
}

// written is a context that is cancelled once a folder has three files.
type written struct {
	context.Context
	folder string
}

func (w *written) names() []string {
	names, _ := filepath.Glob(filepath.Join(w.folder, "*"))
	return names
}

func (w *written) Err() error {
	if len(w.names()) >= 3 {
		return errors.New("three files")
	}
	return nil
}
