package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/clitest"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

var updateGolden = flag.Bool("update", false, "write "+goldenFile+" anew")

const goldenFile = "testdata/golden.txt"

// goldenNames are what @5 stands for: instances of five classes.
var goldenNames = strings.Fields("chr12a esc16a nug12 rou12 tai12b")

// goldenCommands are run one after the other in a folder with the tutorials' tables.
var goldenCommands = []string{
	"solve --method auto --max-steps 300 @5",
	"solve --method tabu --max-steps 100 --seed 1 @5",
	"solve --method auto --max-steps 5000 sko100a tai100b tho150",
	"solve --method population --max-steps 300 @5",
	"solve --method anneal --max-steps 500 @5",
	"solve --method rgm --provider go --rollouts 2 --max-steps 10 @5",
	"solve --method greedy --max-steps 50 @5",
	"solve --method greedy-tabu --max-steps 20 @5",
	"solve --method greedy-ages --max-steps 50 @5",
	"solve --method faq --restarts 2 --seed 1 @5",
	"solve --method faq --refine rewrite @5",
	"solve --method faq --refine ipfp @5",
	"solve --method faq --refine tabu @5",
	"solve --method ipfp @5",
	"solve --method sm @5",
	"solve --method rrwm @5",
	"solve --method regrow --max-steps 500 @5",
	"solve --method profile --max-steps 500 --profile chr12a",
	"solve --method exact chr12a scr12",
	"solve --method align --max-steps 500 chr12a", // whose distances are no graph

	"datasets generate --name dense --inliers 10 --outliers 3 --pairs 4 --seed 3 .",
	"solve --provider go --max-steps 10 dense_A.npy",
	"solve --method regrow --max-steps 100 dense_A.npy",
	"solve --method profile --inliers 10 dense_A.npy",
	"solve --method greedy-tabu --max-steps 100 --regularize mean dense_A.npy",
	"solve --method greedy --fix 0:1 --max-steps 50 dense_A.npy",
	"solve --method rrwm dense_A.npy",
	"solve --affinity learned --method profile --provider go dense_A.npy",

	"datasets generate --name delaunay --inliers 14 --outliers 3 --edges delaunay --pairs 2 --seed 4 .",
	"solve --method regrow --max-steps 100 delaunay_A.npy",
	"solve --affinity learned --provider go --max-steps 10 delaunay_A.npy",
	"match --max-steps 10 --provider go left.csv right.csv",

	"solve --method magic nug12",
}

