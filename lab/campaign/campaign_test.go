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

// TestPage: the tables of lab/notes/RELIABILITY.md are those of the figures beside it.
func TestPage(t *testing.T) {
	text := must.Get(os.ReadFile("../../" + page))(t)
	figures := must.Get(readFigures("../../"))(t)
	rendered := must.Get(render(string(text), figures))(t)
	if rendered != string(text) {
		t.Errorf("%s is not what its figures say: go -C lab run ./campaign -render", page)
	}
}

// TestFiguresAreOfPromises: the figures have no promise that is there no longer.
func TestFiguresAreOfPromises(t *testing.T) {
	figures, known := must.Get(readFigures("../../"))(t), map[string]bool{}
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
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "campaign_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			there["./"+strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")+" "+m[1]] = true
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
	figures := must.Get(readFigures("../../"))(t)
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

// at returns a figure of a commit, by its name in git. It skips the test where the commit is not there.
func at(t *testing.T, revision string, f figure) figure {
	t.Helper()
	name, err := exec.Command("git", "rev-parse", "--short", revision).Output()
	if err != nil {
		t.Skip("no clone with its history")
	}
	f.Commit, f.Runs = strings.TrimSpace(string(name)), max(1, f.Runs)
	return f
}

// TestCheck: a promise that was broken or not tried in full fails the check. Age is told, and fails nothing.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		f          figure
		fuzz       bool
		says, told string
	}{
		{f: at(t, "HEAD", figure{Tried: 200}), told: "the oldest figure: a, 0 commits ago"},
		{f: at(t, "HEAD~3", figure{Tried: 200}), told: "3 commits ago"},
		{f: at(t, "HEAD", figure{Tried: 199}), says: "a: 199 of 200 kills"},
		{f: at(t, "HEAD", figure{Skipped: "no network"}), told: "a: 0 of 200 kills: no network"},
		{f: at(t, "HEAD", figure{Tried: 200, Runs: 4, Failed: 1}), says: "a: 1 of 4 runs failed"},
		{f: at(t, "HEAD~101", figure{Tried: 200}), told: "older than 100 commits: 1 of 1"},
		{f: at(t, "HEAD~101", figure{Tried: 199}), says: "a: 199 of 200 kills"},
		{f: figure{Tried: 200, Runs: 1, Commit: "unknown"}, told: "at commit unknown, which is not in this clone's history"},
		{says: "a: 0 of 200 kills", told: "not tried yet"},
		{f: at(t, "HEAD", figure{Tried: 100_000}), fuzz: true, told: "0 commits ago"},
		{f: at(t, "HEAD", figure{Tried: 99_999}), fuzz: true, says: "99999 of 100000"},
	} {
		p := promise{name: "a", goal: 200, unit: "kills", fuzz: c.fuzz}
		if c.fuzz {
			p.goal = 1_000_000
		}
		var told strings.Builder
		err := check([]promise{p}, map[string]figure{"a": c.f}, &told)
		if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) || !strings.Contains(told.String(), c.told) {
			t.Errorf("%+v: %v, %q", c.f, err, &told)
		}
	}
}

// TestAfter: an old figure stands until the runs that replace it are complete, or one of them fails.
func TestAfter(t *testing.T) {
	p := promise{name: "a", goal: 200, unit: "kills"}
	run := func(tried, failed int, skipped string) figure {
		return at(t, "HEAD", figure{Tried: tried, Failed: failed, Skipped: skipped})
	}
	old := at(t, "HEAD~101", figure{Tried: 300})
	f := p.after(old, run(120, 0, ""))
	if f.Tried != 300 || f.Commit != old.Commit || f.Again == nil || f.Again.Tried != 120 {
		t.Errorf("after a part: %+v", f)
	}
	if f := p.after(f, run(120, 0, "")); f.Tried != 240 || f.age() != 0 || f.Again != nil {
		t.Errorf("after all: %+v", f)
	}
	if f := p.after(f, run(1, 1, "")); f.Failed != 1 || f.age() != 0 {
		t.Errorf("after a failure: %+v", f)
	}
	if f := p.after(old, run(0, 0, "no network")); f.Tried != 300 || f.Again != nil || f.Skipped != "" {
		t.Errorf("where it cannot be tried: %+v", f)
	}
	if f := p.after(run(120, 0, ""), run(120, 0, "")); f.Tried != 240 || f.Runs != 2 {
		t.Errorf("a new one: %+v", f)
	}
	if f := p.after(run(300, 1, ""), run(120, 0, "")); f.Tried != 120 || f.Failed != 0 {
		t.Errorf("one that failed: %+v", f)
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

// TestNext: what is short comes first, what failed is shorter than all; then what is old, the oldest first; then,
// where there is time for it, what is furthest from its goal. What failed or was skipped waits for another campaign.
func TestNext(t *testing.T) {
	list := []promise{{name: "a", goal: 10}, {name: "b", goal: 100}, {name: "c", goal: 1}, {name: "d", goal: 1}, {name: "r", goal: 1_000_000, fuzz: true}}
	failed, short := figure{Tried: 200, Failed: 1, Runs: 1}, at(t, "HEAD", figure{Tried: 5})
	old, older := at(t, "HEAD~101", figure{Tried: 1}), at(t, "HEAD~105", figure{Tried: 1})
	begun := older
	begun.Again = &figure{Tried: 1}
	fresh := at(t, "HEAD", figure{Tried: 100_000})
	for _, c := range []struct {
		figures map[string]figure // of a, b, c, d; that of r is fresh
		ran     string
		time    time.Duration
		want    string
	}{
		{map[string]figure{"a": short, "b": failed, "c": old, "d": older}, "", 0, "b"},
		{map[string]figure{"a": short, "b": failed, "c": old, "d": older}, "b", 0, "a"},
		{map[string]figure{"a": fresh, "b": fresh, "c": old, "d": older}, "", 0, "d"},
		{map[string]figure{"a": fresh, "b": fresh, "c": old, "d": older}, "d", 0, "c"},
		{map[string]figure{"a": fresh, "b": fresh, "c": old, "d": begun}, "d", 0, "d"},
		{map[string]figure{"a": fresh, "b": fresh, "c": fresh, "d": fresh}, "", 0, ""},
		{map[string]figure{"a": fresh, "b": fresh, "c": fresh, "d": fresh}, "", time.Hour, "r"},
	} {
		c.figures["r"] = fresh
		o, got := options{time: c.time}, ""
		if p := o.next(list, c.figures, map[string]int{c.ran: 1}); p != nil {
			got = p.name
		}
		if got != c.want {
			t.Errorf("after %q ran: %q, want %q: %+v", c.ran, got, c.want, c.figures)
		}
	}
}
