package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/inputs"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/results"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
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
rgm solve printed with --format json, or folders that it wrote with --out. The exit
status is 1 unless every result is right: its matching is one of the instance of its
name and has the objective that it states. Failures hold no result and are counted only.

Instances of QAPLIB are known; others are looked for in --instances.`,
		Example: `  rgm solve --out results nug12 nug30 && rgm verify results
  rgm verify --instances problems results.jsonl`,
		Args: settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s verifySettings, args []string) error {
			return verify(cmd, c, &s, args)
		}),
	}
	addReadingFlags(cmd)
	flags := cmd.Flags()
	flags.StringSlice("instances", nil, "`files`, folders or patterns of the instances")
	flags.Bool("recursive", false, "also read the folders in a folder of --instances")
	flags.String("format", report.Table, "table, json (one object a line) or csv")
	settings.Complete(cmd, "format", report.Table, report.JSON, report.CSV)
	return cmd
}

// verdict is what rgm verify prints of a result; docs/CLI_JSON.md says what each field means.
type verdict struct {
	Instance   string   `json:"instance"`
	File       string   `json:"file"`
	Objective  float64  `json:"objective"`
	Recomputed *float64 `json:"recomputed,omitempty"`
	Right      bool     `json:"right"`
	Reason     string   `json:"reason,omitempty"`

	answer report.Answer
}

// verify checks all results and prints a verdict each.
func verify(cmd *cobra.Command, c *console.Console, s *verifySettings, args []string) error {
	_, readingErr := s.Reading.Options(c)
	formatErr := settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV)
	if err := settings.Usage(readingErr, formatErr); err != nil {
		return err
	}
	verdicts, failures, err := readVerdicts(args)
	if err != nil {
		return err
	}
	reader := inputs.Reader{Reading: s.Reading, Folders: inputs.FolderSettings{Recursive: s.Recursive}, Console: c}
	if err := judge(verdicts, s.Instances, &reader); err != nil {
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
	if wrong > 0 {
		return fmt.Errorf("%d of %d results are wrong", wrong, len(verdicts))
	}
	return nil
}

// readVerdicts reads the results in files and folders, and counts the failures among them.
func readVerdicts(args []string) (verdicts []verdict, failures int, err error) {
	for _, arg := range args {
		files, err := resultFiles(arg)
		if err != nil {
			return nil, 0, err
		}
		for _, path := range files {
			answers, err := readAnswers(path)
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", path, err)
			}
			for _, a := range answers {
				if a.Err != nil {
					failures++
					continue
				}
				verdicts = append(verdicts, verdict{Instance: a.Instance, File: path, Objective: a.Objective, answer: a})
			}
		}
	}
	if len(verdicts)+failures == 0 {
		return nil, 0, fmt.Errorf("%s: there are no results", strings.Join(args, ", "))
	}
	return verdicts, failures, nil
}

// resultFiles returns a file, or the files of results in a folder.
func resultFiles(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if !entry.IsDir() && strings.HasSuffix(entry.Name(), results.Ending) {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	return files, nil
}

func readAnswers(path string) ([]report.Answer, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return report.ReadAnswers(file)
}

// judge recomputes the objectives, in instances that arguments stand for and in those of
// QAPLIB. Of several instances of a name one that a result is right of will do.
func judge(verdicts []verdict, args []string, reader *inputs.Reader) error {
	byName := map[string][]*verdict{}
	for k := range verdicts {
		v := &verdicts[k]
		v.Reason = "there is no instance of that name: --instances says where to look"
		byName[v.Instance] = append(byName[v.Instance], v)
	}
	var unreadable []error
	all, _, err := reader.Expand(args)
	if err != nil {
		return err
	}
	for _, input := range all {
		for in, err := range input.Instances {
			if err != nil {
				unreadable = append(unreadable, err)
				continue
			}
			for _, v := range byName[in.Name] {
				v.check(in)
			}
		}
	}
	for name, of := range byName {
		if !slices.Contains(datasets.QAPLIBNames(), name) {
			continue
		}
		in, err := datasets.QAPLIB(name)
		if err != nil {
			return err
		}
		for _, v := range of {
			v.check(in)
		}
	}
	return errors.Join(unreadable...)
}

// check compares a result with an instance of its name.
func (v *verdict) check(in *qap.Instance) {
	if v.Right {
		return
	}
	objective, err := v.answer.Recompute(in)
	if err == nil && !in.IsSolution(v.answer.Matching) {
		err = fmt.Errorf("it matches %d nodes, which is no solution of this instance", v.answer.Matched)
	}
	v.Right, v.Reason, v.Recomputed = err == nil, "", &objective
	if err != nil {
		v.Reason = err.Error()
	}
}

// printVerdicts prints the verdicts; to people those of wrong results only.
func printVerdicts(cmd *cobra.Command, format string, verdicts []verdict) error {
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
