package main

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// plotF1Settings are the settings of rgm-lab plot f1.
type plotF1Settings struct {
	Out  string `mapstructure:"out"`
	Time bool   `mapstructure:"time"`
}

func newPlotF1() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "f1 FILE…",
		Short: "Draw F1 by class from files of rgm-lab bench matching",
		Long: `Draw the mean F1 of every class, as rgm-lab bench matching printed it with --format json:
a line for each row that was measured, in a band of a standard error to either side, and a panel for
each set. So F1 is seen against the number of outliers (--set synthetic), the noise
(--set synthetic-noise) or the number of nodes (--set sizes).`,
		Example: `  rgm-lab bench matching --methods profile,rrwm --format json > outliers.jsonl
  rgm-lab bench matching --set synthetic-noise --methods profile,rrwm --complete --format json > noise.jsonl
  rgm-lab plot f1 --out f1.svg outliers.jsonl noise.jsonl`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s plotF1Settings, files []string) error {
			if err := settings.Usage(settings.CheckOutput("out", s.Out, report.SVG, report.PNG)); err != nil {
				return err
			}
			var rows []bench.MatchingRow
			for _, file := range files {
				read, err := bench.ReadMatching(file)
				if err != nil {
					return err
				}
				rows = append(rows, read...)
			}
			return verbs.PrintPath(cmd, s.Out, plots.SaveF1(s.Out, rows, s.Time))
		}),
	}
	verbs.AddOutFlag(cmd, "f1.svg")
	cmd.Flags().Bool("time", false, "above, the time that a pair took")
	return cmd
}
