// Package cli is the command line of rgm, with the verbs that rgm-lab has not. Those that both have are in
// package verbs.
package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
)

// A Verb makes a command of a program.
type Verb func(*console.Console) *cobra.Command

// An Option makes another program of rgm.
type Option func(*program)

// program is what options say of one.
type program struct {
	name      string
	openQueue service.QueueOpener
	serving   []Verb // beside rgm serve
}

// Named is the name of a program that is rgm with more.
func Named(name string) Option { return func(p *program) { p.name = name } }

// WithQueue gives rgm serve and rgm distance --all durable queues.
func WithQueue(open service.QueueOpener) Option { return func(p *program) { p.openQueue = open } }

// With adds verbs beside rgm serve.
func With(verbs ...Verb) Option {
	return func(p *program) { p.serving = append(p.serving, verbs...) }
}

// Main executes the command line of rgm, args without its name, and returns its exit status.
func Main(args []string, options ...Option) int {
	return verbs.Run(args, func(c *console.Console) *cobra.Command { return Root(c, options...) })
}

// Root returns the command line.
func Root(c *console.Console, options ...Option) *cobra.Command {
	p := program{name: "rgm"}
	for _, set := range options {
		set(&p)
	}
	root := verbs.Root(p.name, "Match graphs and solve quadratic assignment problems",
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
	plot := verbs.Group("plot", "Draw a matching", append(moved("rgm-lab plot", "training", "profile", "affinity", "frontier", "f1"), verbs.PlotMatching())...)
	verbs.AddGroup(root, "Solve:", verbs.Solve(c), newMatch(c), newDistance(c, p.openQueue), newVerify(c), newScore(c), verbs.Datasets(c), plot)
	verbs.AddGroup(root, "Train:", verbs.Train(c, moved("rgm-lab train", "ngm", "lcs", "rewrite")...), verbs.Export(c), verbs.Inspect())
	serving := []*cobra.Command{newServe(c, p.openQueue)}
	for _, verb := range p.serving {
		serving = append(serving, verb(c))
	}
	verbs.AddGroup(root, "Serve:", append(serving, newBundle(c))...)
	if p.openQueue == nil {
		root.AddCommand(moved("rgm-cluster", "worker", "batch")...)
	}
	verbs.AddGroup(root, "Install:", newSetup(c), verbs.Version())
	root.AddCommand(moved("rgm-lab", "bench", "report")...)
	settings.SetHelp(root, verbs.Sections(), verbs.First)
	return root
}

// moved returns verbs that only say of which command they are.
func moved(parent string, names ...string) []*cobra.Command {
	var all []*cobra.Command
	for _, name := range names {
		all = append(all, &cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(_ *cobra.Command, args []string) error {
				words := append([]string{parent, name}, args...)
				return settings.Usage(fmt.Errorf("now %s", strings.Join(words, " ")))
			},
		})
	}
	return all
}
