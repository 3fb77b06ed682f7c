package bench

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/internal/statistics"
)

// StudyRow is what the trainings of a variant reach: seed by seed, or the mean.
type StudyRow struct {
	Variant    string
	validation []float64
	Average    []float64
	Classes    map[string]float64 // means
	seconds    float64            // mean
	updates    float64            // mean
}

// StudyRows sums results up, in the order of the variants.
func StudyRows(of *Study, results []StudyResult) []StudyRow {
	var rows []StudyRow
	for _, v := range of.variants {
		row := StudyRow{Variant: v.Name, Classes: map[string]float64{}}
		mine := slices.DeleteFunc(slices.Clone(results), func(r StudyResult) bool { return r.Variant != v.Name })
		if len(mine) == 0 {
			continue
		}
		share := 1 / float64(len(mine))
		for _, r := range mine {
			row.Average = append(row.Average, r.Average)
			if r.ValidationGap != nil {
				row.validation = append(row.validation, *r.ValidationGap)
			}
			for class, gap := range r.Classes {
				row.Classes[class] += share * gap
			}
			row.seconds += share * r.Seconds
			row.updates += share * float64(r.Updates)
		}
		rows = append(rows, row)
	}
	return rows
}

// PrintStudy prints a line for each variant, for programs one for each training.
func PrintStudy(out io.Writer, format string, classes []string, rows []StudyRow, results []StudyResult) error {
	switch format {
	case report.JSON:
		return report.WriteJSON(out, results...)
	case report.CSV:
		return report.WriteCSV(out, studyFields(classes), fieldsOfResults(results, classes))
	}
	header := append([]string{"variant", "seeds", "validation"}, classes...)
	header = append(header, "average", "updates", "s")
	var lines [][]string
	for _, row := range rows {
		line := []string{row.Variant, strconv.Itoa(len(row.Average)), spreadText(row.validation)}
		for _, class := range classes {
			line = append(line, fmt.Sprintf("%.2f", row.Classes[class]))
		}
		lines = append(lines, append(line, spreadText(row.Average), fmt.Sprintf("%.0f", row.updates), fmt.Sprintf("%.0f", row.seconds)))
	}
	if format == report.Markdown {
		return WriteMarkdown(out, header, lines)
	}
	return report.WriteTable(out, header, lines)
}

// studyFields are the columns of fieldsOfResults.
func studyFields(classes []string) []string {
	return append(append([]string{"variant", "seed", "config", "updates", "seconds", "validation_gap"}, classes...), "average")
}

// fieldsOfResults writes results for programs.
func fieldsOfResults(results []StudyResult, classes []string) [][]string {
	var all [][]string
	for _, r := range results {
		line := []string{r.Variant, strconv.Itoa(r.Seed), r.Config, strconv.Itoa(r.Updates), report.ExactText(r.Seconds), report.OptionalText(r.ValidationGap)}
		for _, class := range classes {
			line = append(line, report.ExactText(r.Classes[class]))
		}
		all = append(all, append(line, report.ExactText(r.Average)))
	}
	return all
}

// spreadText shows the mean of values and their standard deviation.
func spreadText(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	text := fmt.Sprintf("%.3f", statistics.Mean(values))
	if len(values) > 1 {
		text += fmt.Sprintf(" ± %.3f", statistics.Deviation(values))
	}
	return text
}
