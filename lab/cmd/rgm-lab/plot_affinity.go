package main

import (
	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// plotAffinitySettings are the settings of rgm-lab plot affinity.
type plotAffinitySettings struct {
	Reading inputs.Settings `mapstructure:",squash"`

	Out        string   `mapstructure:"out"`
	Regularize []string `mapstructure:"regularize"`
	Literal    bool     `mapstructure:"literal"`
	Matching   string   `mapstructure:"matching"`
	Index      int      `mapstructure:"index"`
}

func newPlotAffinity(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "affinity INSTANCE",
		Short: "Draw an affinity matrix before and after regularisation",
		Long: `Draw the affinity matrix K as a heat map and, for each --regularize, the matrix whose
quadratic form follows the regularised score J·f(m) near a matching of m nodes and
score J: f(m)·K − aJ·1 − bJ·I, where an² + bn + c is fitted to 1 − f(n) for n from
m−2 to m+2. The matching is that of --matching or the best one of any size that rgm
solve --method profile finds. Red is the greatest entry off the diagonal, blue the
least; where there are both signs, grey is 0. Above a matrix stand these entries and
the mean of the diagonal.`,
		Example: `  rgm-lab plot affinity --out affinity.png problems/car.npy`,
		Args:    settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s plotAffinitySettings, args []string) error {
			return plotAffinity(cmd, c, &s, args[0])
		}),
	}
	verbs.AddReadingFlags(cmd)
	verbs.AddOutFlag(cmd, "affinity.svg")
	flags := cmd.Flags()
	flags.StringSlice("regularize", []string{"f1", "f2", "f3"}, "regularizers: f1, f2, f3, mean or mean:p")
	flags.Bool("literal", false, "the paper's K − aJ·1 − bJ·I, without the factor f(m)")
	flags.String("matching", "", "`file` of the matching, as rgm plot matching reads it")
	flags.Int("index", 0, "which instance and matching of stacks, from 0")
	return cmd
}

// plotAffinity writes the picture.
func plotAffinity(cmd *cobra.Command, c *console.Console, s *plotAffinitySettings, arg string) error {
	_, readingErr := s.Reading.Options(c)
	regularizers, regularizersErr := bench.ParseFixedRegularizers(s.Regularize)
	err := settings.Usage(readingErr, regularizersErr, settings.CheckOutput("out", s.Out, report.SVG, report.PNG), settings.AtLeast(0, "index", s.Index))
	if err != nil {
		return err
	}
	in, err := inputs.Reader{Reading: s.Reading, Stdin: cmd.InOrStdin(), Console: c}.InstanceAt(arg, s.Index)
	if err != nil {
		return err
	}
	m, err := s.matching(cmd, in)
	if err != nil {
		return err
	}
	return verbs.PrintPath(cmd, s.Out, plots.SaveAffinities(s.Out, in, m, regularizers, s.Literal))
}

// matching returns the one that the matrices are regularised at.
func (s *plotAffinitySettings) matching(cmd *cobra.Command, in *qap.Instance) (qap.Matching, error) {
	if s.Matching != "" {
		n1, n2 := in.Size()
		return inputs.MatchingAt(s.Matching, cmd.InOrStdin(), s.Index, n1, n2)
	}
	result, err := profile.Solver{}.Solve(cmd.Context(), in, qap.Options{})
	if err == nil {
		err = cmd.Context().Err()
	}
	return result.Matching, err
}
