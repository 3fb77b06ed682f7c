package verbs

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
)

// Datasets returns the command rgm datasets.
func Datasets(c *console.Console) *cobra.Command {
	return Group("datasets", "List, show, convert and generate instances", newList(), newShow(c), newConvert(c), newGenerate(), newProblems())
}

func newShow(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show what is known of an embedded instance, or what a file holds",
		Example: `  rgm datasets show nug30
  rgm datasets show --order col --n1 8 --n2 10 pygmtools.npy`,
		Args: settings.Arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return qaplib.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: settings.Merged(func(cmd *cobra.Command, s inputs.Settings, args []string) error {
			reading, err := s.Options(c)
			if err := settings.Usage(err); err != nil {
				return err
			}
			all, err := qaplib.Expand(args)
			if err != nil {
				return err
			}
			if err := settings.Usage(s.CheckEffect(lists.Of(all, inputs.Format))); err != nil {
				return err
			}
			return showInputs(cmd.OutOrStdout(), all, reading)
		}),
	}
	AddReadingFlags(cmd)
	return cmd
}

// showInputs shows every instance of the inputs. What cannot be read does not stop
// the others.
func showInputs(out io.Writer, inputs []qaplib.Input, reading datasets.Options) error {
	var failures []error
	for _, input := range inputs {
		for in, err := range input.Instances(reading) {
			if err != nil {
				failures = append(failures, err)
				continue
			}
			if err := showInstance(out, in); err != nil {
				return err
			}
		}
	}
	return errors.Join(failures...)
}

func showInstance(out io.Writer, in *qap.Instance) error {
	n1, n2 := in.Size()
	pairs := [][2]string{
		{"name", in.Name},
		{"nodes", fmt.Sprintf("%d and %d", n1, n2)},
		{"form", form(in.Affinity)},
		{"sense", in.Sense.String()},
		{"complete", strconv.FormatBool(in.Complete)},
	}
	if best, known := qaplib.BestKnownOf(in); known {
		pairs = append(pairs,
			[2]string{"class", qaplib.Class(in.Name)},
			[2]string{"best known", report.ExactText(best.Value)},
			[2]string{"optimal", strconv.FormatBool(best.Optimal)},
		)
		if best.Matching != nil {
			pairs = append(pairs, [2]string{"matching", report.MatchingText(best.Matching)}, [2]string{"source", best.Source})
		}
	}
	return report.WritePairs(out, pairs)
}

// form names the form of an affinity.
func form(k qap.Affinity) string {
	switch k.(type) {
	case *qap.KoopmansBeckmann:
		return "Koopmans–Beckmann"
	case *qap.Sparse:
		return "sparse affinity"
	case *qap.EdgePairs:
		return "affinity of edges"
	}
	return "dense affinity"
}

func newConvert(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write instances in another format: .npy, .dd or .dat",
		Long: `Write instances in another format, which the name of OUT says: .npy, .dd or .dat. IN is a
file or the name of an embedded instance of QAPLIB.`,
		Example: `  rgm datasets convert nug12 mine.dat
  rgm datasets convert problem.dd affinity.npy`,
		Args: settings.Arguments(cobra.ExactArgs(2)),
		RunE: settings.Merged(func(_ *cobra.Command, s convertSettings, args []string) error {
			reading, err := s.Reading.Options(c)
			_, formatErr := datasets.Writer(args[1])
			effectErr := s.Reading.CheckEffect([]string{settings.FileFormat(args[0])})
			if err := settings.Usage(err, formatErr, effectErr, settings.CheckNew(s.Force, args[1])); err != nil {
				return err
			}
			sources, err := qaplib.Expand(args[:1])
			if err != nil {
				return err
			}
			if len(sources) != 1 {
				return fmt.Errorf("datasets: %s stands for %d files: convert one at a time", args[0], len(sources))
			}
			return datasets.Convert(sources[0].Instances(reading), args[1])
		}),
	}
	AddReadingFlags(cmd)
	settings.AddForceFlag(cmd)
	return cmd
}

// convertSettings are the settings of rgm datasets convert.
type convertSettings struct {
	Reading inputs.Settings `mapstructure:",squash"`
	Force   bool            `mapstructure:"force"`
}
