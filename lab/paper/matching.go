package paper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// matchingSet is a set of rgm-lab bench matching that stands for one of the paper's.
type matchingSet struct {
	Name, Needs string // Needs: folder of the data
	short       string // of the units' names
}

func names(units []Unit) []string {
	var all []string
	for _, u := range units {
		all = append(all, u.Name)
	}
	return all
}

// showCategories shows the paper's table by categories, and what was measured.
func showCategories(p *Part, _ *partData, results Results) []Block {
	blocks := []Block{{Table: read().printed("voc")}}
	if rows := matchingRows(results, names(p.Units)...); len(rows) > 0 {
		blocks = append(blocks, Block{Table: turned(byClass(rows))})
	}
	return blocks
}

// turned exchanges the rows and the columns of a table.
func turned(t *Table) *Table {
	n := &Table{Caption: t.Caption, Header: []string{"category"}}
	for _, row := range t.Rows {
		n.Header = append(n.Header, row[0])
	}
	for k, name := range t.Header[1:] {
		line := []string{name}
		for _, row := range t.Rows {
			line = append(line, row[k+1])
		}
		n.Rows = append(n.Rows, line)
	}
	return n
}

// showMethods shows every row of the units by class, those of the paper first, and for classes of outliers a picture.
func showMethods(p *Part, d *partData, results Results) []Block {
	rows := matchingRows(results, names(p.Units)...)
	if len(rows) == 0 {
		return nil
	}
	blocks := []Block{{Table: byClass(rows)}}
	if d.Over != "" {
		series := func(r bench.MatchingRow) bool {
			return r.Source == "measured" && (r.Method == "rrwm" || r.Method == "rgm" || r.Method == "profile" || r.Method == "greedy-tabu") && r.Inliers == 0
		}
		blocks = append(blocks, Block{Picture: &Picture{
			Name: p.ID, Alt: "F1 over the number of outliers",
			SVG: plots.Lines("F1 without a count of inliers", d.Over, "F1 in %", linesOverClasses(rows, series)),
		}})
	}
	return blocks
}

// matchingRows returns rows of bench matching, each once: the paper's, others', ours.
func matchingRows(results Results, units ...string) []bench.MatchingRow {
	var rows []bench.MatchingRow
	for _, row := range rowsOf[bench.MatchingRow](results, units...) {
		known := func(r bench.MatchingRow) bool { return r.Label() == row.Label() && r.Set == row.Set }
		if !slices.ContainsFunc(rows, known) {
			rows = append(rows, row)
		}
	}
	order := []string{"paper", "pygmtools", "measured"}
	slices.SortStableFunc(rows, func(a, b bench.MatchingRow) int {
		return slices.Index(order, a.Source) - slices.Index(order, b.Source)
	})
	return rows
}

// classesOf returns the classes of rows, sorted.
func classesOf(rows []bench.MatchingRow) []string {
	var classes []string
	for _, r := range rows {
		for class := range r.Classes {
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	slices.Sort(classes)
	return classes
}

// byClass shows F1 by class, its mean with its standard error, and the objective.
func byClass(rows []bench.MatchingRow) *Table {
	classes := classesOf(rows)
	t := &Table{Header: slices.Concat([]string{"method"}, classes, []string{"mean", "objective", "ms a pair"})}
	for _, r := range rows {
		line := []string{r.Label()}
		for _, class := range classes {
			line = append(line, percent(r.Classes[class].F1))
		}
		t.measure("mean", r.Label(), r)
		t.Rows = append(t.Rows, append(line, f1Text(r), optional("%.3f", r.Average.Objective, 1), optional("%.3g", r.Average.Seconds, 1000)))
	}
	return t
}

func f1Text(r bench.MatchingRow) string {
	if r.Average.F1 == nil {
		return ""
	}
	return spread(*r.Average.F1, r.Average.F1Error, 1)
}

// optional writes a number times a factor, nothing of nil.
func optional(format string, v *float64, factor float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, factor**v)
}

// linesOverClasses are the rows that are wanted as lines over the number in their classes' names.
func linesOverClasses(rows []bench.MatchingRow, wanted func(bench.MatchingRow) bool) []plots.Series {
	var series []plots.Series
	for _, r := range rows {
		if !wanted(r) {
			continue
		}
		line := plots.Series{Name: r.Label()}
		for _, class := range classesOf([]bench.MatchingRow{r}) {
			scores := r.Classes[class]
			if x, ok := numberIn(class); ok && scores.F1 != nil {
				line.X, line.Y = append(line.X, x), append(line.Y, *scores.F1)
				if scores.F1Error != nil {
					line.Error = append(line.Error, *scores.F1Error)
				}
			}
		}
		series = append(series, line)
	}
	return series
}

// numberIn returns the number of a class such as "k=3", "δ=0.1 k=3" or "δ=0.2 k=0": of
// outliers, where there are any, else of noise.
func numberIn(class string) (float64, bool) {
	value := func(key string) (float64, bool) {
		_, text, found := strings.Cut(class, key+"=")
		text, _, _ = strings.Cut(text, " ")
		v, err := strconv.ParseFloat(text, 64)
		return v, found && err == nil
	}
	if k, ok := value("k"); ok && k > 0 {
		return k, true
	}
	return value("δ")
}

// showCounts shows F1 by the number of matches that were asked for.
func showCounts(_ *Part, d *partData, results Results) (blocks []Block) {
	count := func(r bench.MatchingRow) (int, bench.MatchingRow) { n := r.Inliers; r.Inliers = 0; return n, r }
	for _, t := range d.Tables {
		blocks = append(blocks, pivot(t.Caption, "matches asked for", matchingRows(results, t.Units...), count)...)
	}
	return blocks
}

// pivot shows the mean F1 of rows by a number that tells them apart, which of takes away.
func pivot(caption, over string, rows []bench.MatchingRow, of func(bench.MatchingRow) (int, bench.MatchingRow)) []Block {
	cells := map[string]map[int]string{}
	var order []string
	var columns []int
	for _, r := range rows {
		n, rest := of(r)
		if n == 0 && r.Source != "measured" {
			continue // of no number
		}
		label := rest.Label()
		if cells[label] == nil {
			cells[label] = map[int]string{}
			order = append(order, label)
		}
		cells[label][n] = f1Text(r)
		if !slices.Contains(columns, n) {
			columns = append(columns, n)
		}
	}
	if len(order) == 0 {
		return nil
	}
	slices.Sort(columns)
	t := &Table{Caption: caption + ", by " + over, Header: []string{"method"}}
	for _, n := range columns {
		t.Header = append(t.Header, strconv.Itoa(n))
	}
	for _, label := range order {
		line := []string{label}
		for _, n := range columns {
			line = append(line, cells[label][n])
		}
		t.Rows = append(t.Rows, line)
	}
	return []Block{{Table: t}}
}
