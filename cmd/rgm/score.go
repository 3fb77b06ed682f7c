package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/inputs"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
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
			return datasets.QAPLIBNames(), cobra.ShellCompDirectiveDefault
		},
		RunE: settings.Merged(func(cmd *cobra.Command, s scoreSettings, args []string) error {
			return score(cmd, c, &s, args[0], args[1])
		}),
	}
	addReadingFlags(cmd)
	cmd.Flags().Int("index", 0, "which instance and matching of stacks and lines, from 0")
	cmd.Flags().String("format", report.Table, "table or json")
	settings.Complete(cmd, "format", report.Table, report.JSON)
	return cmd
}

// scoreAnswer is what rgm score prints; docs/CLI_JSON.md says what each field means.
type scoreAnswer struct {
	Instance   string   `json:"instance"`
	N1         int      `json:"n1"`
	N2         int      `json:"n2"`
	Sense      string   `json:"sense"`
	Objective  float64  `json:"objective"`
	Stated     *float64 `json:"stated,omitempty"`
	BestKnown  *float64 `json:"best_known,omitempty"`
	GapPercent *float64 `json:"gap_percent,omitempty"`
	Matched    int      `json:"matched"`
	Right      bool     `json:"right"`
	Reason     string   `json:"reason,omitempty"`
}

func score(cmd *cobra.Command, c *console.Console, s *scoreSettings, instance, matching string) error {
	_, readingErr := s.Reading.Options(c)
	formatErr := settings.OneOf("format", s.Format, report.Table, report.JSON)
	if err := settings.Usage(readingErr, formatErr, settings.AtLeast(0, "index", s.Index)); err != nil {
		return err
	}
	in, err := instanceAt(instance, inputs.Reader{Reading: s.Reading, Console: c}, s.Index)
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
	a := newScoreAnswer(in, m, stated)
	if err := a.print(cmd.OutOrStdout(), s.Format); err != nil {
		return err
	}
	if !a.Right {
		return fmt.Errorf("%s: %s", matching, a.Reason)
	}
	return nil
}

// newScoreAnswer scores a matching, and compares it with what its file states, if it does.
func newScoreAnswer(in *qap.Instance, m qap.Matching, stated *report.Answer) scoreAnswer {
	known := report.NewAnswer(in, portfolio.Result{Result: qap.Result{Matching: m, Objective: in.Objective(in.Score(m))}})
	a := scoreAnswer{
		Instance: in.Name, N1: known.N1, N2: known.N2, Sense: known.Sense, Objective: known.Objective,
		BestKnown: known.BestKnown, GapPercent: known.GapPercent, Matched: known.Matched,
	}
	var err error
	if stated != nil {
		a.Stated = &stated.Objective
		_, err = stated.Recompute(in)
	}
	if !in.IsSolution(m) {
		a.BestKnown, a.GapPercent = nil, nil
		err = errors.Join(err, fmt.Errorf("it matches %d nodes, and a solution of this instance %d", m.Size(), min(a.N1, a.N2)))
	}
	if a.Right = err == nil; err != nil {
		a.Reason = err.Error()
	}
	return a
}

func (a *scoreAnswer) print(out io.Writer, format string) error {
	if format == report.JSON {
		return report.WriteJSON(out, a)
	}
	pairs := [][2]string{
		{"instance", a.Instance}, {"nodes", fmt.Sprintf("%d and %d", a.N1, a.N2)}, {"sense", a.Sense},
		{"objective", report.ExactText(a.Objective)}, {"matched", fmt.Sprint(a.Matched)},
	}
	for _, one := range []struct {
		name  string
		value *float64
	}{{"stated", a.Stated}, {"best known", a.BestKnown}, {"gap %", a.GapPercent}} {
		if one.value != nil {
			pairs = append(pairs, [2]string{one.name, report.ExactText(*one.value)})
		}
	}
	return report.WritePairs(out, pairs)
}
