package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/train"
)

func newBenchModels(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models MODEL...",
		Short: "Choose between models on instances that no training has seen",
		Long: `Measure models on instances drawn as a preset validates, by a seed that no training
has: the shortfall from the reference in spreads (docs/TRAINING.md), with its standard
error over the instances, and instance by instance less that of the first model. So a
model is chosen without QAPLIB or real pairs of graphs. A MODEL is the name of a
pretrained one, a model file, a checkpoint, or a policy without a network: greedy,
greedy-tabu, greedy-ages. --set changes the preset: sizes, validation_pool (instances of
each size), validation_runs (searches of each), steps_per_node.`,
		Example: `  rgm-lab bench models qap runs/qap/model.onnx greedy-ages --set sizes=12,20,30
  rgm-lab bench models --rollouts 8 --set steps_per_node=20 qap runs/qap/model.onnx
  rgm-lab bench models --by family --set families=blocks,grid,mapping qap greedy-ages
  rgm-lab bench models --preset matching matching runs/matching/model.onnx greedy-tabu`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s bench.ModelsSettings, args []string) error {
			if err := settings.Usage(s.Check()); err != nil {
				return err
			}
			changes, err := cmd.Flags().GetStringArray(verbs.SetFlag)
			if err != nil {
				return err
			}
			rows, err := bench.Models(cmd.Context(), c, &s, changes, args)
			if err != nil {
				return err
			}
			return bench.PrintModels(cmd.OutOrStdout(), s.Format, rows)
		}),
	}
	flags := cmd.Flags()
	flags.String("preset", "qap", "configuration of the instances: "+strings.Join(train.Presets(), ", "))
	flags.StringArray(verbs.SetFlag, nil, "hyper-parameter of the preset to change, as `key=value`; may be repeated")
	flags.String("instances", "", "judge on the instances of a `file`, a folder or a pattern, all of them")
	flags.String("best-known", "", "JSON `file` of objectives by the names of instances, beside those of QAPLIB: gaps are then in percent of them")
	flags.String("by", bench.BySize, "columns by size, or lines by family (what names begin with)")
	flags.Uint64("seed", 1000, "draws the instances; take none that a training had")
	flags.Int("rollouts", 1, "rollouts of a search, at a time")
	flags.String("format", report.Table, "table, json (one model a line), csv or markdown")
	settings.Complete(cmd, "preset", train.Presets()...)
	settings.Complete(cmd, "by", bench.BySize, bench.ByFamily)
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV, report.Markdown)
	return cmd
}
