// Command rgm matches graphs and solves quadratic assignment problems, by compiled
// search or by a learned, revocable policy; trains, exports and inspects such
// policies; and serves solutions over HTTP. Command rgm-lab measures all of it.
//
// Results go to standard output, everything else to standard error. The exit
// status is 0 if every input was served, 1 if something failed, 2 if the
// arguments cannot be used. docs/CLI_JSON.md is the contract of the output.
package main

import (
	"os"

	"github.com/rgm-go/rgm/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
