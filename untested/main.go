// Command untested prints what go test prints and, below it, how many tests were skipped and why:
//
//	go test -json ./... | go run ./untested     # in the root of the repository
//
// Its exit status is 1 where a test failed, and where more tests were skipped for a reason than
// the table of reasons has. The test of this package says the same in a plain go test ./...
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	run, err := read(os.Stdin, os.Stdout)
	if err == nil {
		err = os.Chdir("untested") // from the root of the repository, where go test runs this package's test
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "untested:", err)
		os.Exit(1)
	}
	grown := run.report(os.Stdout)
	if grown {
		fmt.Println("more tests were skipped than untested/reasons.go has: give them what they need, or say there why not")
	}
	if grown || run.failed {
		os.Exit(1)
	}
}

// event is a line of go test -json.
type event struct{ Action, Package, Test, Output string }

// results are what go test -json said.
type results struct {
	failed  bool
	skipped map[string][]string // by the reason, or the message that fits none: the tests
}

// read prints the line of each package, and all output of those that failed.
func read(from io.Reader, to io.Writer) (results, error) {
	r := results{skipped: map[string][]string{}}
	output := map[string]*strings.Builder{} // of a package, and of a test by its full name
	of := func(name string) *strings.Builder {
		if output[name] == nil {
			output[name] = &strings.Builder{}
		}
		return output[name]
	}
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return r, nil
		} else if err != nil && err != io.EOF {
			return r, err
		}
		var e event
		if json.Unmarshal(line, &e) != nil { // of go itself, such as what does not compile
			fmt.Fprint(to, string(line))
			continue
		}
		name := e.Package + " " + e.Test
		switch {
		case e.Action == "build-output":
			fmt.Fprint(to, e.Output)
		case e.Action == "output":
			of(name).WriteString(e.Output)
			if e.Test != "" {
				of(e.Package + " ").WriteString(e.Output)
			} else if strings.HasPrefix(e.Output, "ok ") {
				fmt.Fprint(to, e.Output)
			}
		case e.Action == "fail" || e.Action == "build-fail":
			r.failed = true
			if e.Test == "" {
				fmt.Fprint(to, of(name))
			}
		case e.Action == "skip" && e.Test != "":
			reason := reasonOf(of(name).String())
			r.skipped[reason] = append(r.skipped[reason], name)
		}
	}
}

// report prints how many tests were skipped, and whether that is more than expected.
func (r results) report(to io.Writer) (grown bool) {
	for _, reason := range reasons {
		if n := len(r.skipped[reason.about]); n > 0 {
			fmt.Fprintf(to, "%d tests skipped: %s\n", n, reason.about)
			if most := reason.allowed(); most >= 0 && n > most {
				grown = true
				fmt.Fprintf(to, "  more than %d:\n  %s\n", most, strings.Join(r.skipped[reason.about], "\n  "))
			}
			delete(r.skipped, reason.about)
		}
	}
	for message, tests := range r.skipped {
		grown = true
		fmt.Fprintf(to, "%d tests skipped, for no reason of the table: %s\n  %s\n", len(tests), message, strings.Join(tests, "\n  "))
	}
	return grown
}
