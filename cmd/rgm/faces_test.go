package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// faces are the packages that people and programs ask: they call package rgm, and no search below it.
var faces = regexp.MustCompile(`^(cli|serve|capi|cluster|web)(/|$)|^infer/request$|^internal/library$|^cmd/rgm$`)

// TestFacesCallTheDoor: of the searches a face knows package rgm alone, whose Options are the one struct with a
// time limit and a count of matches.
func TestFacesCallTheDoor(t *testing.T) {
	below := regexp.MustCompile(`^qap/|^models/propagation$`)
	asks := regexp.MustCompile(`(?m)^\t(TimeLimit|Inliers) +(int|string|\S*Duration)\b`)
	// What a training is, and the inputs that a model file names, are no searches. Tables of edits are in the types of
	// package edit.
	allowed := func(name, of string) bool {
		return of == "qap/features" || of == "qap/edit" && name == "internal/library" || name == "cli/training"
	}
	own := map[string]bool{"cli/graphpairs/generate.go": true}
	seen := 0
	for _, p := range listPackages(t) {
		name := nameOf(p.ImportPath)
		if !faces.MatchString(name) {
			continue
		}
		seen++
		for _, imported := range p.Imports {
			if of := nameOf(imported); below.MatchString(of) && !allowed(name, of) {
				t.Errorf("%s imports %s: want package rgm to call it", name, of)
			}
		}
		for _, file := range append(p.GoFiles, p.CgoFiles...) {
			text := must.Get(os.ReadFile(filepath.Join(p.Dir, file)))(t)
			if strings.Contains(string(text), "infer.Solve(") || strings.Contains(string(text), "infer.SolveWith(") {
				t.Errorf("%s/%s calls infer.Solve", name, file)
			}
			if field := asks.Find(text); field != nil && !own[name+"/"+file] {
				t.Errorf("%s/%s has %q: want rgm.Options", name, file, field)
			}
		}
	}
	if seen < 15 {
		t.Errorf("%d faces", seen)
	}
}

// linked returns what a package links of the modules, with what imports each.
func linked(t *testing.T, of map[string][]string, name string) map[string]string {
	t.Helper()
	if len(of[name]) == 0 {
		t.Fatalf("the package %s is gone", name)
	}
	by := map[string]string{}
	for rest := []string{name}; len(rest) > 0; rest = rest[1:] {
		for _, imported := range of[rest[0]] {
			if below := nameOf(imported); by[below] == "" {
				by[below], rest = rest[0], append(rest, below)
			}
		}
	}
	return by
}

// TestReadersSearchNothing: what reads files links no search, so that a program that reads graphs is small, and
// package rgm links no files of QAPLIB, which are under the GNU GPL. Package datasets/costs has the problems of
// package edit, and what writes pairs that edits lie between uses it.
func TestReadersSearchNothing(t *testing.T) {
	of := map[string][]string{}
	for _, p := range listPackages(t) {
		of[nameOf(p.ImportPath)] = p.Imports
	}
	for name := range of {
		if name != "datasets" && !strings.HasPrefix(name, "datasets/") {
			continue
		}
		for below, by := range linked(t, of, name) {
			if below == "compare" || strings.HasPrefix(below, "qap/") && !(below == "qap/edit" && (name == "datasets/costs" || by == "datasets/costs")) {
				t.Errorf("%s links %s, by %s: readers search nothing", name, below, by)
			}
		}
	}
	if by := linked(t, of, "rgm")["datasets/qaplib"]; by != "" {
		t.Errorf("package rgm links datasets/qaplib, by %s", by)
	}
}
