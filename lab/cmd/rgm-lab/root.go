package main

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
)

// newRoot returns the command line.
func newRoot(c *console.Console) *cobra.Command {
	root := verbs.Root("rgm-lab", "Measure methods, models and trainings",
		`Measure methods, models and trainings of rgm, on QAPLIB and on pairs of graphs with
outliers, and make the paper's tables and figures. Verbs that are not of measuring are
those of rgm, with what research adds to them.`,
		`  rgm-lab bench qaplib --time-limit 1s         # the methods, beside the paper's numbers
  rgm-lab bench matching --set synthetic       # pairs of graphs with outliers
  rgm-lab report                               # the paper's tables and figures on a page`)
	verbs.AddGroup(root, "Measure:", newBench(c), newReport(c), newPlot(c), newSite())
	verbs.AddGroup(root, "As rgm:", verbs.Solve(c), verbs.Datasets(c), verbs.Train(c, newTrainAffinity(c), newTrainNGM(c), newTrainLCS(c), newTrainRewrite(c)), verbs.Export(c), verbs.Inspect(), verbs.Version())
	settings.SetHelp(root, verbs.Sections(), verbs.First)
	return root
}

func newBench(c *console.Console) *cobra.Command {
	return verbs.Group("bench", "Measure methods, models and trainings", newBenchQAPLIB(c), newBenchMatching(c), newBenchTraining(c), newBenchModels(c), newBenchAlign(), newBenchDistance(), newBenchPage(c))
}

func newPlot(c *console.Console) *cobra.Command {
	return verbs.Group("plot", "Draw matchings and measurements", verbs.PlotMatching(), newPlotTraining(), newPlotProfile(c), newPlotAffinity(c), newPlotFrontier(), newPlotF1())
}
