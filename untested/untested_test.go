package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stream is what go test -json prints of two packages, shortened.
const stream = `{"Action":"output","Package":"a","Test":"TestData","Output":"    x.go:1: needs data that are not part of the repository: data/x\n"}
{"Action":"skip","Package":"a","Test":"TestData","Elapsed":0}
{"Action":"output","Package":"a","Test":"TestGone","Output":"    x.go:2: the moon is not full\n"}
{"Action":"skip","Package":"a","Test":"TestGone","Elapsed":0}
{"Action":"output","Package":"a","Output":"coverage: 80.0% of statements\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\tcoverage: 80.0% of statements\n"}
{"Action":"pass","Package":"a","Elapsed":0.1}
{"Action":"output","Package":"b","Test":"TestWrong","Output":"    y.go:3: 2, want 3\n"}
{"Action":"fail","Package":"b","Test":"TestWrong","Elapsed":0}
{"Action":"output","Package":"b","Output":"FAIL\tb\t0.1s\n"}
{"Action":"fail","Package":"b","Elapsed":0.1}
`

// TestReport: packages that pass are a line, those that fail all they say; skipped tests are
// counted by their reason, and one for no reason of the table makes the run fail.
func TestReport(t *testing.T) {
	var printed bytes.Buffer
	run, err := read(strings.NewReader(stream), &printed)
	if err != nil || !run.failed {
		t.Fatalf("failed %v, %v", run.failed, err)
	}
	if want := "ok  \ta\t0.1s\tcoverage: 80.0% of statements\n    y.go:3: 2, want 3\nFAIL\tb\t0.1s\n"; printed.String() != want {
		t.Errorf("printed %q, want %q", &printed, want)
	}
	printed.Reset()
	data := reasons[0]
	reasons[0].holds = func() bool { return true }
	defer func() { reasons[0] = data }()
	grown := run.report(&printed)
	want := "1 tests skipped: " + reasons[0].about + "\n1 tests skipped, for no reason of the table: the moon is not full\n  a TestGone\n"
	if !grown || printed.String() != want {
		t.Errorf("grown %v, printed %q, want %q", grown, &printed, want)
	}
	many := results{skipped: map[string][]string{reasons[0].about: make([]string, reasons[0].most+1)}}
	if !many.report(&printed) {
		t.Error("a number that has grown passes")
	}
}

// TestSkippedHere says on standard error of go test, which shows nothing of a package that
// passes, how many tests of the module this machine cannot run, and why.
func TestSkippedHere(t *testing.T) {
	var text strings.Builder
	for _, r := range reasons {
		switch {
		case !r.holds():
		case r.most == 0:
			fmt.Fprintln(&text, "some tests skipped:", r.about)
		default:
			fmt.Fprintln(&text, r.most, "tests skipped:", r.about)
		}
	}
	t.Log(text.String())
	if terminal, err := standardErrorOfGo(); err == nil {
		defer terminal.Close()
		fmt.Fprint(terminal, text.String())
	}
}

// standardErrorOfGo opens that of the go command that runs this test, where /proc has it.
func standardErrorOfGo() (*os.File, error) {
	parent := filepath.Join("/proc", fmt.Sprint(os.Getppid()))
	name, err := os.ReadFile(filepath.Join(parent, "comm"))
	if err != nil || strings.TrimSpace(string(name)) != "go" {
		return nil, fmt.Errorf("%s: %q, %w", parent, name, err)
	}
	return os.OpenFile(filepath.Join(parent, "fd", "2"), os.O_WRONLY|os.O_APPEND, 0)
}
