package results

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/must"
)

// TestFolderServesOneRunAtATime: a second run is refused before it takes what the
// first is writing for left over, and may go on once the first has ended.
func TestFolderServesOneRunAtATime(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders are not locked there")
	}
	s := Settings{Out: filepath.Join(t.TempDir(), "results")}
	first := must.Get(Open(console.Discard(), s, s))(t)
	writing := filepath.Join(s.Out, "nug12.json.0123456789abcdef.tmp")
	if err := os.WriteFile(writing, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Open(console.Discard(), s, s)
	if !errors.As(err, new(settings.UsageError)) || !strings.Contains(err.Error(), "another run is writing there") {
		t.Errorf("second run: %v", err)
	}
	if _, err := os.Stat(writing); err != nil {
		t.Errorf("what the first run is writing: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	third := must.Get(Open(console.Discard(), s, s))(t)
	if _, err := os.Stat(writing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left over: %v", err)
	}
	if err := third.Close(); err != nil {
		t.Fatal(err)
	}
}
