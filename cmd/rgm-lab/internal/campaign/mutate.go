package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A mutant is the program with one fault.
type mutant struct {
	name     string // the package, and what is wrong
	file     string
	old, new string // text of the file that occurs once, and what takes its place
	model    string // or a shipped model, whose weight that decides most is set to 0
	tests    string // packages whose tests are to notice, of the file where ""
}

// package of the mutant's file.
func (m *mutant) home() string {
	if m.tests != "" {
		return m.tests
	}
	return "./" + filepath.Dir(m.file)
}

// result is what came of a mutant.
type result struct {
	Killed bool   `json:"killed"`
	By     string `json:"by,omitempty"` // the first test that failed
	Commit string `json:"commit"`
}

// runMutants runs the mutants one after the other and keeps what came of each. Files are
// overlaid for the compiler; the working tree stays as it is.
func runMutants(ctx context.Context, o options) error {
	results := map[string]result{}
	if err := readJSON(mutantsFile, &results); err != nil {
		return err
	}
	var errs []error
	for begin, k := time.Now(), 0; k < len(mutants) && time.Since(begin) < o.time && ctx.Err() == nil; k++ {
		m := mutants[k]
		if _, known := results[m.name]; !o.only.MatchString(m.name) || known && !o.anew {
			continue
		}
		r, err := m.run(ctx)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
			continue
		}
		if ctx.Err() != nil {
			break
		}
		fmt.Printf("%-72s %s\n", m.name, r.outcome())
		results[m.name] = r
		if err := writeJSON(mutantsFile, results); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

// outcome says what came of a mutant, for a table.
func (r result) outcome() string {
	if r.Killed {
		return "`" + r.By + "`"
	}
	return "**survives**"
}

// text returns the file with the fault.
func (m *mutant) text() ([]byte, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return nil, err
	}
	if m.model != "" {
		return withoutWeight(text)
	}
	if n := bytes.Count(text, []byte(m.old)); n != 1 {
		return nil, fmt.Errorf("%s holds %q %d times, want once: change the mutant with the line that it changes", m.file, m.old, n)
	}
	return bytes.Replace(text, []byte(m.old), []byte(m.new), 1), nil
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// run compiles the mutant and runs the tests of its package.
func (m *mutant) run(ctx context.Context) (result, error) {
	text, err := m.text()
	if err != nil {
		return result{}, err
	}
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(dir)
	changed, list := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	original, err := filepath.Abs(m.file)
	if err != nil {
		return result{}, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return result{}, err
	}
	if err := errors.Join(os.WriteFile(changed, text, 0o666), os.WriteFile(list, overlay, 0o666)); err != nil {
		return result{}, err
	}
	args := append([]string{"test", "-overlay", list, "-short", "-failfast", "-timeout", "10m"}, strings.Fields(m.home())...)
	output, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	r := result{Commit: commit()}
	if err == nil {
		return r, nil
	}
	if bytes.Contains(output, []byte("[build failed]")) || bytes.Contains(output, []byte("[setup failed]")) {
		return r, fmt.Errorf("it does not compile:\n%s", tail(output))
	}
	r.Killed, r.By = true, "a test that does not end"
	if found := failedTest.FindSubmatch(output); found != nil {
		r.By = string(found[1])
	} else if !bytes.Contains(output, []byte("test timed out")) {
		r.By = "a test that crashes"
	}
	return r, nil
}

// mutantTable returns the table of the mutants.
func mutantTable(results map[string]result) string {
	var b strings.Builder
	b.WriteString("| mutant | killed by | commit |\n|---|---|---|\n")
	for _, m := range mutants {
		if r, ok := results[m.name]; ok {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.name, r.outcome(), r.Commit)
		} else {
			fmt.Fprintf(&b, "| %s | not yet run | |\n", m.name)
		}
	}
	return b.String()
}

// killTable returns how many mutants were killed, by the folder of their file.
func killTable(results map[string]result) string {
	type count struct{ run, killed int }
	counts, all := map[string]count{}, count{}
	for _, m := range mutants {
		r, ok := results[m.name]
		if !ok {
			continue
		}
		home, _, _ := strings.Cut(m.file, "/")
		c := counts[home]
		c.run, all.run = c.run+1, all.run+1
		if r.Killed {
			c.killed, all.killed = c.killed+1, all.killed+1
		}
		counts[home] = c
	}
	var b strings.Builder
	b.WriteString("| of | mutants | killed |\n|---|--:|--:|\n")
	for _, home := range sortedKeys(counts) {
		fmt.Fprintf(&b, "| `%s` | %d | %d |\n", home, counts[home].run, counts[home].killed)
	}
	fmt.Fprintf(&b, "| all | %d | %d |\n", all.run, all.killed)
	return b.String()
}
