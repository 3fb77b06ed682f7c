// Package verbs has the verbs that rgm and rgm-lab share, a file each: flags in, calls, answers
// out. Run is the main function of both; verbs of rgm alone are in package cli.
package verbs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/pictures"
	"github.com/rgm-go/rgm/cli/settings"

	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/internal/suggest"
)

// versionFlag is the verb version as a flag.
const versionFlag = "version"

// statusCutShort is the exit status of searches that a signal cut short: 128 and the number of
// SIGINT, as shells have it.
const statusCutShort = 130

// Run executes a program's command line, args without its name, and returns its exit status: 0 if every
// input was served, 1 if something failed, 2 if the arguments cannot be used, 130 if a signal cut a search short.
func Run(args []string, newRoot func(*console.Console) *cobra.Command) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once

	screen := console.New(os.Stderr)
	root := newRoot(screen)
	root.SetArgs(withHelpAll(args))
	began := false
	root.PersistentPreRun = func(*cobra.Command, []string) { began = true }
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	screen.Fail(root.Name(), err)
	if !began || errors.As(err, new(settings.UsageError)) || errors.As(err, new(networks.ModelError)) {
		return 2 // what fails before a command begins is its arguments
	}
	if errors.Is(err, ErrCutShort) {
		return statusCutShort
	}
	return 1
}

// withHelpAll returns arguments in which --help follows --help-all, so that neither needs
// what the command needs.
func withHelpAll(args []string) []string {
	if at := slices.Index(args, "--"+settings.HelpAllFlag); at >= 0 {
		return slices.Insert(slices.Clone(args), at+1, "--help")
	}
	return args
}

// Root returns a program without verbs: its name, what its help says, and the flags that
// every program has.
func Root(name, short, long, example string) *cobra.Command {
	root := &cobra.Command{
		Use: name, Short: short, Long: long, Example: example,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if wanted, err := cmd.Flags().GetBool(versionFlag); err != nil || !wanted {
				return errors.Join(err, cmd.Help())
			}
			return printVersions(cmd.OutOrStdout())
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cobra.EnableCommandSorting = false // the first is what most look for
	root.PersistentFlags().String(settings.ConfigFlag, "", "`file` with settings, TOML or YAML")
	root.PersistentFlags().Bool(settings.PrintConfigFlag, false, "print the merged settings as TOML, and do nothing else")
	root.PersistentFlags().Bool(settings.HelpAllFlag, false, "all flags of a command, by groups")
	root.Flags().Bool(versionFlag, false, "print the versions of the program, of ONNX Runtime and of the models")
	root.SetFlagErrorFunc(settings.FlagError)
	return root
}

// AddGroup adds commands that the help shows together below a title.
func AddGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
	}
	root.AddCommand(commands...)
}

// Group returns a command that only holds others.
func Group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return settings.Usage(fmt.Errorf("%s: want %s", cmd.CommandPath(), suggest.OneOf(lists.Of(commands, (*cobra.Command).Name)...)))
		},
	}
	g.AddCommand(commands...)
	return g
}

// PrintPath prints the name of a picture that was written; err is that of writing it.
func PrintPath(cmd *cobra.Command, path string, err error) error {
	if err == nil {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
	}
	return err
}

// AddViewFlag adds the flag that says how a picture shows two graphs.
func AddViewFlag(cmd *cobra.Command) {
	cmd.Flags().String("view", pictures.Views[0], "in the picture both graphs alike, each node where its partner is, or apart, each with its own places and lines to the partners; auto: apart if both have points")
	settings.Complete(cmd, "view", pictures.Views...)
}

// AddOutFlag adds the flag that names a picture.
func AddOutFlag(cmd *cobra.Command, name string) {
	cmd.Flags().StringP("out", "o", name, "picture to write: a `file` .svg or .png")
}
