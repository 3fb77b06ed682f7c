package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
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
	Commit  string             `json:"commit"`          // of the first run
	Date    string             `json:"date,omitempty"`  // of it
	Again   *figure            `json:"again,omitempty"` // of runs that will replace an old figure
}

// add adds a run to a figure.
func (f *figure) add(run figure) {
	f.Tried += run.Tried
	f.Failed += run.Failed
	f.Runs += run.Runs
	f.Seconds += run.Seconds
	if f.Skipped = run.Skipped; f.Commit == "" {
		f.Commit, f.Date = run.Commit, run.Date
	}
	for unit, v := range run.Worst {
		if f.Worst == nil {
			f.Worst = map[string]float64{}
		}
		f.Worst[unit] = max(f.Worst[unit], v)
	}
}

// readFigures returns the figures of promises by name, from the file below a folder.
func readFigures(root string) (map[string]figure, error) {
	text, err := os.ReadFile(root + figuresFile)
	if err != nil {
		return nil, err
	}
	figures := map[string]figure{}
	return figures, json.Unmarshal(text, &figures)
}

func writeFigures(figures map[string]figure) error {
	return atomicfile.Write(figuresFile, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(figures)
	})
}

// commit names the commit of the working tree, and says where files differ from it, but for
// documents.
func commit() string {
	name, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	changes, err2 := exec.Command("git", "status", "--porcelain", "--", ":/", ":(top,exclude)docs", ":(top,exclude)lab/notes").Output()
	if err != nil || err2 != nil {
		return "unknown"
	}
	if len(changes) > 0 {
		return strings.TrimSpace(string(name)) + ", changed"
	}
	return strings.TrimSpace(string(name))
}

// oldest is by how many commits a figure may be behind the working tree before the campaign tries its promise again.
const oldest = 100

// unknown is the age of a figure whose commit is not there, or is not known.
const unknown = math.MaxInt

// age returns by how many commits a figure is behind the working tree.
func (f figure) age() int {
	behind, err := exec.Command("git", "rev-list", "--count", f.Commit+"..HEAD").Output()
	n, err2 := strconv.Atoi(strings.TrimSpace(string(behind)))
	if f.Commit == "" || err != nil || err2 != nil {
		return unknown
	}
	return n
}

// howOld says the age of a figure, and its day.
func (f figure) howOld() string {
	age := f.age()
	switch {
	case f.Runs == 0:
		return "not tried yet"
	case age == unknown:
		return fmt.Sprintf("at commit %s, which is not in this clone's history", f.when())
	}
	return fmt.Sprintf("%d commits ago, at %s", age, f.when())
}
