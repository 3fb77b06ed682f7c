package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/inputs"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/cli/verbs"
	"github.com/rgm-go/rgm/datasets/qaplib"
)

// verifySettings are the settings of rgm verify.
type verifySettings struct {
	Reading   inputs.Settings `mapstructure:",squash"`
	Recursive bool            `mapstructure:"recursive"`

	Instances []string `mapstructure:"instances"`
	Format    string   `mapstructure:"format"`
}

func newVerify(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify RESULTS…",
		Short: "Recompute the objectives of results",
		Long: `Recompute the objectives of results from their matchings. RESULTS are files of what
rgm solve printed with --format json, or folders that it wrote with --out; of another
program, lines {"instance": NAME, "objective": NUMBER, "matching": […]}, or solution
files of QAPLIB, NAME.sln, whichever way they write the permutation. The exit
status is 1 unless every result is right: its matching is one of the instance of its
name and has the objective that it states. A file that cannot be read is a wrong result,
an instance that cannot be read an error; the others are verified. Where no file holds a
result, or --instances is of nothing that is there, nothing is. Failures hold no
result and are counted only.

Instances of QAPLIB are known; others are looked for in --instances. There, files .jsonl
hold pairs of graphs (lab/notes/DISTANCE.md): of results called as one, the objective is
what the edits cost that the matching stands for.`,
		Example: `  rgm solve --out results nug12 nug30 && rgm verify results
  rgm verify --instances problems results.jsonl
  rgm verify nug30.sln                         # a solution file of QAPLIB`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s verifySettings, args []string) error {
			return verify(cmd, c, &s, args)
		}),
	}
	verbs.AddReadingFlags(cmd)
	flags := cmd.Flags()
	flags.StringSlice("instances", nil, "`files`, folders or patterns of the instances")
	flags.Bool("recursive", false, "also read the folders in a folder of --instances")
	flags.String("format", report.Table, "table, json (one object a line) or csv")
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV)
	return cmd
}

// verify checks all results and prints a verdict each.
func verify(cmd *cobra.Command, c *console.Console, s *verifySettings, args []string) error {
	_, readingErr := s.Reading.Options(c)
	formatErr := settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV)
	_, placesErr := qaplib.Expansion{Recursive: s.Recursive}.Expand(s.Instances)
	if placesErr != nil { // right results would be wrong, without their instances
		placesErr = fmt.Errorf("--instances: %w", placesErr)
	}
	if err := settings.Usage(readingErr, formatErr, placesErr); err != nil {
		return err
	}
	verdicts, failures, err := results.ReadVerdicts(args)
	if err != nil {
		return err
	}
	reader := inputs.Reader{Reading: s.Reading, Folders: inputs.FolderSettings{Recursive: s.Recursive}, Console: c}
	unreadable, err := results.Judge(verdicts, s.Instances, &reader)
	if err != nil {
		return err
	}
	if err := printVerdicts(cmd, s.Format, verdicts); err != nil {
		return err
	}
	wrong := 0
	for _, v := range verdicts {
		if !v.Right {
			wrong++
		}
	}
	c.Log.Info("verified", "right", len(verdicts)-wrong, "wrong", wrong, "without_result", failures)
	var wrongErr error
	if wrong > 0 {
		wrongErr = fmt.Errorf("%d of %d results are wrong", wrong, len(verdicts))
	}
	return errors.Join(unreadable, wrongErr)
}

// printVerdicts prints the verdicts; to people those of wrong results only.
func printVerdicts(cmd *cobra.Command, format string, verdicts []results.Verdict) error {
	out := cmd.OutOrStdout()
	if format == report.JSON {
		return report.WriteJSON(out, verdicts...)
	}
	header := []string{"instance", "file", "objective", "recomputed", "right", "reason"}
	var rows [][]string
	for _, v := range verdicts {
		if format == report.CSV || !v.Right {
			rows = append(rows, []string{
				v.Instance, v.File, report.ExactText(v.Objective), report.OptionalText(v.Recomputed), fmt.Sprint(v.Right), v.Reason,
			})
		}
	}
	switch {
	case format == report.CSV:
		return report.WriteCSV(out, header, rows)
	case len(rows) == 0:
		return nil
	}
	return report.WriteTable(out, header, rows)
}
