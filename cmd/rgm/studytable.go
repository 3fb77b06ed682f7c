package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// studyRow is what the trainings of a variant reach: seed by seed, or the mean.
type studyRow struct {
	variant    string
	validation []float64
	average    []float64
	classes    map[string]float64 // means
	seconds    float64            // mean
	updates    float64            // mean
}

// studyRows sums results up, in the order of the variants.
func studyRows(of *study, results []studyResult) []studyRow {
	var rows []studyRow
	for _, v := range of.variants {
		row := studyRow{variant: v.name, classes: map[string]float64{}}
		mine := slices.DeleteFunc(slices.Clone(results), func(r studyResult) bool { return r.Variant != v.name })
		if len(mine) == 0 {
			continue
		}
		share := 1 / float64(len(mine))
		for _, r := range mine {
			row.average = append(row.average, r.Average)
			if r.ValidationGap != nil {
				row.validation = append(row.validation, *r.ValidationGap)
			}
			for class, gap := range r.Classes {
				row.classes[class] += share * gap
			}
			row.seconds += share * r.Seconds
			row.updates += share * float64(r.Updates)
		}
		rows = append(rows, row)
	}
	return rows
}

// printStudy prints a line for each variant, for programs one for each training.
func printStudy(out io.Writer, format string, classes []string, rows []studyRow, results []studyResult) error {
	switch format {
	case formatJSON:
		return writeJSON(out, results...)
	case formatCSV:
		return writeCSV(out, studyFields(classes), fieldsOfResults(results, classes))
	}
	header := append([]string{"variant", "seeds", "validation"}, classes...)
	header = append(header, "average", "updates", "s")
	var lines [][]string
	for _, row := range rows {
		line := []string{row.variant, strconv.Itoa(len(row.average)), spreadText(row.validation)}
		for _, class := range classes {
			line = append(line, fmt.Sprintf("%.2f", row.classes[class]))
		}
		lines = append(lines, append(line, spreadText(row.average), fmt.Sprintf("%.0f", row.updates), fmt.Sprintf("%.0f", row.seconds)))
	}
	if format == formatMarkdown {
		return writeMarkdown(out, header, lines)
	}
	return writeTable(out, header, lines)
}

// studyFields are the columns of fieldsOfResults.
func studyFields(classes []string) []string {
	return append(append([]string{"variant", "seed", "config", "updates", "seconds", "validation_gap"}, classes...), "average")
}

// fieldsOfResults writes results for programs.
func fieldsOfResults(results []studyResult, classes []string) [][]string {
	var all [][]string
	for _, r := range results {
		line := []string{r.Variant, strconv.Itoa(r.Seed), r.Config, strconv.Itoa(r.Updates), exactText(r.Seconds), optionalText(r.ValidationGap)}
		for _, class := range classes {
			line = append(line, exactText(r.Classes[class]))
		}
		all = append(all, append(line, exactText(r.Average)))
	}
	return all
}

// spreadText shows the mean of values and their standard deviation.
func spreadText(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	text := fmt.Sprintf("%.3f", mean(values))
	if sd := standardDeviation(values); sd != nil {
		text += fmt.Sprintf(" ± %.3f", *sd)
	}
	return text
}
