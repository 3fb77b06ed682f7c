// Package cli is the command line of rgm, with the verbs that rgm-lab has not. Those that both have are in
// package verbs.
package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
)

// Main executes the command line of rgm, args without its name, and returns its exit status.
func Main(args []string) int { return verbs.Run(args, Root) }

// Root returns the command line.
func Root(c *console.Console) *cobra.Command {
	root := verbs.Root("rgm", "Match graphs and solve quadratic assignment problems",
		`Match graphs and solve quadratic assignment problems, by compiled search (the
default) or by a learned, revocable policy, and train such policies. What measures
methods and models is another program, rgm-lab.

Every flag can also be set in a file (--config, TOML or YAML, keys named like the
flags) or in the environment (--time-limit is RGM_TIME_LIMIT). A flag counts
before the environment, the environment before the file, the file before the
default.`,
		`  rgm solve nug30                              # an instance of QAPLIB, which is built in
  rgm solve --time-limit 1s problems/*.dat     # your own files
  rgm match -o pair.svg left.csv right.csv     # two tables of points, and a picture
  rgm serve                                    # over HTTP`)
	plot := verbs.Group("plot", "Draw a matching", append(movedToLab("plot", "training", "profile", "affinity", "frontier", "f1"), verbs.PlotMatching())...)
	verbs.AddGroup(root, "Solve:", verbs.Solve(c), newMatch(c), newVerify(c), newScore(c), verbs.Datasets(c), plot)
	verbs.AddGroup(root, "Train:", verbs.Train(c, movedToLab("train", "affinity", "ngm", "lcs", "rewrite")...), verbs.Export(c), verbs.Inspect())
	verbs.AddGroup(root, "Serve:", newServe(c), newWorker(c), newBatch(c), newBundle(c))
	verbs.AddGroup(root, "Install:", newSetup(c), verbs.Version())
	root.AddCommand(movedToLab("", "bench", "report")...)
	settings.SetHelp(root, verbs.Sections, verbs.First)
	return root
}

// movedToLab returns verbs that only say where they are.
func movedToLab(parent string, names ...string) []*cobra.Command {
	var moved []*cobra.Command
	for _, name := range names {
		moved = append(moved, &cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(_ *cobra.Command, args []string) error {
				words := append(strings.Fields("rgm-lab "+parent+" "+name), args...)
				return settings.Usage(fmt.Errorf("now %s", strings.Join(words, " ")))
			},
		})
	}
	return moved
}
