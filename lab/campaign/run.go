package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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

// runPromises runs promises, one run at a time, in the order of next, until the time is over or nothing is left
// to do. It keeps what each run gave, so that the next campaign goes on from there, and says which failed.
func runPromises(ctx context.Context, o options, figures map[string]figure) error {
	chosen := o.chosen()
	if o.anew || o.try {
		figures = maps.Clone(figures)
		for _, p := range chosen {
			delete(figures, p.name)
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
		p := o.next(chosen, figures, ran)
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
		figures[p.name] = p.after(figures[p.name], run)
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

// after returns the figure of a promise after one more run. Runs of one that is old are counted apart, and
// take its place once they reach what -check asks for, or where the promise is broken: until then the old
// figure stands. A run that was skipped, since this machine cannot try it, leaves an old figure alone.
func (p *promise) after(f, run figure) figure {
	old, full := f.age() > oldest, f.Tried >= p.least()
	switch {
	case f.Failed > 0, old && !full:
		f = figure{} // counted anew
		fallthrough
	case !old:
		f.add(run)
		return f
	case run.Skipped != "" && run.Failed == 0:
		return f
	}
	var again figure
	if f.Again != nil && f.Again.age() <= oldest {
		again = *f.Again
	}
	again.add(run)
	if again.Failed > 0 || again.Tried >= p.least() {
		return again
	}
	f.Again = &again
	return f
}

// check returns an error that names the promises whose figures are short of what is asked for, or of a failure.
// It prints what could not be tried, and why, and how old the oldest figures are: age fails nothing.
func check(chosen []promise, figures map[string]figure, w io.Writer) error {
	var errs []error
	old, oldestOf, most := 0, promise{}, -1
	for _, p := range chosen {
		f := figures[p.name]
		switch {
		case f.Failed > 0:
			errs = append(errs, fmt.Errorf("%s: %d of %d runs failed: once it is mended, -only '^%s$' tries it anew", p.name, f.Failed, f.Runs, p.name))
		case f.Tried < p.least() && f.Skipped != "":
			fmt.Fprintf(w, "%s: %d of %d %s: %s\n", p.name, f.Tried, p.least(), p.unit, f.Skipped)
		case f.Tried < p.least():
			errs = append(errs, fmt.Errorf("%s: %d of %d %s", p.name, f.Tried, p.least(), p.unit))
		}
		age := f.age()
		if age > oldest {
			old++
		}
		if age > most {
			oldestOf, most = p, age
		}
	}
	if most >= 0 {
		fmt.Fprintf(w, "the oldest figure: %s, %s\n", oldestOf.name, figures[oldestOf.name].howOld())
	}
	if old > 0 {
		fmt.Fprintf(w, "older than %d commits: %d of %d; the campaign tries them again, with -time 20m as many as fit\n", oldest, old, len(chosen))
	}
	return errors.Join(errs...)
}

func (o *options) chosen() []promise {
	return slices.DeleteFunc(slices.Clone(promises), func(p promise) bool { return !o.only.MatchString(p.name) })
}

// next returns the promise to run: of those that -check misses the one with the least of what it asks for;
// then the oldest of those that are old; then, where there is a time to fill, the one that is furthest from
// its goal. It is nil where nothing is left. One that failed or was skipped waits for the next campaign.
func (o *options) next(chosen []promise, figures map[string]figure, ran map[string]int) *promise {
	var short, old, far *promise
	least, age, share := 1.0, oldest, 1.0
	for k := range chosen {
		p, f := &chosen[k], figures[chosen[k].name]
		if ran[p.name] > 0 && (f.Failed > 0 || f.Skipped != "" || f.Tried == 0) {
			continue
		}
		s := float64(f.Tried) / float64(p.least())
		if f.Failed > 0 {
			s = 0
		}
		if s < least {
			short, least = p, s
		}
		if a := f.age(); a > age && (ran[p.name] == 0 || f.Again != nil && f.Again.Tried > 0) {
			old, age = p, a
		}
		if s := float64(f.Tried) / float64(p.goal); s < share && o.time > 0 {
			far, share = p, s
		}
	}
	return cmp.Or(short, old, far)
}

// moduleOf is the folder of the module that a package is of.
func moduleOf(pkg string) string {
	for _, folder := range []string{"lab", "cluster"} {
		if strings.HasPrefix(pkg, "./"+folder+"/") {
			return folder
		}
	}
	return "."
}

// goCommand runs go on a package, from the root of the repository, in the module that the package is of.
func goCommand(ctx context.Context, pkg string, arguments ...string) *exec.Cmd {
	in := moduleOf(pkg)
	arguments = append([]string{"-C", in}, arguments...)
	return exec.CommandContext(ctx, "go", append(arguments, "./"+strings.TrimPrefix(pkg, "./"+in+"/"))...)
}

// run runs a promise once and returns what came of it, with all that was printed.
func (p *promise) run(ctx context.Context, targets *fuzzPrograms) (figure, []byte) {
	var commands []*exec.Cmd
	for _, pkg := range strings.Fields(p.pkg) {
		if !p.fuzz {
			commands = append(commands, goCommand(ctx, pkg, append([]string{"test", "-count", "1", "-v", "-timeout", "60m", "-run", p.test}, p.flags...)...))
			continue
		}
		program, err := targets.program(ctx, pkg)
		if err != nil {
			return figure{Failed: 1, Runs: 1, Commit: commit()}, []byte(err.Error())
		}
		cmd := exec.CommandContext(ctx, program, targets.arguments(pkg, p.test)...)
		cmd.Dir = pkg
		commands = append(commands, cmd)
	}
	begin := time.Now()
	var output []byte
	var err error
	for _, cmd := range commands {
		cmd.Env = append(os.Environ(), p.environment...)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go ends what it has started
		cmd.WaitDelay = time.Minute
		text, failed := cmd.CombinedOutput()
		output, err = append(output, text...), errors.Join(err, failed)
	}
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
	if err := goCommand(ctx, p.pkg, "test", "-count", "1", "-timeout", "1m", "-run", "^"+p.test+"$/^"+name+"$").Run(); err != nil {
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
