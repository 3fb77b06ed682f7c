package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
)

// TestPage: the tables of cmd/rgm-lab/notes/RELIABILITY.md are those of the figures beside it.
func TestPage(t *testing.T) {
	text := must.Get(os.ReadFile("../../../../" + page))(t)
	figures := must.Get(readFigures("../../../../"))(t)
	rendered := must.Get(render(string(text), figures))(t)
	if rendered != string(text) {
		t.Errorf("%s is not what its figures say: go run ./cmd/rgm-lab/internal/campaign -render", page)
	}
}

// TestFiguresAreOfPromises: the figures have no promise that is there no longer.
func TestFiguresAreOfPromises(t *testing.T) {
	figures, known := must.Get(readFigures("../../../../"))(t), map[string]bool{}
	for _, p := range promises {
		if known[p.name] {
			t.Errorf("two promises %s", p.name)
		}
		known[p.name] = true
	}
	for name := range figures {
		if !known[name] {
			t.Errorf("%s has figures of %s, which is no promise", figuresFile, name)
		}
	}
}

// TestEveryTargetIsAPromise: each fuzz target of the module is one, and each that is promised
// is there.
func TestEveryTargetIsAPromise(t *testing.T) {
	there := map[string]bool{}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)
	err := filepath.WalkDir("../../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "campaign_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			there["./"+strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../../../")+" "+m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range promises {
		if name := p.pkg + " " + p.test; p.fuzz && !there[name] {
			t.Errorf("there is no %s", name)
		} else if p.fuzz {
			delete(there, name)
		}
	}
	for name := range there {
		t.Errorf("%s is no promise: list it in promises.go", name)
	}
}

// TestCommitsAreAncestors: every figure names a commit that this one stands on, so that it
// can be had again.
func TestCommitsAreAncestors(t *testing.T) {
	if shallow, err := exec.Command("git", "rev-parse", "--is-shallow-repository").Output(); err != nil || strings.TrimSpace(string(shallow)) != "false" {
		t.Skip("no clone with its history")
	}
	figures := must.Get(readFigures("../../../../"))(t)
	of := map[string][]string{} // what by commit
	for name, f := range figures {
		of[f.Commit] = append(of[f.Commit], name)
	}
	for commit, names := range of {
		if err := exec.Command("git", "merge-base", "--is-ancestor", commit, "HEAD").Run(); err != nil {
			t.Errorf("%q is no commit that this one stands on: run %q anew, on one that stays", commit, names)
		}
	}
}

// TestCheck: what fails the check, what does not, and what is told. Figures count for a hundred commits.
func TestCheck(t *testing.T) {
	at := func(revision string, f figure) figure {
		name, err := exec.Command("git", "rev-parse", "--short", revision).Output()
		if err != nil {
			t.Skip("no clone with its history")
		}
		f.Commit = strings.TrimSpace(string(name))
		return f
	}
	for _, c := range []struct {
		f          figure
		fuzz       bool
		says, told string
	}{
		{f: at("HEAD", figure{Tried: 200}), told: "100 more commits until the first figure is old: a"},
		{f: at("HEAD~3", figure{Tried: 200}), told: "97 more commits"},
		{f: at("HEAD", figure{Tried: 199}), says: "a: 199 of 200 kills"},
		{f: at("HEAD", figure{Skipped: "no network"}), told: "a: 0 of 200 kills: no network"},
		{f: at("HEAD", figure{Tried: 200, Runs: 4, Failed: 1}), says: "a: 1 of 4 runs failed"},
		{f: at("HEAD~101", figure{Tried: 200}), says: "more than 100 before"},
		{f: at("HEAD~101", figure{Skipped: "no network"}), says: "more than 100 before"},
		{f: figure{Tried: 200, Commit: "unknown"}, says: "more than 100 before"},
		{says: "more than 100 before"},
		{f: at("HEAD", figure{Tried: 100_000}), fuzz: true, told: "100 more commits"},
		{f: at("HEAD", figure{Tried: 99_999}), fuzz: true, says: "99999 of 100000"},
	} {
		p := promise{name: "a", goal: 200, unit: "kills", fuzz: c.fuzz}
		if c.fuzz {
			p.goal = 1_000_000
		}
		var told strings.Builder
		err := checkAge([]promise{p}, map[string]figure{"a": c.f}, &told)
		if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) || !strings.Contains(told.String(), c.told) {
			t.Errorf("%+v: %v, %q", c.f, err, &told)
		}
	}
}

