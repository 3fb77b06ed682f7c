package main

import (
	"fmt"
	"io"
	"strconv"
)

// printBench prints the rows of the table.
func printBench(out io.Writer, format string, classes []string, rows []benchRow) error {
	switch format {
	case formatJSON:
		return writeJSON(out, rows...)
	case formatCSV:
		return writeCSV(out, benchFields(classes), cellsOf(rows, classes, benchRow.fields))
	}
	header := append([]string{"method"}, classes...)
	header = append(header, "average", "CPU s/instance", "s/instance", "CPU s", "s")
	write := writeTable
	if format == formatMarkdown {
		write = writeMarkdown
	}
	return write(out, header, cellsOf(rows, classes, benchRow.cells))
}

func cellsOf(rows []benchRow, classes []string, cells func(benchRow, []string) []string) [][]string {
	var all [][]string
	for _, row := range rows {
		all = append(all, cells(row, classes))
	}
	return all
}

// benchFields are the columns of fields.
func benchFields(classes []string) []string {
	names := append([]string{"method", "model", "provider", "source"}, classes...)
	return append(names, "average", "average_sd", "printed_average", "seeds",
		"cpu_seconds_per_instance", "seconds_per_instance", "cpu_seconds", "seconds")
}

// fields writes a row for programs.
func (r benchRow) fields(classes []string) []string {
	cells := []string{r.Method, r.Model, r.Provider, r.Source}
	for _, class := range classes {
		cells = append(cells, exactText(r.Classes[class]))
	}
	return append(cells, exactText(r.Average), optionalText(r.AverageSD), optionalText(r.Printed), strconv.Itoa(r.Seeds),
		optionalText(r.CPUSecondsPerInstance), optionalText(r.SecondsPerInstance), optionalText(r.CPUSeconds), optionalText(r.Seconds))
}

// cells shows a row to people.
func (r benchRow) cells(classes []string) []string {
	digits := 3
	if r.Source == sourcePaper {
		digits = 1 // as it prints them
	}
	cells := []string{r.label(len(classes) == len(paperClasses))}
	for _, class := range classes {
		cells = append(cells, fmt.Sprintf("%.*f", digits, r.Classes[class]))
	}
	average := fmt.Sprintf("%.*f", digits, r.Average)
	if r.AverageSD != nil {
		average += fmt.Sprintf(" ± %.*f", digits, *r.AverageSD)
	}
	return append(cells, average,
		secondsText(r.CPUSecondsPerInstance), secondsText(r.SecondsPerInstance), secondsText(r.CPUSeconds), secondsText(r.Seconds))
}

// label names a row. Over all of its classes, a row of the paper also shows the
// average that the paper prints.
func (r benchRow) label(allClasses bool) string {
	switch {
	case r.Source == sourcePaper && allClasses:
		return fmt.Sprintf("%s (paper, prints %.1f)", r.Method, *r.Printed)
	case r.Source == sourcePaper:
		return r.Method + " (paper)"
	case r.Model != "":
		return r.Method + " " + r.Model
	}
	return r.Method
}

// secondsText shows a time to people, nothing where there is none.
func secondsText(seconds *float64) string {
	switch {
	case seconds == nil:
		return ""
	case *seconds < 1:
		return fmt.Sprintf("%.3g", *seconds)
	}
	return fmt.Sprintf("%.2f", *seconds)
}
