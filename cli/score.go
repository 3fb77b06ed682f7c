package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets/qaplib"
)

// scoreSettings are the settings of rgm score.
type scoreSettings struct {
	Reading inputs.Settings `mapstructure:",squash"`

	Index  int    `mapstructure:"index"`
	Format string `mapstructure:"format"`
}

func newScore(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "score INSTANCE MATCHING",
		Short: "Compute the objective of a matching",
		Long: `Compute the objective of a matching of an instance, and compare it with the one that
its file states. The exit status is 1 where that is wrong, or where the matching is no
solution of the instance.

INSTANCE is one of rgm solve. MATCHING is a JSON array of the nodes of graph 2, -1 where
a node has none; what rgm solve printed with --format json, or wrote with --out; or an
.npy file. - reads a JSON one from standard input.`,
		Example: `  rgm solve --format json nug30 | rgm score nug30 -
  rgm score --order col affinity.npy matching.json`,
		Args: settings.Arguments(cobra.ExactArgs(2)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return qaplib.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: settings.Merged(func(cmd *cobra.Command, s scoreSettings, args []string) error {
			return score(cmd, c, &s, args[0], args[1])
		}),
	}
	verbs.AddReadingFlags(cmd)
	cmd.Flags().Int("index", 0, "which instance and matching of stacks and lines, from 0")
	cmd.Flags().String("format", report.Table, "table or json")
	settings.Complete(cmd, "format", report.Table, report.JSON)
	return cmd
}

func score(cmd *cobra.Command, c *console.Console, s *scoreSettings, instance, matching string) error {
	_, readingErr := s.Reading.Options(c)
	formatErr := settings.OneOf("format", s.Format, report.Table, report.JSON)
	if err := settings.Usage(readingErr, formatErr, settings.AtLeast(0, "index", s.Index)); err != nil {
		return err
	}
	in, err := inputs.Reader{Reading: s.Reading, Console: c}.InstanceAt(instance, s.Index)
	if err != nil {
		return err
	}
	m, stated, err := inputs.ReadMatching(matching, cmd.InOrStdin(), s.Index)
	if err != nil {
		return err
	}
	if err := in.CheckMatching(m); err != nil {
		return fmt.Errorf("%s: %w", matching, err)
	}
	a := report.NewScore(in, m, stated)
	if err := a.Print(cmd.OutOrStdout(), s.Format); err != nil {
		return err
	}
	if !a.Right {
		return fmt.Errorf("%s: %s", matching, a.Reason)
	}
	return nil
}
