package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// runPromises runs promises, the one that is furthest from its goal first, until the time is over or, where
// none is given, until each has what checkAge asks for. What is old is counted anew. It says which failed.
func runPromises(ctx context.Context, o options, figures map[string]figure) error {
	chosen := o.chosen()
	current := map[string]figure{} // those that count
	for _, p := range chosen {
		if f := figures[p.name]; !o.anew && !o.try && f.left() >= 0 {
			current[p.name] = f
		}
	}
	targets, err := newFuzzPrograms(ctx, o.try)
	if err != nil {
		return err
	}
	defer targets.remove()
	ran := map[string]int{}
	var failed []string
	for begin := time.Now(); (o.time == 0 || time.Since(begin) < o.time) && ctx.Err() == nil; {
		p := o.furthest(chosen, current, ran)
		if p == nil || o.try && ran[p.name] > 0 {
			break
		}
		ran[p.name]++
		run, output := p.run(ctx, targets)
		if ctx.Err() != nil { // it says nothing
			break
		}
		fmt.Printf("%-32s %9d %s in %.0f s\n", p.name, run.Tried, p.unit, run.Seconds)
		if run.Failed > 0 {
			failed = append(failed, p.name)
			fmt.Printf("FAILED\n%s\n", tail(output))
		} else if run.Skipped != "" {
			fmt.Printf("skipped: %s\n", run.Skipped)
		}
		f := current[p.name]
		f.add(run)
		current[p.name], figures[p.name] = f, f
		if o.try {
			continue
		}
		if err := writeFigures(figures); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

// checkAge returns an error that names the promises whose figures are old, short of what is asked
// for, or of a failure. Else it prints when that will be, and what could not be tried, and why.
func checkAge(chosen []promise, figures map[string]figure, w io.Writer) error {
	var errs []error
	left, first := oldest, ""
	for _, p := range chosen {
		f := figures[p.name]
		age := f.left()
		switch {
		case age < 0:
			errs = append(errs, fmt.Errorf("%s: tried last at commit %q, more than %d before this one", p.name, f.Commit, oldest))
		case f.Failed > 0:
			errs = append(errs, fmt.Errorf("%s: %d of %d runs failed: once it is mended, -only '^%s$' -anew", p.name, f.Failed, f.Runs, p.name))
		case f.Tried < p.least() && f.Skipped != "":
			fmt.Fprintf(w, "%s: %d of %d %s: %s\n", p.name, f.Tried, p.least(), p.unit, f.Skipped)
		case f.Tried < p.least():
			errs = append(errs, fmt.Errorf("%s: %d of %d %s", p.name, f.Tried, p.least(), p.unit))
		}
		if age <= left {
			left, first = age, p.name
		}
	}
	if errs == nil {
		fmt.Fprintf(w, "%d more commits until the first figure is old: %s\n", left, first)
	}
	return errors.Join(errs...)
}

func (o *options) chosen() []promise {
	return slices.DeleteFunc(slices.Clone(promises), func(p promise) bool { return !o.only.MatchString(p.name) })
}

// furthest returns the promise that has the least of its goal, nil if all have theirs. One
// that failed or was skipped waits for the next campaign.
func (o *options) furthest(chosen []promise, figures map[string]figure, ran map[string]int) *promise {
	var found *promise
	least := 1.0
	for k, p := range chosen {
		f := figures[p.name]
		again := ran[p.name] == 0 || f.Failed == 0 && f.Skipped == "" && f.Tried > 0
		goal := p.goal
		if o.time == 0 {
			goal = p.least()
		}
		if share := float64(f.Tried) / float64(goal); share < least && again {
			found, least = &chosen[k], share
		}
	}
	return found
}

// run runs a promise once and returns what came of it, with all that was printed.
func (p *promise) run(ctx context.Context, targets *fuzzPrograms) (figure, []byte) {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-count", "1", "-v", "-timeout", "60m", "-p", "1", "-run", p.test}, p.flags...), strings.Fields(p.pkg)...)...)
	if p.fuzz {
		program, err := targets.program(ctx, p.pkg)
		if err != nil {
			return figure{Failed: 1, Runs: 1, Commit: commit()}, []byte(err.Error())
		}
		cmd = exec.CommandContext(ctx, program, targets.arguments(p.pkg, p.test)...)
		cmd.Dir = p.pkg
	}
	begin := time.Now()
	cmd.Env = append(os.Environ(), p.environment...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go ends what it has started
	cmd.WaitDelay = time.Minute
	output, err := cmd.CombinedOutput()
	f := read(output, p.fuzz)
	f.Runs, f.Seconds, f.Commit, f.Date = 1, math.Round(time.Since(begin).Seconds()), commit(), begin.UTC().Format(time.DateOnly)
	if err != nil && !p.passesAlone(ctx, output) {
		f.Failed = 1
	}
	return f, output
}

var (
	hung         = regexp.MustCompile(`fuzzing process hung or terminated unexpectedly`)
	failingInput = regexp.MustCompile(`Failing input written to (testdata/fuzz/\S+)`)
)

// passesAlone reports whether a fuzz target failed only since the machine did something else:
// Go's fuzzer ends a process that has not finished an input within 10 s of the wall's clock.
// The input is tried again, and goes where it passes.
func (p *promise) passesAlone(ctx context.Context, output []byte) bool {
	m := failingInput.FindSubmatch(output)
	if !p.fuzz || m == nil || !hung.Match(output) {
		return false
	}
	name := filepath.Base(string(m[1]))
	if err := exec.CommandContext(ctx, "go", "test", "-count", "1", "-timeout", "1m", "-run", "^"+p.test+"$/^"+name+"$", p.pkg).Run(); err != nil {
		return false
	}
	return os.Remove(filepath.Join(p.pkg, string(m[1]))) == nil
}

var (
	attribute  = regexp.MustCompile(`^\s*=== ATTR\s+\S+ (\S+) (.*)$`)
	executions = regexp.MustCompile(`^fuzz: .* execs: (\d+)`)
	passed     = regexp.MustCompile(`^\s*--- PASS: `)
	skipped    = regexp.MustCompile(`^--- SKIP: `)
)

// read returns the figures in the output of a test. One that reports no attribute "tried"
// tried as many cases as it has tests and subtests that passed.
func read(output []byte, fuzz bool) figure {
	f := figure{}
	passes, execs, told := 0, 0, false
	var before string
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); before = lines.Text() {
		line := lines.Text()
		if m := executions.FindStringSubmatch(line); m != nil {
			execs, _ = strconv.Atoi(m[1])
		}
		if passed.MatchString(line) {
			passes++
		}
		if skipped.MatchString(line) {
			f.Skipped = strings.TrimSpace(before)
			if _, reason, found := strings.Cut(f.Skipped, ".go:"); found { // without the place
				_, f.Skipped, _ = strings.Cut(reason, ": ")
			}
		}
		m := attribute.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			continue
		}
		if unit, isWorst := strings.CutPrefix(m[1], "worst-"); isWorst {
			f.add(figure{Worst: map[string]float64{unit: value}})
		} else if m[1] == "tried" {
			f.Tried += int(value)
			told = true
		}
	}
	switch {
	case fuzz:
		f.Tried = execs
	case !told:
		f.Tried = passes
	}
	return f
}

var wentWell = regexp.MustCompile(`(?m)^\s*(=== (RUN|PAUSE|CONT|ATTR)|--- (PASS|SKIP)).*\n`)

// tail returns the last lines of an output that say what failed.
func tail(output []byte) string {
	const most = 4000
	output = bytes.TrimSpace(wentWell.ReplaceAll(output, nil))
	return string(output[max(0, len(output)-most):])
}