// TestGolden: the program's results stay what they are, at fixed steps and seeds: a table that
// a reader can check. A change that is meant to change them writes
// them anew, after a look at what it costs (internal/quality says how good they are):
//
//	go test ./cmd/rgm -run Golden -update
func TestGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("all methods on many instances")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("others may round, and so choose, otherwise")
	}
	folder := t.TempDir()
	for _, name := range []string{"left.csv", "right.csv"} {
		text, err := os.ReadFile(filepath.Join("../../docs/tutorials/data", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := readGolden(t)
	var all bytes.Buffer
	for _, command := range goldenCommands {
		got := runGolden(t, folder, command)
		fmt.Fprintf(&all, "$ rgm %s\n", command)
		for _, line := range got {
			fmt.Fprintln(&all, line)
		}
		if !*updateGolden {
			compareGolden(t, command, want[command], got)
		}
	}
	if *updateGolden {
		if err := atomicfile.Write(goldenFile, func(w io.Writer) error { _, err := w.Write(all.Bytes()); return err }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGoldenHasEveryMethod: a method that is new is among the golden commands.
func TestGoldenHasEveryMethod(t *testing.T) {
	for _, method := range search.MethodNames() {
		if !slices.ContainsFunc(goldenCommands, func(c string) bool { return strings.Contains(c+" ", " --method "+method+" ") }) {
			t.Errorf("no golden command has --method %s", method)
		}
	}
}

// runGolden runs a command, and returns its results, a line each, and how it ends if not well.
func runGolden(t *testing.T, folder, command string) []string {
	t.Helper()
	arguments := strings.Fields(command)
	if verb := arguments[0]; verb == "solve" || verb == "match" {
		arguments = slices.Insert(arguments, 1, "--format", "json")
	}
	if last := len(arguments) - 1; arguments[last] == "@5" {
		arguments = append(arguments[:last], goldenNames...)
	}
	text, code := runProgram(t, folder, arguments...)
	var lines []string
	for line := range strings.Lines(text) {
		var a report.Answer
		if json.Unmarshal([]byte(line), &a) != nil || a.Status == "" { // no result
			continue
		}
		lines = append(lines, fmt.Sprintf("%-11s %22s  %2d matched  %6d steps  %s, %s",
			a.Instance, report.ExactText(a.Objective), a.Matched, a.Steps, a.FoundBy, a.Status))
	}
	if code != 0 {
		lines = append(lines, fmt.Sprintf("exit status %d", code))
	}
	return lines
}

// runProgram runs rgm in a folder, and returns its standard output and exit status.
func runProgram(t testing.TB, folder string, arguments ...string) (string, int) {
	t.Helper()
	command := exec.Command("rgm", arguments...) // of the test binary: see TestMain
	command.Dir = folder
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.Exited() {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatalf("rgm %s: %v\n%s", strings.Join(arguments, " "), err, stderr.String())
	}
	return string(out), 0
}

// readGolden returns the lines that follow each command of the file.
func readGolden(t *testing.T) map[string][]string {
	t.Helper()
	if *updateGolden {
		return nil
	}
	text := must.Get(os.ReadFile(goldenFile))(t)
	golden, command := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, begins := strings.CutPrefix(line, "$ rgm "); begins {
			command = rest
			continue
		}
		golden[command] = append(golden[command], line)
	}
	return golden
}

// shownDifferences is how many lines of a command a failure shows.
const shownDifferences = 3

func compareGolden(t *testing.T, command string, want, got []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("rgm %s: %d lines, want %d: %q", command, len(got), len(want), got)
		return
	}
	var differences []string
	for k := range want {
		if want[k] != got[k] {
			differences = append(differences, fmt.Sprintf("want %s\n got %s", want[k], got[k]))
		}
	}
	if n := len(differences); n > 0 {
		t.Errorf("rgm %s: %d of %d lines are others:\n%s\nif that is meant, go test ./cmd/rgm -run Golden -update",
			command, n, len(want), strings.Join(differences[:min(n, shownDifferences)], "\n"))
	}
}

// TestLibraryDoesWhatTheProgramDoes: the zero value of rgm.Options and rgm solve
// without flags give the same results for the same seed.
func TestLibraryDoesWhatTheProgramDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("searches without limits")
	}
	clitest.HasONNXRuntime(t) // installs it, if need be: the library's default does not
	p := must.Get(rgm.Open(rgm.Config{}))(t)
	defer p.Close()
	folder := t.TempDir()
	for name, in := range sameProblems(t, folder) {
		for seed := range uint64(2) {
			result := must.Get(p.Solve(context.Background(), in, withSeed(seed)))(t)
			text, code := runProgram(t, folder, "solve", "--format", "json", "--seed", strconv.FormatUint(seed, 10), name)
			var printed rgm.Result
			if err := json.Unmarshal([]byte(text), &printed); err != nil || code != 0 {
				t.Fatalf("%s: exit status %d, %v: %s", name, code, err, text)
			}
			called := result
			if !slices.Equal(called.Matching, printed.Matching) || called.Objective != printed.Objective || called.FoundBy != printed.FoundBy ||
				called.Status != printed.Status || called.Evaluations != printed.Evaluations || called.Steps != printed.Steps {
				t.Errorf("%s, seed %d: the library %+v, the program %+v", name, seed, called, printed)
			}
		}
	}
}

// withSeed returns the zero value with a seed.
func withSeed(seed uint64) rgm.Options {
	var o rgm.Options
	o.Seed = seed
	return o
}

// sameProblems returns instances by what rgm solve calls them in a folder.
func sameProblems(t *testing.T, folder string) map[string]*qap.Instance {
	t.Helper()
	problems := map[string]*qap.Instance{}
	for _, name := range []string{"chr12a", "nug12"} {
		in := must.Get(qaplib.Open(name))(t)
		problems[name] = in
	}
	if text, code := runProgram(t, folder, strings.Fields("datasets generate --name pair --inliers 6 --outliers 2 --pairs 1 .")...); code != 0 {
		t.Fatalf("exit status %d: %s", code, text)
	}
	for in, err := range datasets.Open(filepath.Join(folder, "pair_A.npy"), datasets.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		problems["pair_A.npy"] = in
	}
	return problems
}
