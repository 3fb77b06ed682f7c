package bench

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rgm-go/rgm/cli/report"
)

// PrintQAPLIB prints the rows of the table.
func PrintQAPLIB(out io.Writer, format string, classes []string, rows []QAPLIBRow) error {
	switch format {
	case report.JSON:
		return report.WriteJSON(out, rows...)
	case report.CSV:
		return report.WriteCSV(out, benchFields(classes), fieldsOf(rows, classes))
	}
	header := append([]string{"method"}, classes...)
	header = append(header, "average", "CPU s/instance", "s/instance", "CPU s in all", "s in all")
	write := report.WriteTable
	if format == report.Markdown {
		write = WriteMarkdown
	}
	var lines [][]string
	for _, row := range rows {
		lines = append(lines, row.lines(classes)...)
	}
	err := write(out, header, lines)
	if err == nil && format == report.Table {
		_, err = fmt.Fprintln(out, qaplibLegend)
	}
	return err
}

// qaplibLegend says what the numbers of a table for people are.
const qaplibLegend = `
Gap to the best known values in percent: the mean of each class, below it the least and the largest; average: the
mean of the classes, ± its standard deviation over seeds. CPU s: processor time; s: elapsed. Rows of the paper: as
printed, over all sizes, with the average of the classes shown here.`

func fieldsOf(rows []QAPLIBRow, classes []string) [][]string {
	var all [][]string
	for _, row := range rows {
		all = append(all, row.fields(classes))
	}
	return all
}

// benchFields are the columns of fields.
func benchFields(classes []string) []string {
	names := []string{"method", "model", "provider", "source", "time_limit_seconds"}
	for _, class := range classes {
		names = append(names, class, class+"_min", class+"_max")
	}
	return append(names, "average", "average_sd", "printed_average", "seeds",
		"cpu_seconds_per_instance", "seconds_per_instance", "cpu_seconds", "seconds", "clock")
}

// fields writes a row for programs.
func (r QAPLIBRow) fields(classes []string) []string {
	cells := []string{r.Method, r.Model, r.Provider, r.Source, report.OptionalText(r.TimeLimit)}
	for _, class := range classes {
		cells = append(cells, report.ExactText(r.Classes[class]), report.ExactText(r.ClassesMin[class]), report.ExactText(r.ClassesMax[class]))
	}
	return append(cells, report.ExactText(r.Average), report.OptionalText(r.AverageSD), report.OptionalText(r.Printed), strconv.Itoa(r.Seeds),
		report.OptionalText(r.CPUSecondsPerInstance), report.OptionalText(r.SecondsPerInstance), report.OptionalText(r.CPUSeconds), report.OptionalText(r.Seconds), r.Clock)
}

// lines shows a row to people: the means and the times, below them the least and
// the largest gaps.
func (r QAPLIBRow) lines(classes []string) [][]string {
	digits := 3
	if r.Source == SourcePaper {
		digits = 1 // as it prints them
	}
	line := func(label string, gaps map[string]float64) []string {
		cells := []string{label}
		for _, class := range classes {
			cells = append(cells, fmt.Sprintf("%.*f", digits, gaps[class]))
		}
		return cells
	}
	average := fmt.Sprintf("%.*f", digits, r.Average)
	if r.AverageSD != nil {
		average += fmt.Sprintf(" ± %.*f", digits, *r.AverageSD)
	}
	means := append(line(r.Label(len(classes) == len(paperClasses)), r.Classes), average,
		secondsText(r.CPUSecondsPerInstance), secondsText(r.SecondsPerInstance), secondsText(r.CPUSeconds), secondsText(r.Seconds))
	none := make([]string, 5) // averages and times
	return [][]string{means, append(line("min", r.ClassesMin), none...), append(line("max", r.ClassesMax), none...)}
}

// Label names a row. Over all of its classes, a row of the paper also shows the
// average that the paper prints.
func (r QAPLIBRow) Label(allClasses bool) string {
	switch {
	case r.Source == SourcePaper && allClasses:
		return fmt.Sprintf("%s (paper, prints %.1f)", r.Method, *r.Printed)
	case r.Source == SourcePaper:
		return r.Method + " (paper)"
	}
	return r.Series() + r.limitText()
}

// Series names what was measured, whatever the time limit.
func (r QAPLIBRow) Series() string {
	name := strings.TrimSpace(r.Method + " " + r.Model)
	if r.Irrevocable {
		name += " w/o rev."
	}
	return name
}

// TimePerInstance returns the seconds of an instance by the clock of the time limit, as far
// as they are known.
func (r QAPLIBRow) TimePerInstance() float64 {
	if r.Clock == ClockCPU && r.CPUSecondsPerInstance != nil {
		return *r.CPUSecondsPerInstance
	}
	return *r.SecondsPerInstance
}

func (r QAPLIBRow) limitText() string {
	if r.TimeLimit == nil {
		return ""
	}
	text := " " + time.Duration(*r.TimeLimit*float64(time.Second)).String()
	if r.Clock == ClockCPU {
		text += " of CPU"
	}
	return text
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
