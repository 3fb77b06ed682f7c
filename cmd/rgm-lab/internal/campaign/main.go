// Command campaign keeps the promises of cmd/rgm-lab/notes/RELIABILITY.md: it runs the tests that hold
// them at full scale for as long as it is given, adds up what they report, and writes the
// page's tables from that.
//
//	go run ./cmd/rgm-lab/internal/campaign -time 30m          # what is furthest from its goal first
//	go run ./cmd/rgm-lab/internal/campaign -only '^fuzz' -time 5m
//	go run ./cmd/rgm-lab/internal/campaign -only '^fuzz' -slice 20000 -try # no figures are kept
//	go run ./cmd/rgm-lab/internal/campaign -render            # the tables of the page anew
//	go run ./cmd/rgm-lab/internal/campaign -check             # fails where figures are old
//
// A promise is a test, in the package that it is about. What a test has to say it reports
// as attributes (testing.T.Attr): "tried", a count of what was tried, and "worst ms",
// "worst MB" and so on, the largest of what was measured. Figures are kept in
// cmd/rgm-lab/notes/reliability/figures.json; counts add up over runs,
// until they are more than 100 commits old, or -anew.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"
)

// The files, from the root of the repository.
const (
	figuresFile = "cmd/rgm-lab/notes/reliability/figures.json"
	page        = "cmd/rgm-lab/notes/RELIABILITY.md"
)

func main() {
	var o options
	flag.DurationVar(&o.time, "time", 10*time.Minute, "begin nothing after this `duration`")
	only := flag.String("only", "", "promises whose names match this `expression`")
	flag.BoolVar(&o.anew, "anew", false, "forget the figures of the promises that are run")
	flag.BoolVar(&o.try, "try", false, "run each promise once, and keep no figures")
	flag.IntVar(&fuzzSlice, "slice", fuzzSlice, "inputs that a run of a fuzz target tries")
	render := flag.Bool("render", false, "only write the tables of "+page)
	check := flag.Bool("check", false, fmt.Sprintf("only fail where a promise was not tried in full within %d commits", oldest))
	flag.Parse()
	var err error
	if o.only, err = regexp.Compile(*only); err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		switch {
		case *check:
			err = checkAge(o)
		case !*render:
			err = runPromises(ctx, o)
		}
		if !o.try && !*check {
			err = errors.Join(err, writePage())
		}
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
