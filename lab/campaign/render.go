package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/atomicfile"
)

// writePage writes the page's tables anew.
func writePage(figures map[string]figure) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	rendered, err := render(string(text), figures)
	if err != nil || rendered == string(text) {
		return err
	}
	return atomicfile.Write(page, func(w io.Writer) error {
		_, err := io.WriteString(w, rendered)
		return err
	})
}

// render returns a page with the table of each group between the two marks of its name.
func render(text string, figures map[string]figure) (string, error) {
	for _, group := range groups {
		begin, end := "<!-- "+group+" -->\n", "<!-- end -->"
		before, rest, found := strings.Cut(text, begin)
		_, after, ended := strings.Cut(rest, end)
		if !found || !ended {
			return "", fmt.Errorf("%s has no %q with %q after it", page, strings.TrimSpace(begin), end)
		}
		text = before + begin + promiseTable(group, figures) + end + after
	}
	return text, nil
}

// promiseTable returns the table of a group.
func promiseTable(group string, figures map[string]figure) string {
	var b strings.Builder
	if group == "fuzz" {
		b.WriteString("| reader | executions | failed | commit, day |\n|---|--:|--:|---|\n")
	} else {
		b.WriteString("| what | promise | tried | failed | worst | test | commit, day |\n|---|---|--:|--:|---|---|---|\n")
	}
	for _, p := range promises {
		of, what, _ := strings.Cut(p.name, ": ")
		if of != group {
			continue
		}
		f := figures[p.name]
		tried := thousands(f.Tried) + " " + p.unit
		switch {
		case f.Runs == 0:
			tried = "not yet"
		case f.Tried == 0 && f.Skipped != "":
			tried = "not run: " + f.Skipped
		case f.Tried == 1:
			tried = strings.TrimSuffix(tried, "s")
		}
		if group == "fuzz" {
			fmt.Fprintf(&b, "| `%s` `%s` | %s | %d | %s |\n", strings.TrimPrefix(p.pkg, "./"), p.test, strings.TrimSuffix(tried, " "+p.unit), f.Failed, f.when())
			continue
		}
		packages := strings.NewReplacer("./", "", " ", "`, `").Replace(p.pkg)
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | `%s` %s | %s |\n", what, p.says, tried, f.Failed, f.worst(), packages, p.tests(), f.when())
	}
	return b.String()
}

// tests names the tests of a promise, for a cell of a table.
func (p *promise) tests() string {
	var names []string
	for _, name := range strings.Split(strings.Trim(p.test, "^$()"), "|") {
		names = append(names, "`"+strings.Trim(name, "()")+"`")
	}
	return strings.Join(names, ", ")
}

// when returns the commit of the first run and, where it is known, its day.
func (f *figure) when() string { return strings.TrimSuffix(f.Commit+", "+f.Date, ", ") }

// worst returns the largest of what was measured, with their units.
func (f *figure) worst() string {
	var parts []string
	for _, unit := range slices.Sorted(maps.Keys(f.Worst)) {
		parts = append(parts, fmt.Sprintf("%.3g %s", f.Worst[unit], unit))
	}
	return strings.Join(parts, ", ")
}

// thousands writes a count with commas.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
