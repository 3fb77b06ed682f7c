package bench

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
)

// ReadQAPLIB returns the rows that rgm-lab bench qaplib printed into a file.
func ReadQAPLIB(path string) ([]QAPLIBRow, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parse, format := benchRowsOfJSON, report.JSON
	if settings.FileFormat(path) == report.CSV {
		parse, format = benchRowsOfCSV, report.CSV
	}
	rows, err := parse(string(text))
	for k := range rows {
		if err == nil && (rows[k].Method == "" || rows[k].SecondsPerInstance == nil) {
			err = fmt.Errorf("row %d has no method or no seconds_per_instance", k+1)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not what rgm-lab bench qaplib prints as %s: %w", path, format, err)
	}
	return rows, nil
}

func benchRowsOfJSON(text string) ([]QAPLIBRow, error) {
	var rows []QAPLIBRow
	for line := range strings.Lines(text) {
		var row QAPLIBRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// benchRowsOfCSV reads what a picture needs of each row.
func benchRowsOfCSV(text string) ([]QAPLIBRow, error) {
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
	var rows []QAPLIBRow
	for k, line := range lines[1:] {
		average, averageErr := strconv.ParseFloat(line[column["average"]], 64)
		seconds, secondsErr := strconv.ParseFloat(line[column["seconds_per_instance"]], 64)
		if err := errors.Join(averageErr, secondsErr); err != nil {
			return nil, fmt.Errorf("line %d: %w", k+2, err)
		}
		row := QAPLIBRow{
			Method: line[column["method"]], Model: line[column["model"]], Source: line[column["source"]],
			Average: average, SecondsPerInstance: &seconds,
		}
		if at, ok := column["clock"]; ok && line[at] == ClockCPU {
			cpu, err := strconv.ParseFloat(line[column["cpu_seconds_per_instance"]], 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", k+2, err)
			}
			row.Clock, row.CPUSecondsPerInstance = ClockCPU, &cpu
		}
		rows = append(rows, row)
	}
	return rows, nil
}
