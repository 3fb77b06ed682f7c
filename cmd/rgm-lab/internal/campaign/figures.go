package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// A figure is what the runs of a promise gave together.
type figure struct {
	Tried   int                `json:"tried"`
	Failed  int                `json:"failed"` // runs that failed
	Runs    int                `json:"runs"`
	Seconds float64            `json:"seconds"`
	Worst   map[string]float64 `json:"worst,omitempty"` // by unit
	Skipped string             `json:"skipped,omitempty"`
	Commit  string             `json:"commit"`         // of the last run
	Date    string             `json:"date,omitempty"` // of it
}

// add adds a run to a figure.
func (f *figure) add(run figure) {
	f.Tried += run.Tried
	f.Failed += run.Failed
	f.Runs += run.Runs
	f.Seconds += run.Seconds
	f.Skipped, f.Commit, f.Date = run.Skipped, run.Commit, run.Date
	worst := maps.Clone(run.Worst)
	for unit, v := range f.Worst {
		if worst == nil {
			worst = map[string]float64{}
		}
		worst[unit] = max(worst[unit], v)
	}
	f.Worst = worst
}

// readJSON reads a file into v; a file that is not there leaves it as it is.
func readJSON(path string, v any) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

func writeJSON(path string, v any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(v)
	})
}

// commit names the commit of the working tree, and says where files differ from it, but for
// documents.
func commit() string {
	name, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	changes, err2 := exec.Command("git", "status", "--porcelain", "--", ":/", ":(top,exclude)docs", ":(top,exclude)cmd/rgm-lab/notes").Output()
	if err != nil || err2 != nil {
		return "unknown"
	}
	if len(changes) > 0 {
		return strings.TrimSpace(string(name)) + ", changed"
	}
	return strings.TrimSpace(string(name))
}

// oldest is by how many commits a figure may be behind the working tree.
const oldest = 100

// isOld reports whether a figure is of a commit further back, or of none that is known.
func (f figure) isOld() bool {
	behind, err := exec.Command("git", "rev-list", "--count", f.Commit+"..HEAD").Output()
	n, err2 := strconv.Atoi(strings.TrimSpace(string(behind)))
	return f.Commit == "" || err != nil || err2 != nil || n > oldest
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
