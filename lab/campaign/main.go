// Command campaign keeps the promises of lab/notes/RELIABILITY.md: it runs the tests that hold
// them at full scale for as long as it is given, adds up what they report, and writes the
// page's tables from that.
//
//	go -C lab run ./campaign                    # what is short or old; goes on where it was stopped
//	go -C lab run ./campaign -time 20m          # as much of it as fits, then on towards the goals
//	go -C lab run ./campaign -only '^fuzz' -slice 20000 -try # no figures are kept
//	go -C lab run ./campaign -render            # the tables of the page anew
//	go -C lab run ./campaign -check             # fails where figures are short or of a failure; says how old they are
//
// A promise is a test, in the package that it is about. What a test has to say it reports
// as attributes (testing.T.Attr): "tried", a count of what was tried, and "worst ms",
// "worst MB" and so on, the largest of what was measured. Figures are kept in
// lab/notes/reliability/figures.json; counts add up over runs,
// until the first of them is more than 100 commits old, or -anew. What is old is tried again, oldest first; its
// figures stand until the new ones are complete. Age fails nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

// The files, from the root of the repository.
const (
	figuresFile = "lab/notes/reliability/figures.json"
	page        = "lab/notes/RELIABILITY.md"
)

func main() {
	var o options
	flag.DurationVar(&o.time, "time", 0, "begin nothing after this `duration`, and where nothing is short or old go on towards the goals")
	only := flag.String("only", "", "promises whose names match this `expression`")
	flag.BoolVar(&o.anew, "anew", false, "forget the figures of the promises that are run")
	flag.BoolVar(&o.try, "try", false, "run each promise once, and keep no figures")
	flag.IntVar(&fuzzSlice, "slice", fuzzSlice, "inputs that a run of a fuzz target tries")
	render := flag.Bool("render", false, "only write the tables of "+page)
	checks := flag.Bool("check", false, fmt.Sprintf("only fail where a promise was broken or not tried in full, a reader on %d inputs; print how old figures are", leastInputs))
	flag.Parse()
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err == nil {
		err = os.Chdir(strings.TrimSpace(string(root)))
	}
	var figures map[string]figure
	if err == nil {
		figures, err = readFigures("")
	}
	if err == nil {
		o.only, err = regexp.Compile(*only)
	}
	switch {
	case err != nil:
	case *checks:
		err = check(o.chosen(), figures, os.Stdout)
	case !*render:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		err = runPromises(ctx, o, figures)
	}
	if figures != nil && !o.try && !*checks {
		err = errors.Join(err, writePage(figures))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(1)
	}
}

// options of a run.
type options struct {
	time time.Duration
	only *regexp.Regexp
	anew bool
	try  bool
}
