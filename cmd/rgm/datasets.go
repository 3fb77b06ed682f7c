package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

func newDatasets(c *console) *cobra.Command {
	return group("datasets", "List, show, convert and generate instances", newList(), newShow(c), newConvert(c), newGenerate(), newFeaturedAffinity())
}

// listSettings are the settings of rgm datasets list.
type listSettings struct {
	Format string `mapstructure:"format"`
}

func newList() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the embedded instances of QAPLIB",
		Args:  arguments(cobra.NoArgs),
		RunE: withSettings(func(cmd *cobra.Command, s listSettings, _ []string) error {
			if err := usable(oneOf("format", s.Format, formatTable, formatJSON, formatCSV)); err != nil {
				return err
			}
			entries, err := catalogue()
			if err != nil {
				return err
			}
			return printCatalogue(cmd.OutOrStdout(), s.Format, entries)
		}),
	}
	cmd.Flags().String("format", formatTable, "table, json (one object a line) or csv")
	complete(cmd, "format", formatTable, formatJSON, formatCSV)
	return cmd
}

// catalogueEntry is a line of rgm datasets list.
type catalogueEntry struct {
	Name      string  `json:"name"`
	N         int     `json:"n"`
	Class     string  `json:"class"`
	BestKnown float64 `json:"best_known"`
	Optimal   bool    `json:"optimal"`
}

// catalogue describes the embedded instances.
func catalogue() ([]catalogueEntry, error) {
	var entries []catalogueEntry
	for _, name := range datasets.QAPLIBNames() {
		in, err := datasets.QAPLIB(name)
		if err != nil {
			return nil, err
		}
		n, _ := in.Size()
		best, _ := datasets.BestKnown(name)
		entries = append(entries, catalogueEntry{name, n, datasets.Class(name), best.Value, best.Optimal})
	}
	return entries, nil
}

func printCatalogue(out io.Writer, format string, entries []catalogueEntry) error {
	if format == formatJSON {
		return writeJSON(out, entries...)
	}
	header := []string{"name", "n", "class", "best_known", "optimal"}
	var rows [][]string
	for _, e := range entries {
		rows = append(rows, []string{e.Name, strconv.Itoa(e.N), e.Class, exactText(e.BestKnown), strconv.FormatBool(e.Optimal)})
	}
	if format == formatCSV {
		return writeCSV(out, header, rows)
	}
	return writeTable(out, header, rows)
}

func newShow(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show what is known of an embedded instance, or what a file holds",
		Args:  arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return datasets.QAPLIBNames(), cobra.ShellCompDirectiveDefault
		},
		RunE: withSettings(func(cmd *cobra.Command, s readingSettings, args []string) error {
			reading, err := s.options(c)
			if err := usable(err); err != nil {
				return err
			}
			inputs, err := datasets.Expand(args)
			if err != nil {
				return err
			}
			return showInputs(cmd.OutOrStdout(), inputs, reading)
		}),
	}
	addReadingFlags(cmd)
	return cmd
}

// showInputs shows every instance of the inputs. What cannot be read does not stop
// the others.
func showInputs(out io.Writer, inputs []datasets.Input, reading datasets.Options) error {
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
	if best, known := bestKnown(in); known {
		pairs = append(pairs,
			[2]string{"class", datasets.Class(in.Name)},
			[2]string{"best known", exactText(best.Value)},
			[2]string{"optimal", strconv.FormatBool(best.Optimal)},
		)
		if best.Matching != nil {
			pairs = append(pairs, [2]string{"matching", matchingText(best.Matching)}, [2]string{"source", best.Source})
		}
	}
	return writePairs(out, pairs)
}

// form names the form of an affinity.
func form(k qap.Affinity) string {
	switch k.(type) {
	case *qap.KoopmansBeckmann:
		return "Koopmans–Beckmann"
	case *qap.Sparse:
		return "sparse affinity"
	}
	return "dense affinity"
}

func newConvert(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write instances in another format: .npy, .dd or .dat",
		Args:  arguments(cobra.ExactArgs(2)),
		RunE: withSettings(func(_ *cobra.Command, s readingSettings, args []string) error {
			reading, err := s.options(c)
			if err := usable(err); err != nil {
				return err
			}
			return datasets.Convert(args[0], args[1], reading)
		}),
	}
	addReadingFlags(cmd)
	return cmd
}
