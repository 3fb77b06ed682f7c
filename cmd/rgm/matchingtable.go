package main

import (
	"fmt"
	"io"
)

// print prints the rows and, for people, how they were made.
func (m *matchingMeasurement) print(out io.Writer, rows []matchingRow) error {
	if m.settings.Format == formatJSON {
		return writeJSON(out, rows...)
	}
	classes := classesOf(rows)
	header := append([]string{"method"}, classes...)
	header = append(header, "mean", "precision", "recall", "objective", "optimal %", "ms/pair")
	var cells [][]string
	for _, row := range rows {
		cells = append(cells, row.cells(classes))
	}
	write, newline := writeTable, "\n"
	if m.settings.Format == formatMarkdown {
		write, newline = writeMarkdown, "\n\n"
	}
	if err := write(out, header, cells); err != nil {
		return err
	}
	for _, line := range m.notes(rows) {
		if _, err := fmt.Fprint(out, newline, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// cells shows a row to people: by class the F1, or the share of optima where there is
// none.
func (r matchingRow) cells(classes []string) []string {
	cells := []string{r.label()}
	for _, class := range classes {
		cells = append(cells, percentText(r.Classes[class].leading()))
	}
	average := r.Average
	leading := percentText(average.leading())
	if average.F1Error != nil {
		leading += fmt.Sprintf(" ± %.1f", *average.F1Error)
	}
	objective, milliseconds := "", ""
	if average.Objective != nil {
		objective = fmt.Sprintf("%.4f", *average.Objective)
	}
	if average.Seconds != nil {
		milliseconds = fmt.Sprintf("%.3g", 1000**average.Seconds)
	}
	return append(cells, leading, percentText(average.Precision), percentText(average.Recall), objective,
		percentText(average.Optimal), milliseconds)
}

// label names a row and, unless it was measured here, its source.
func (r matchingRow) label() string {
	switch {
	case r.Source != sourceMeasured:
		return fmt.Sprintf("%s (%s)", r.Method, r.Source)
	case r.Model != "":
		return r.Method + " " + r.Model
	}
	return r.Method
}

// leading is what a class is judged by.
func (s matchingScores) leading() *float64 {
	if s.F1 == nil {
		return s.Optimal
	}
	return s.F1
}

func percentText(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.1f", *v)
}

// notes tell how the measured rows were made.
func (m *matchingMeasurement) notes(rows []matchingRow) []string {
	s, last := m.settings, rows[len(rows)-1]
	quantity := "F1 in %"
	if last.Average.F1 == nil {
		quantity = "the share of optima in %"
	}
	lines := []string{
		fmt.Sprintf("By class: %s. Mean over the classes of each column, ± its standard error over pairs. %d runs: pairs with the seeds 0..%d, nodes relabelled at random.",
			quantity, last.Average.Pairs, s.Seeds-1),
		"Set " + s.Set + ": " + m.sets[0].About + ".",
	}
	switch {
	case s.Inliers > 0:
		lines = append(lines, fmt.Sprintf("%d matches: of methods that cannot keep to that, those left when the weakest are released one by one.", s.Inliers))
	case s.Complete:
		lines = append(lines, "Complete matchings.")
	}
	if s.Regularize != "none" {
		lines = append(lines, "Score multiplied by f(m): "+s.Regularize+".")
	}
	for _, source := range []struct{ name, note string }{
		{sourcePaper, "Rows of the paper: other pairs, and affinities of learned features."},
		{"pygmtools", "Rows of pygmtools: the same protocol and affinities; for Willow twice as many pairs, for synthetic sets another draw."},
	} {
		for _, row := range rows {
			if row.Source == source.name {
				lines = append(lines, source.note)
				break
			}
		}
	}
	return lines
}
