//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/paper"
)

// TestReportsCommandsAreKnown: every command of a report has verbs and flags of this program.
func TestReportsCommandsAreKnown(t *testing.T) {
	for _, full := range []bool{false, true} {
		for _, part := range paper.Parts(full) {
			for _, unit := range part.Units {
				root := newRoot(console.Discard())
				root.SetArgs(append(unit.Args, "--print-config"))
				root.SetOut(io.Discard)
				if err := root.ExecuteContext(t.Context()); err != nil {
					t.Errorf("%s: %v", unit.Command(), err)
				}
			}
		}
	}
}

// TestKilledReportGoesOn: SIGKILL loses the unit that runs; what was there is not made again,
// and no part of a file is taken for a result.
func TestKilledReportGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := filepath.Join(t.TempDir(), "report")
	arguments := []string{"report", "--parts", "figure3,figure6,figure5", dir}
	units := func() []string {
		return must.Get(filepath.Glob(filepath.Join(dir, "units", "*.json")))(t)
	}
	cmd := exec.Command("rgm-lab", arguments...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); len(units()) < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no result within a minute")
		}
	}
	cmd.Process.Kill()
	if err := cmd.Wait(); err == nil {
		t.Skip("ended before the kill")
	}
	before := map[string]time.Time{}
	for _, file := range units() {
		info := must.Get(os.Stat(file))(t)
		before[file] = info.ModTime()
	}
	var stderr bytes.Buffer
	again := exec.Command("rgm-lab", arguments...)
	again.Stderr = &stderr
	if err := again.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	if took := strings.Count(stderr.String(), " took "); took+len(before) != len(units()) {
		t.Errorf("%d were there, %d made, %d are", len(before), took, len(units()))
	}
	for _, file := range units() {
		data, err := os.ReadFile(file)
		if err != nil || !json.Valid(data) {
			t.Errorf("%s: %v", file, err)
		}
		if info, err := os.Stat(file); err != nil || !before[file].IsZero() && !info.ModTime().Equal(before[file]) {
			t.Errorf("%s was made again (%v)", file, err)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, paper.HTMLFile))
	if err != nil || !bytes.Contains(page, []byte("Figure 5")) || bytes.Contains(page, []byte("Not run")) {
		t.Error(errors.Join(err, errors.New("the page is not complete")))
	}
}
