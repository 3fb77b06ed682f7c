package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// plotFrontierSettings are the settings of rgm-lab plot frontier.
type plotFrontierSettings struct {
	Out string `mapstructure:"out"`
}

func newPlotFrontier() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "frontier FILE…",
		Short: "Draw the gap against the time from files of rgm-lab bench qaplib",
		Long: `Draw the average gap against the time of an instance, as rgm-lab bench qaplib --plot does,
from what it printed before with --format json or, into .csv files, csv. Rows of the
same method and model in all files make a line.`,
		Example: `  rgm-lab bench qaplib --time-limits 10ms,100ms --format json > measured.jsonl
  rgm-lab plot frontier --out frontier.svg measured.jsonl`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s plotFrontierSettings, args []string) error {
			return plotFrontier(cmd, &s, args)
		}),
	}
	verbs.AddOutFlag(cmd, "frontier.svg")
	return cmd
}

// plotFrontier reads all files and writes the picture.
func plotFrontier(cmd *cobra.Command, s *plotFrontierSettings, files []string) error {
	if err := settings.Usage(settings.CheckOutput("out", s.Out, report.SVG, report.PNG)); err != nil {
		return err
	}
	var rows []bench.QAPLIBRow
	for _, file := range files {
		read, err := bench.ReadQAPLIB(file)
		if err != nil {
			return err
		}
		for _, row := range read {
			known := slices.ContainsFunc(rows, func(r bench.QAPLIBRow) bool { return r.Source == bench.SourcePaper && r.Method == row.Method })
			if row.Source != bench.SourcePaper || !known {
				rows = append(rows, row)
			}
		}
	}
	if len(rows) == 0 {
		return errors.New("there is nothing to draw")
	}
	return verbs.PrintPath(cmd, s.Out, plots.SaveFrontier("out", s.Out, rows))
}
