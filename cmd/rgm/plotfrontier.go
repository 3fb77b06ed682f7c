package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// plotFrontierSettings are the settings of rgm plot frontier.
type plotFrontierSettings struct {
	Out string `mapstructure:"out"`
}

func newPlotFrontier() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "frontier FILE…",
		Short: "Draw the gap against the time from files of rgm bench qaplib",
		Long: `Draw the average gap against the time of an instance, as rgm bench qaplib --plot does,
from what it printed before with --format json or, into .csv files, csv. Rows of the
same method and model in all files make a line.`,
		Example: `  rgm bench qaplib --time-limits 10ms,100ms --format json > measured.jsonl
  rgm plot frontier --out frontier.svg measured.jsonl`,
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: withSettings(func(_ *cobra.Command, s plotFrontierSettings, args []string) error {
			return plotFrontier(&s, args)
		}),
	}
	addOutFlag(cmd, "frontier.svg")
	return cmd
}

// plotFrontier reads all files and writes the picture.
func plotFrontier(s *plotFrontierSettings, files []string) error {
	if err := usable(checkOutput("out", s.Out, formatSVG, formatPNG)); err != nil {
		return err
	}
	var rows []benchRow
	for _, file := range files {
		read, err := readBenchRows(file)
		if err != nil {
			return err
		}
		for _, row := range read {
			known := slices.ContainsFunc(rows, func(r benchRow) bool { return r.Source == sourcePaper && r.Method == row.Method })
			if row.Source != sourcePaper || !known {
				rows = append(rows, row)
			}
		}
	}
	if len(rows) == 0 {
		return errors.New("there is nothing to draw")
	}
	return saveFrontier("out", s.Out, rows)
}

// readBenchRows returns the rows that rgm bench qaplib printed into a file.
func readBenchRows(path string) ([]benchRow, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parse, format := benchRowsOfJSON, formatJSON
	if fileFormat(path) == formatCSV {
		parse, format = benchRowsOfCSV, formatCSV
	}
	rows, err := parse(string(text))
	for k := range rows {
		if err == nil && (rows[k].Method == "" || rows[k].SecondsPerInstance == nil) {
			err = fmt.Errorf("row %d has no method or no seconds_per_instance", k+1)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not what rgm bench qaplib prints as %s: %w", path, format, err)
	}
	return rows, nil
}

func benchRowsOfJSON(text string) ([]benchRow, error) {
	var rows []benchRow
	for line := range strings.Lines(text) {
		var row benchRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// benchRowsOfCSV reads what a picture needs of each row.
func benchRowsOfCSV(text string) ([]benchRow, error) {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, cmp.Or(err, errors.New("it is empty"))
	}
	column := map[string]int{}
	for k, name := range lines[0] {
		column[name] = k
	}
	for _, name := range []string{"method", "model", "source", "average", "seconds_per_instance"} {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("there is no column %s", name)
		}
	}
	var rows []benchRow
	for k, line := range lines[1:] {
		average, averageErr := strconv.ParseFloat(line[column["average"]], 64)
		seconds, secondsErr := strconv.ParseFloat(line[column["seconds_per_instance"]], 64)
		if err := errors.Join(averageErr, secondsErr); err != nil {
			return nil, fmt.Errorf("line %d: %w", k+2, err)
		}
		rows = append(rows, benchRow{
			Method: line[column["method"]], Model: line[column["model"]], Source: line[column["source"]],
			Average: average, SecondsPerInstance: &seconds,
		})
	}
	return rows, nil
}
