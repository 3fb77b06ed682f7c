package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// plotAffinitySettings are the settings of rgm plot affinity.
type plotAffinitySettings struct {
	Reading readingSettings `mapstructure:",squash"`

	Out        string   `mapstructure:"out"`
	Regularize []string `mapstructure:"regularize"`
	Literal    bool     `mapstructure:"literal"`
	Matching   string   `mapstructure:"matching"`
	Index      int      `mapstructure:"index"`
}

func newPlotAffinity(c *console) *cobra.Command {
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
		Example: `  rgm plot affinity --out affinity.png problems/car.npy`,
		Args:    arguments(cobra.ExactArgs(1)),
		RunE: withSettings(func(cmd *cobra.Command, s plotAffinitySettings, args []string) error {
			return plotAffinity(cmd, c, &s, args[0])
		}),
	}
	addReadingFlags(cmd)
	addOutFlag(cmd, "affinity.svg")
	flags := cmd.Flags()
	flags.StringSlice("regularize", []string{"f1", "f2", "f3"}, "regularizers: f1, f2, f3, mean or mean:`p`")
	flags.Bool("literal", false, "the paper's K − aJ·1 − bJ·I, without the factor f(m)")
	flags.String("matching", "", "`file` of the matching, as rgm plot matching reads it")
	flags.Int("index", 0, "which instance and matching of stacks, from 0")
	return cmd
}

// plotAffinity writes the picture.
func plotAffinity(cmd *cobra.Command, c *console, s *plotAffinitySettings, arg string) error {
	reading, readingErr := s.Reading.options(c)
	regularizers, regularizersErr := parseRegularizers(s.Regularize)
	err := usable(readingErr, regularizersErr, checkOutput("out", s.Out, formatSVG, formatPNG), atLeast(0, "index", s.Index))
	if err != nil {
		return err
	}
	in, err := instanceAt(cmd, arg, reading, s.Index)
	if err != nil {
		return err
	}
	m, err := s.matching(cmd, in)
	if err != nil {
		return err
	}
	return saveAffinities(s.Out, in, m, regularizers, s.Literal)
}

// saveAffinities draws the matrix of an instance, and a panel for each that a regularizer
// makes of it at a matching.
func saveAffinities(path string, in *qap.Instance, m qap.Matching, regularizers []qap.Regularizer, literal bool) error {
	var panels []*plot.Plot
	for _, r := range append([]qap.Regularizer{{}}, regularizers...) {
		panels = append(panels, affinityPanel(in, r, m, literal))
	}
	return savePanels(path, panels, 3*vg.Inch, 3.2*vg.Inch)
}

// instanceAt returns the instance of an index among those an argument stands for.
func instanceAt(cmd *cobra.Command, arg string, o datasets.Options, index int) (*qap.Instance, error) {
	count := 0
	for _, input := range expand([]string{arg}, o, cmd.InOrStdin(), "") {
		for in, err := range input.instances {
			if err != nil {
				return nil, err
			}
			if count == index {
				return in, nil
			}
			count++
		}
	}
	return nil, fmt.Errorf("%s holds %d, of which --index %d is none", arg, count, index)
}

// matching returns the one that the matrices are regularised at.
func (s *plotAffinitySettings) matching(cmd *cobra.Command, in *qap.Instance) (qap.Matching, error) {
	if s.Matching != "" {
		n1, n2 := in.Size()
		return readMatchingAt(s.Matching, s.Index, n1, n2)
	}
	result, err := profile.Solver{}.Solve(cmd.Context(), in, qap.Options{})
	if err == nil {
		err = cmd.Context().Err()
	}
	return result.Matching, err
}

// affinityPanel draws the matrix that a regularizer makes of K at a matching.
func affinityPanel(in *qap.Instance, r qap.Regularizer, m qap.Matching, literal bool) *plot.Plot {
	n1, n2 := in.Size()
	n := float64(n1 * n2)
	row, name := in.Affinity.Row, "K"
	if !r.None() {
		row, name = regularizedRows(in, r, m, literal), r.String()
	}
	picture, least, greatest := heatMap(n1*n2, row)
	panel := plot.New()
	diagonal, entries := 0.0, make([]float64, n1*n2)
	for p := range entries {
		row(entries, p)
		diagonal += entries[p] / n
	}
	panel.Title.Text = fmt.Sprintf("%s: %.2g to %.2g, diagonal %.2g", name, least, greatest, diagonal)
	panel.HideAxes()
	panel.Add(plotter.NewImage(picture, 0, 0, n, n))
	return panel
}

// regularizedRows returns the rows of the surrogate (see qap.RegularizedSurrogate) at a
// matching; where there is no fit these are K's.
func regularizedRows(in *qap.Instance, r qap.Regularizer, m qap.Matching, literal bool) func([]float64, int) {
	n1, n2 := in.Size()
	score, size := in.Score(m), m.Size()
	g, fits := r.Fit(size, n1, n2)
	if !fits {
		return in.Affinity.Row
	}
	factor := r.Factor(size, n1, n2)
	if literal {
		factor = 1
	}
	return func(dst []float64, p int) {
		in.Affinity.Row(dst, p)
		for q := range dst {
			dst[q] = factor*dst[q] - g.A*score
		}
		dst[p] -= g.B * score
	}
}
