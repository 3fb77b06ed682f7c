package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
)

// versionFlag is rgm version as a flag.
const versionFlag = "version"

// newRoot returns the command line.
func newRoot(c *console.Console) *cobra.Command {
	root := &cobra.Command{
		Use:   "rgm",
		Short: "Match graphs and solve quadratic assignment problems",
		Long: `Match graphs and solve quadratic assignment problems, by compiled search (the
default) or by a learned, revocable policy; train such policies and measure them.

Every flag can also be set in a file (--config, TOML or YAML, keys named like the
flags) or in the environment (--time-limit is RGM_TIME_LIMIT). A flag counts
before the environment, the environment before the file, the file before the
default.`,
		Example: `  rgm solve nug30                              # an instance of QAPLIB, which is built in
  rgm solve --time-limit 1s problems/*.dat     # your own files
  rgm match -o pair.svg left.csv right.csv     # two tables of points, and a picture
  rgm serve                                    # over HTTP`,
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
	root.Flags().Bool(versionFlag, false, "print the versions of the program, of ONNX Runtime and of the models")
	root.SetFlagErrorFunc(settings.FlagError)
	addGroup(root, "Solve:", newSolve(c), newMatch(c), newVerify(c), newScore(c), newDatasets(c))
	addGroup(root, "Train:", newTrain(c), newExport(c), newInspect())
	addGroup(root, "Measure:", newBench(c), newReport(c), newPlot(c))
	addGroup(root, "Serve:", newServe(c), newWorker(c), newBatch(c), newBundle(c))
	addGroup(root, "Install:", newSetup(c), newVersion())
	settings.SetHelp(root, sections)
	return root
}

// addGroup adds commands that the help shows together below a title.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
	}
	root.AddCommand(commands...)
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
			return settings.Usage(fmt.Errorf("%s: want one of %s", cmd.CommandPath(), strings.Join(names, ", ")))
		},
	}
	g.AddCommand(commands...)
	return g
}

func newBench(c *console.Console) *cobra.Command {
	return group("bench", "Measure methods, models and trainings", newBenchQAPLIB(c), newBenchMatching(c), newBenchTraining(c), newBenchModels(c), newBenchChoosers(c))
}

func newPlot(c *console.Console) *cobra.Command {
	return group("plot", "Draw matchings and measurements", newPlotMatching(), newPlotTraining(), newPlotProfile(c), newPlotAffinity(c), newPlotFrontier(), newPlotF1())
}

// printPath prints the name of a picture that was written; err is that of writing it.
func printPath(cmd *cobra.Command, path string, err error) error {
	if err == nil {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
	}
	return err
}