// TestPassesAlone: an input on which the fuzzer lost patience counts as a failure only
// where it fails again.
func TestPassesAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test")
	}
	t.Chdir(t.TempDir())
	const target = `package p

import "testing"

func FuzzP(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		if text == "bad" {
			t.Error(text)
		}
	})
}
`
	where := filepath.Join("testdata", "fuzz", "FuzzP")
	err := errors.Join(os.MkdirAll(where, 0o777), os.WriteFile("go.mod", []byte("module p\n\ngo 1.25\n"), 0o666), os.WriteFile("p_test.go", []byte(target), 0o666))
	for _, text := range []string{"good", "bad"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(where, text), fmt.Appendf(nil, "go test fuzz v1\nstring(%q)\n", text), 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	p := promise{pkg: ".", test: "FuzzP", fuzz: true}
	const told = "--- FAIL: FuzzP (528.90s)\n    %s: exit status 2\n    Failing input written to testdata/fuzz/FuzzP/%s\n"
	const lost = "fuzzing process hung or terminated unexpectedly"
	for _, c := range []struct {
		fault, input string
		want         bool
	}{{"p_test.go:5: another", "good", false}, {lost, "bad", false}, {lost, "good", true}} {
		if got := p.passesAlone(t.Context(), fmt.Appendf(nil, told, c.fault, c.input)); got != c.want {
			t.Errorf("%s with %s: %t, want %t", c.fault, c.input, got, c.want)
		}
	}
	if left, err := os.ReadDir(where); err != nil || len(left) != 1 || left[0].Name() != "bad" {
		t.Errorf("the inputs left are %v (%v), want bad alone", left, err)
	}
}

// TestRead: what tests report is read from their output.
func TestRead(t *testing.T) {
	f := read([]byte("=== RUN   TestA\n=== ATTR  TestA tried 12\n    === ATTR  TestA/x worst-ms 3.5\n=== ATTR  TestB worst-ms 2\n--- PASS: TestA (0.1s)\n"), false)
	if f.Tried != 12 || f.Worst["ms"] != 3.5 || f.Skipped != "" {
		t.Errorf("%+v", f)
	}
	f = read([]byte("=== RUN   TestA\n    --- PASS: TestA/x (0.0s)\n    --- PASS: TestA/y (0.0s)\n--- PASS: TestA (0.1s)\n"), false)
	if f.Tried != 3 {
		t.Errorf("%d tests that passed, want 3", f.Tried)
	}
	f = read([]byte("=== RUN   TestA\n    a_test.go:5: no network\n--- SKIP: TestA (0.1s)\n"), false)
	if f.Tried != 0 || !strings.Contains(f.Skipped, "no network") {
		t.Errorf("%+v", f)
	}
	f = read([]byte("fuzz: elapsed: 0s, gathering baseline coverage: 0/9 completed\nfuzz: elapsed: 3s, execs: 7000 (2333/sec), new interesting: 0 (total: 9)\nfuzz: elapsed: 4s, execs: 10000 (3000/sec), new interesting: 0 (total: 9)\nPASS\n"), true)
	if f.Tried != 10000 {
		t.Errorf("%d executions, want 10000", f.Tried)
	}
}

// TestFiguresAddUp: counts add, the worst stays, and they are as old as the first.
func TestFiguresAddUp(t *testing.T) {
	f := figure{Tried: 2, Runs: 1, Worst: map[string]float64{"ms": 5}, Commit: "a"}
	f.add(figure{Tried: 3, Failed: 1, Runs: 1, Worst: map[string]float64{"ms": 4, "MB": 1}, Commit: "b"})
	if f.Tried != 5 || f.Failed != 1 || f.Runs != 2 || f.Worst["ms"] != 5 || f.Worst["MB"] != 1 || f.Commit != "a" {
		t.Errorf("%+v", f)
	}
}

// TestFurthest: the promise with the least of its goal is next; one that failed waits. Readers reach
// their goals where there is time for it.
func TestFurthest(t *testing.T) {
	list := []promise{{name: "a", goal: 10}, {name: "b", goal: 100}, {name: "c", goal: 1}}
	figures := map[string]figure{"a": {Tried: 5}, "b": {Tried: 20, Failed: 1}, "c": {Tried: 1}}
	if p := new(options).furthest(list, figures, map[string]int{}); p == nil || p.name != "b" {
		t.Errorf("%+v, want b", p)
	}
	if p := new(options).furthest(list, figures, map[string]int{"b": 1}); p == nil || p.name != "a" {
		t.Errorf("%+v, want a", p)
	}
	if p := new(options).furthest(list[2:], figures, map[string]int{}); p != nil {
		t.Errorf("%+v, want none", p)
	}
	reader := []promise{{name: "r", goal: 1_000_000, fuzz: true}}
	for wait, want := range map[time.Duration]bool{0: false, time.Hour: true} {
		o := options{time: wait}
		if p := o.furthest(reader, map[string]figure{"r": {Tried: 100_000}}, map[string]int{}); (p != nil) != want {
			t.Errorf("after 100,000 inputs, with %v: %+v", wait, p)
		}
	}
}
