package paper

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// Result is what a unit gave; lab/notes/CLI_JSON.md says what each field means.
type Result struct {
	Unit    string            `json:"unit"`
	Command string            `json:"command"`
	Program Program           `json:"program"`
	Began   time.Time         `json:"began"`
	Seconds float64           `json:"seconds"`
	CPU     float64           `json:"cpu_seconds,omitempty"`
	Rows    []json.RawMessage `json:"rows,omitempty"`
	Output  string            `json:"output,omitempty"`
	Files   map[string]string `json:"files,omitempty"`
}

// Program is what made a result.
type Program struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Changed bool   `json:"changed,omitempty"` // whether files differed from the commit
	Go      string `json:"go"`
	System  string `json:"system"`
}

// Results are the results that are there, by the names of their units.
type Results map[string]*Result

// unitsFolder holds a file a result, below the report's folder.
const unitsFolder = "units"

// file returns the path of a unit's result. The command is part of the name, so that another
// one, as of a quick and a full report, has another file.
func (o *Options) file(u Unit) string {
	sum := sha256.Sum256([]byte(u.Command()))
	return filepath.Join(o.Dir, unitsFolder, fmt.Sprintf("%s-%x.json", u.Name, sum[:4]))
}

// read returns the result of a unit, nil where there is none. A file that is damaged counts as
// none: its unit is run again.
func (o *Options) read(u Unit) (*Result, error) {
	data, err := os.ReadFile(o.file(u))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if json.Unmarshal(data, r) != nil || r.Unit != u.Name {
		return nil, nil
	}
	return r, nil
}

// write keeps a result: whole or not at all.
func (o *Options) write(u Unit, r *Result) error {
	return atomicfile.Write(o.file(u), func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(r)
	})
}

// results returns those of the parts that are there.
func (o *Options) results(parts []Part) (Results, error) {
	found := Results{}
	for _, p := range parts {
		for _, u := range p.Units {
			r, err := o.read(u)
			if err != nil {
				return nil, err
			}
			if r != nil {
				found[u.Name] = r
			}
		}
	}
	return found, nil
}

// setOutput keeps what a command printed: as rows where every line is a JSON object. Trained
// networks are named without the report's folder.
func (r *Result) setOutput(text []byte, dir string) {
	text = bytes.ReplaceAll(text, []byte(dir+"/runs/"), []byte("runs/"))
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); !bytes.HasPrefix(line, []byte("{")) || !json.Valid(line) {
			r.Rows, r.Output = nil, string(text)
			return
		}
		r.Rows = append(r.Rows, bytes.Clone(line))
	}
}

// rowsOf returns the rows of units in their order, of those that are there.
func rowsOf[Row any](results Results, units ...string) []Row {
	var rows []Row
	for _, name := range units {
		r := results[name]
		if r == nil {
			continue
		}
		for _, text := range r.Rows {
			var row Row
			if json.Unmarshal(text, &row) == nil {
				rows = append(rows, row)
			}
		}
	}
	return rows
}
