// Command rgm-lab measures rgm: methods, models and trainings, in tables and pictures,
// and the paper's tables and figures on one page.
package main

import (
	"os"

	"github.com/rgm-go/rgm/cli/verbs"
	_ "github.com/rgm-go/rgm/lab/research" // registers itself
)

func main() { os.Exit(verbs.Run(os.Args[1:], newRoot)) }
