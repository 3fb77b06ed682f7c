//go:build linux

package atomicfile

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// writingVariable makes TestWriteSyncs write the file that it names.
const writingVariable = "ATOMICFILE_WRITES"

// TestWriteSyncs: what a power cut may not take is brought to the disk in this order: the
// bytes, the name, the folder. strace tells.
func TestWriteSyncs(t *testing.T) {
	if path := os.Getenv(writingVariable); path != "" {
		if err := Write(path, func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }); err != nil {
			t.Fatal(err)
		}
		return
	}
	calls := filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command("strace", "-f", "-qq", "-y", "-o", calls, "-e", "trace=fsync,renameat,renameat2", os.Args[0], "-test.run", "^TestWriteSyncs$")
	path := filepath.Join(t.TempDir(), "file")
	cmd.Env = append(os.Environ(), writingVariable+"="+path)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("strace cannot follow a program here: %v\n%s", err, output)
	}
	text := must.Get(os.ReadFile(calls))(t)
	folder := regexp.QuoteMeta(filepath.Dir(path))
	want := regexp.MustCompile(`(?s)fsync\([0-9]+<` + folder + `/file\.[0-9a-f]{16}\.tmp>.*renameat.*"file".*fsync\([0-9]+<` + folder + `>`)
	if !want.Match(text) {
		t.Errorf("the calls are\n%s", strings.TrimSpace(string(text)))
	}
}
