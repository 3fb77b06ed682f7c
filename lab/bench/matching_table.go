package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/cli/report"
)

// Print prints the rows and, for people, how they were made.
func (m *Matching) Print(out io.Writer, rows []MatchingRow) error {
	switch m.settings.Format {
	case report.JSON:
		return report.WriteJSON(out, rows...)
	case report.CSV:
		return report.WriteCSV(out, matchingFields, matchingCells(rows))
	}
	classes := classesOf(rows)
	header := append([]string{"method"}, classes...)
	header = append(header, "mean", "precision", "recall", "objective", "optimal %", "ms/pair")
	var cells [][]string
	for _, row := range rows {
		cells = append(cells, row.cells(classes))
	}
	if ahead := aheadOfFirst(rows); ahead != nil {
		header = slices.Insert(header, 2+len(classes), "ahead")
		for k := range cells {
			cells[k] = slices.Insert(cells[k], 2+len(classes), ahead[k])
		}
	}
	write, newline := report.WriteTable, "\n"
	if m.settings.Format == report.Markdown {
		write, newline = WriteMarkdown, "\n\n"
	}
	if len(classes) > mostColumns {
		header, cells = turnedTable(header, cells)
	}
	if err := write(out, header, cells); err != nil {
		return err
	}
	if header, cells := discrepancyTable(rows); m.settings.Discrepancy && len(cells) > 0 {
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
		if err := write(out, header, cells); err != nil {
			return err
		}
	}
	for _, line := range m.notes(rows) {
		if _, err := fmt.Fprint(out, newline, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// aheadOfFirst says of each row by how much its mean is above that of the first one measured, pair by pair; nil where no
// two rows can be compared so.
func aheadOfFirst(rows []MatchingRow) []string {
	first := slices.IndexFunc(rows, func(r MatchingRow) bool { return r.Source == sourceMeasured })
	if first < 0 {
		return nil
	}
	texts, some := make([]string, len(rows)), false
	for k := range rows {
		if difference, deviation, paired := Ahead(rows[k:k+1], rows[first:first+1]); paired && k != first {
			texts[k], some = fmt.Sprintf("%+.1f ± %.1f", difference, deviation), true
		}
	}
	if !some {
		return nil
	}
	return texts
}

// mostColumns is for how many classes a table has columns; more of them have lines.
const mostColumns = 12

// turnedTable exchanges lines and columns.
func turnedTable(header []string, cells [][]string) (turned []string, lines [][]string) {
	turned = []string{"class"}
	for _, row := range cells {
		turned = append(turned, row[0])
	}
	for k, name := range header[1:] {
		line := []string{name}
		for _, row := range cells {
			line = append(line, row[k+1])
		}
		lines = append(lines, line)
	}
	return turned, lines
}

// matchingFields are the columns of CSV.
var matchingFields = []string{
	"set", "method", "model", "provider", "source", "regularize", "inliers", "fix", "irrevocable", "seeds", "class",
	"pairs", "f1_percent", "f1_standard_error", "precision_percent", "recall_percent", "objective", "optimal_percent",
	"seconds_per_pair", "about",
}

// averageClass is the class of averages in CSV.
const averageClass = "average"

// matchingCells are the lines of CSV: of each row its classes and the average.
func matchingCells(rows []MatchingRow) [][]string {
	var lines [][]string
	for _, r := range rows {
		line := func(class string, s matchingScores) {
			lines = append(lines, []string{
				r.Set, r.Method, r.Model, r.Provider, r.Source, r.Regularize, countText(r.Inliers), countText(r.Fix),
				strconv.FormatBool(r.Irrevocable), countText(r.Seeds), class, countText(s.Pairs), report.OptionalText(s.F1),
				report.OptionalText(s.F1Error), report.OptionalText(s.Precision), report.OptionalText(s.Recall), report.OptionalText(s.Objective),
				report.OptionalText(s.Optimal), report.OptionalText(s.Seconds), r.About,
			})
		}
		for _, class := range slices.Sorted(maps.Keys(r.Classes)) {
			line(class, r.Classes[class])
		}
		line(averageClass, r.Average)
	}
	return lines
}

// countText writes a count, nothing of 0.
func countText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// cells shows a row to people: by class the F1, or the share of optima where there is
// none.
func (r MatchingRow) cells(classes []string) []string {
	cells := []string{r.Label()}
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

// Label names a row: what was measured and, unless it was here, its source.
func (r MatchingRow) Label() string {
	words := []string{strings.TrimSpace(r.Method + " " + r.Model)}
	if r.Irrevocable {
		words[0] += " w/o rev."
	}
	if r.Start != "" {
		words = append(words, r.Start+" start")
	}
	if r.Affinity != "" {
		words = append(words, "learned affinity")
	}
	if r.Regularize != "" {
		words = append(words, r.Regularize)
	}
	for _, count := range []struct {
		n         int
		one, many string
	}{{r.Inliers, "match", "matches"}, {r.Fix, "seed", "seeds"}} {
		switch {
		case count.n == 1:
			words = append(words, "1 "+count.one)
		case count.n > 1:
			words = append(words, strconv.Itoa(count.n)+" "+count.many)
		}
	}
	label := strings.Join(words, ", ")
	if r.Source != sourceMeasured {
		label += " (" + r.Source + ")"
	}
	return label
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
func (m *Matching) notes(rows []MatchingRow) []string {
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
	if aheadOfFirst(rows) != nil {
		lines = append(lines, "Ahead: mean of the differences to the first row that was measured, pair by pair, ± its standard error.")
	}
	if s.Complete {
		lines = append(lines, "Complete matchings.")
	}
	if slices.ContainsFunc(m.goals, func(g matchingGoal) bool { return g.inliers > 0 }) {
		lines = append(lines, "Rows of a number of matches: of methods that cannot keep to that, those left when the weakest are released one by one.")
	}
	if slices.ContainsFunc(m.goals, func(g matchingGoal) bool { return !g.regularizer.None() }) {
		lines = append(lines, "Rows of f1, f2, f3, mean or null: the score of m matches is multiplied by f(m).")
	}
	if slices.ContainsFunc(m.goals, func(g matchingGoal) bool { return g.seeds > 0 }) {
		lines = append(lines, "Rows of seeds: so many true matches are given, which count in F1; those of a pair and seed are among those of the rows with more.")
	}
	for _, source := range []struct{ name, note string }{
		{SourcePaper, "Rows of the paper: other pairs, and affinities of learned features."},
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
