// Command rgm matches graphs and solves quadratic assignment problems, by compiled
// search or by a learned, revocable policy; trains, exports and inspects such
// policies; serves solutions over HTTP; and measures all of it on QAPLIB and on
// graphs with outliers.
//
// Results go to standard output, everything else to standard error. The exit
// status is 0 if every input was served, 1 if something failed, 2 if the
// arguments cannot be used. docs/CLI_JSON.md is the contract of the output.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
)

func main() { os.Exit(run()) }

// run executes the command line and returns the exit status.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once

	screen := console.New(os.Stderr)
	root := newRoot(screen)
	began := false
	root.PersistentPreRun = func(*cobra.Command, []string) { began = true }
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	screen.Fail(err)
	if !began || errors.As(err, new(settings.UsageError)) {
		return 2 // what fails before a command begins is its arguments
	}
	return 1
}
