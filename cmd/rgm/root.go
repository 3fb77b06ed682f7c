package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// usageError is the error of arguments that cannot be used.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// newRoot returns the command line.
func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:   "rgm",
		Short: "Match graphs and solve quadratic assignment with a learned, revocable policy",
		Long: `Match graphs and solve quadratic assignment with a learned, revocable policy.

Every flag can also be set in a file (--config, TOML or YAML, keys named like the
flags) or in the environment (--time-limit is RGM_TIME_LIMIT). A flag counts
before the environment, the environment before the file, the file before the
default.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().String(configFlag, "", "`file` with settings, TOML or YAML")
	root.PersistentFlags().Bool(printConfigFlag, false, "print the merged settings as TOML, and do nothing else")
	root.AddCommand(
		newSolve(c), newTrain(c), newExport(c), newInspect(), newSetup(c), newBench(c), newPlot(c), newDatasets(c), newVersion(),
	)
	return root
}

// group returns a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var names []string
			for _, c := range commands {
				names = append(names, c.Name())
			}
			return usable(fmt.Errorf("%s: want one of %s", cmd.CommandPath(), strings.Join(names, ", ")))
		},
	}
	g.AddCommand(commands...)
	return g
}

// oneOf returns an error unless a setting has one of the allowed values.
func oneOf(setting, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("--%s %q: want %s", setting, value, strings.Join(allowed, ", "))
}

// atLeast returns an error if a setting is too small.
func atLeast(least int, setting string, value int) error {
	if value >= least {
		return nil
	}
	return fmt.Errorf("--%s %d: want %d or more", setting, value, least)
}

// usable returns a usageError of all errors, nil if there are none.
func usable(errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return usageError{err}
	}
	return nil
}

// complete offers the values of a flag to shells.
func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag is not defined
	}
}
