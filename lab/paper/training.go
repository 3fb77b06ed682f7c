package paper

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// studyUnit runs a study, which keeps its own trainings in its folder and resumes them.
func studyUnit(study, flags string) Unit {
	folder := "runs/" + study
	return Unit{Name: "study-" + study, Folder: folder, Args: words("bench training " + study + " --format json --out {dir}/" + folder + " " + flags)}
}

// slug makes a name part of a file's.
func slug(name string) string { return strings.NewReplacer(" ", "-", "=", "-", ".", "-").Replace(name) }

// studied returns the results of a part's study.
func studied(p *Part, results Results) []bench.StudyResult {
	units := slices.DeleteFunc(names(p.Units), func(name string) bool { return !strings.HasPrefix(name, "study-") })
	return rowsOf[bench.StudyResult](results, units...)
}

// showProtocol shows a study as a table and dots.
func showProtocol(p *Part, d *partData, results Results) []Block {
	rows := studied(p, results)
	if len(rows) == 0 {
		return nil
	}
	return []Block{{Table: studyTable(rows, d.Against)}, {Picture: dots(p.ID, "Trained on…", "gap in % on the larger halves", rows)}}
}

// showClasses shows a study by the classes of QAPLIB.
func showClasses(p *Part, d *partData, results Results) []Block {
	rows := studied(p, results)
	if len(rows) == 0 {
		return nil
	}
	variants, byVariant := grouped(rows)
	classes := slices.Sorted(maps.Keys(rows[0].Classes))
	values := make([][]float64, len(variants))
	for k, v := range variants {
		for _, class := range classes {
			mean := 0.0
			for _, r := range byVariant[v] {
				mean += r.Classes[class] / float64(len(byVariant[v]))
			}
			values[k] = append(values[k], mean)
		}
		values[k] = append(values[k], statistics.Mean(averages(byVariant[v])))
	}
	return []Block{{Picture: &Picture{
		Name: p.ID, Alt: "heat map of gaps by class",
		SVG: plots.Heat(plots.Table{Title: "Gap in % on the larger halves", RowLabel: "trained on", ColumnLabel: "measured on", Rows: variants, Columns: append(classes, "average"), Values: values, Low: true}),
	}}, {Table: studyTable(rows, d.Against)}}
}

// showStudy shows a study as dots and a table, with rules without learning.
func showStudy(p *Part, d *partData, results Results) []Block {
	rows := studied(p, results)
	if len(rows) == 0 {
		return nil
	}
	t := studyTable(rows, d.Against)
	for _, r := range measuredRows(rowsOf[bench.QAPLIBRow](results, "qaplib-few-steps")) {
		t.Rows = append(t.Rows, []string{r.Method, "0", "", "", fmt.Sprintf("%.3f", r.Average), "", "0", "0"})
	}
	return []Block{{Picture: dots(p.ID, p.Title, "gap in %, average over the classes", rows)}, {Table: t}}
}

// grouped returns the variants in their order, and the results of each.
func grouped(rows []bench.StudyResult) (order []string, byVariant map[string][]bench.StudyResult) {
	byVariant = map[string][]bench.StudyResult{}
	for _, r := range rows {
		if byVariant[r.Variant] == nil {
			order = append(order, r.Variant)
		}
		byVariant[r.Variant] = append(byVariant[r.Variant], r)
	}
	return order, byVariant
}

func averages(rows []bench.StudyResult) []float64 {
	var all []float64
	for _, r := range rows {
		all = append(all, r.Average)
	}
	return all
}

// averageGap is the column of a study's table that counts.
const averageGap = "gap %, average"

// studyTable shows the mean of the seeds of every variant, and what it has more than one that it is compared with.
func studyTable(rows []bench.StudyResult, against string) *Table {
	order, byVariant := grouped(rows)
	t := &Table{trained: map[string]map[string][]float64{validationGap: {}, averageGap: {}}}
	for _, v := range order {
		t.trained[averageGap][v], t.trained[validationGap][v] = averages(byVariant[v]), validations(byVariant[v])
	}
	less := func(column, v string) string {
		difference, deviation, same := t.bySeed(column, v, against)
		if !same || v == against {
			return ""
		}
		return fmt.Sprintf("%+.3f ± %.3f", difference, deviation)
	}
	t.Header = []string{"variant", trainingsColumn, validationGap, "less " + against, averageGap, "less " + against, "updates", minutesColumn}
	for _, v := range order {
		all := averages(byVariant[v])
		updates, minutes := 0.0, 0.0
		for _, r := range byVariant[v] {
			updates += float64(r.Updates) / float64(len(all))
			minutes += r.CPU / 60 / float64(len(all))
		}
		validation := ""
		if of := t.trained[validationGap][v]; len(of) > 0 {
			validation = spreadOf(of, 3)
		}
		line := []string{v, fmt.Sprint(len(all)), validation, less(validationGap, v), spreadOf(all, 3), less(averageGap, v), fmt.Sprintf("%.0f", updates), fmt.Sprintf("%.2g", minutes)}
		t.Rows = append(t.Rows, line)
	}
	if against == "" {
		t.drop(5)
		t.drop(3)
	}
	return t
}

// validationGap is the column of what the generated instances say by which a training's network was chosen.
const validationGap = "validation, spreads"

// validations returns those of trainings, nothing where one was too short for it.
func validations(rows []bench.StudyResult) (all []float64) {
	for _, r := range rows {
		if r.ValidationGap == nil {
			return nil
		}
		all = append(all, *r.ValidationGap)
	}
	return all
}

// dots draws the trainings of a study.
func dots(name, title, label string, rows []bench.StudyResult) *Picture {
	order, byVariant := grouped(rows)
	var lines []plots.Row
	for _, v := range order {
		lines = append(lines, plots.Row{Name: v, Values: averages(byVariant[v])})
	}
	return &Picture{Name: name, Alt: title, SVG: plots.Dots(title, label, lines)}
}
