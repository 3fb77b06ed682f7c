package paper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// pairTrainings are policies trained on pairs of graphs, some seeds each, and measured beside the network as it begins
// and rules without learning.
type pairTrainings struct {
	Prefix   string // of the units' names
	Shared   string // flags of all trainings
	Study    string // a row is one of its variants
	Rows     string // names of the rows, or of the study's variants ("" for all), between blanks
	Pairs    string // flags that make the pairs that a row, %, trains on; "" for those of the preset
	Episodes string // of a training: of each row, or of all
	Measured []string
	Flags    string // of the measurements
	Steps    string // of the policies and of the rules, not of profile
	Heat     bool   // drawn by class
}

// pairTraining is a row: what its trainings differ in.
type pairTraining struct {
	name, settings string
	episodes       int
}

// The rows beside the trained ones.
const (
	untrained = "untrained"         // the network as a training begins
	skilled   = "gain as it begins" // the network that ships as its trainings begin: it knows a rule
	sizes     = "profile"           // a search of all sizes, which ends by itself
)

var rules = []string{"greedy", "greedy-tabu", "greedy-ages"}

// measuredAs is a row of a measurement: what it is called, and the training that made it.
type measuredAs struct{ row, training string }

// complete makes of a part that of trainings: it makes the pairs, trains, and measures all networks of a set in one run.
func (t *pairTrainings) complete(s scale, p *Part) {
	var made, trainings []Unit
	var all []measuredAs
	var models []string
	train := func(row, name, needs, flags string) {
		u := s.unit(fmt.Sprintf("train-%s: train --out {dir}/runs/%s %s %s", name, name, t.Shared, flags))
		u.Needs = needs
		trainings, models, all = append(trainings, u), append(models, "{dir}/"+u.Folder+"/model.onnx"), append(all, measuredAs{row, u.Name})
	}
	for seed := range s.seeds() {
		for _, r := range t.rows(s) {
			group := t.Prefix + "-" + slug(r.name)
			settings, needs := r.settings, ""
			if t.Pairs != "" {
				folder := "made/" + group
				settings = " --instances {dir}/" + folder + "/synthetic_A.npy"
				u := s.unit("pairs-" + group + ": datasets generate " + strings.ReplaceAll(t.Pairs, "%", r.name) + " --seed 1000 {dir}/" + folder)
				if needs = u.Needs; seed == 0 {
					made = append(made, u)
				}
			}
			train(r.name, fmt.Sprintf("%s-%d", group, seed), needs, fmt.Sprintf("%s --episodes %d --seed %d", settings, r.episodes, seed))
		}
		for _, row := range [][2]string{{untrained, ""}, {skilled, " --set model.architecture=gain"}} { // whose weights stay as they are
			train(row[0], fmt.Sprintf("%s-%s-%d", t.Prefix, slug(row[0]), seed), "", fmt.Sprintf("%s --set learning_rate=1e-12 --episodes {60|300} --seed %d", row[1], seed))
		}
	}
	models = append(models, rules...)
	for _, rule := range rules {
		all = append(all, measuredAs{row: rule})
	}
	all = append(all, measuredAs{row: sizes})
	var measures []Unit // two of a set
	for _, set := range t.Measured {
		measures = append(measures,
			s.unit(fmt.Sprintf("%s-%s: $%s %s %s --methods %s", set, t.Prefix, set, t.Flags, t.Steps, strings.Join(models, ","))),
			s.unit(fmt.Sprintf("%s-%s-%s: $%s %s --methods %s", set, t.Prefix, sizes, set, t.Flags, sizes)))
	}
	p.About += " " + rowsBeside
	p.Units = slices.Concat(made, trainings, measures)
	p.Claims = append(p.Claims, t.aheadOfSkilled(s)...)
	p.Control = control{Row: untrained, Column: t.column(t.Measured[0]), Others: append([]string{skilled, sizes}, rules...)}
	p.Show = func(results Results) []Block { return t.show(p, results, measures, all) }
}

// rows returns the rows that are trained.
func (t *pairTrainings) rows(s scale) (rows []pairTraining) {
	chosen, episodes := strings.Fields(s.text(t.Rows)), strings.Fields(s.text(t.Episodes))
	of := func(k int) int {
		n, err := strconv.Atoi(episodes[min(k, len(episodes)-1)])
		if err != nil {
			panic(err) // it is in the program
		}
		return n
	}
	if t.Study == "" {
		for k, name := range chosen {
			rows = append(rows, pairTraining{name: name, episodes: of(k)})
		}
		return rows
	}
	for _, v := range bench.Variants(t.Study, "matching", "model.architecture=gain-unskilled") {
		if v.Name == untrained || len(chosen) > 0 && !slices.Contains(chosen, v.Name) {
			continue
		}
		r := pairTraining{name: v.Name, episodes: of(0)}
		if v.Episodes > 0 {
			r.episodes = int(v.Episodes * float64(r.episodes))
		}
		for _, change := range v.Changes {
			r.settings += " --set " + change
		}
		rows = append(rows, r)
	}
	return rows
}

// rowsBeside says what the last rows of the tables are.
const rowsBeside = "`untrained` is the network as these trainings begin, which knows nothing (`gain-unskilled`); `gain as it begins` the one that ships, with a rule in its first weights: " +
	"what is not ahead of it a training of that network has for nothing. Rules without learning have as many steps, `profile` ends by itself. " +
	"Differences are of the same pairs and, between trainings, of the same seed: ± of the trainings ± of the pairs."

// aheadOfSkilled asks of each set whether the best training is ahead of the network that ships as it begins.
func (t *pairTrainings) aheadOfSkilled(s scale) (all []claim) {
	var rows []string
	for _, r := range t.rows(s) {
		rows = append(rows, r.name)
	}
	for _, set := range t.Measured {
		all = append(all, claim{
			says: "On " + read().Sets[set].Name + " the best training is ahead of `" + skilled + "`", ours: true,
			better: cell{strings.Join(rows, "|"), t.column(set)}, worse: cell{skilled, t.column(set)},
		})
	}
	return all
}

// column names the mean over the classes of a set.
func (t *pairTrainings) column(set string) string {
	if t.Heat {
		return "mean"
	}
	return "F1 in %, " + read().Sets[set].Name
}

// show draws each measurement, as a heat map or as dots, and a table of the means over the trainings.
func (p *pairTrainings) show(part *Part, results Results, measures []Unit, all []measuredAs) []Block {
	t := &Table{Header: []string{"row", trainingsColumn, minutesColumn}}
	index := map[string]int{}
	for _, m := range all {
		if _, there := index[m.row]; !there {
			index[m.row] = len(t.Rows)
			t.Rows = append(t.Rows, trainingCells(m.row, results, all))
		}
	}
	var blocks []Block
	for k, set := range p.Measured {
		rows := slices.DeleteFunc(rowsOf[bench.MatchingRow](results, measures[2*k].Name, measures[2*k+1].Name), func(r bench.MatchingRow) bool { return r.Source != "measured" })
		if len(rows) != len(all) {
			continue
		}
		classes := classesOf(rows)
		f1 := make([][][]float64, len(t.Rows)) // of each line, by classes and then in the mean, that of its trainings
		for k, r := range rows {
			line := index[all[k].row]
			t.measure(p.column(set), all[k].row, r)
			if f1[line] == nil {
				f1[line] = make([][]float64, len(classes)+1)
			}
			for c, class := range classes {
				f1[line][c] = append(f1[line][c], *r.Classes[class].F1)
			}
			f1[line][len(classes)] = append(f1[line][len(classes)], *r.Average.F1)
		}
		blocks = append(blocks, Block{Picture: p.picture(part, set, classes, t.Rows, f1)})
		if p.Heat {
			t.Header = append(t.Header, classes...)
		}
		t.Header = append(t.Header, p.column(set))
		for line, values := range f1 {
			if p.Heat {
				for _, of := range values[:len(classes)] {
					t.Rows[line] = append(t.Rows[line], fmt.Sprintf("%.1f", statistics.Mean(of)))
				}
			}
			t.Rows[line] = append(t.Rows[line], spreadOf(values[len(classes)], 1))
		}
		for _, other := range []string{skilled, sizes} {
			t.Header = append(t.Header, "less `"+other+"`")
			for line, row := range t.Rows {
				t.Rows[line] = append(row, t.differenceText(p.column(set), row[0], other))
			}
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	return append(blocks, Block{Table: t})
}

// picture draws a measurement.
func (p *pairTrainings) picture(part *Part, set string, classes []string, rows [][]string, f1 [][][]float64) *Picture {
	name := part.ID
	if len(p.Measured) > 1 {
		name += "-" + set
	}
	if !p.Heat {
		var lines []plots.Row
		for k, row := range rows {
			lines = append(lines, plots.Row{Name: row[0], Values: f1[k][len(classes)]})
		}
		return &Picture{Name: name, Alt: part.Title + ", " + read().Sets[set].Name, SVG: plots.Dots(part.Title, "F1 in %, "+read().Sets[set].Name, lines)}
	}
	heat := plots.Table{Title: "F1 in %", RowLabel: "trained on", ColumnLabel: "measured on", Columns: append(classes, "mean")}
	for k, row := range rows {
		heat.Rows = append(heat.Rows, row[0])
		var means []float64
		for _, of := range f1[k] {
			means = append(means, statistics.Mean(of))
		}
		heat.Values = append(heat.Values, means)
	}
	return &Picture{Name: name, Alt: part.Title, SVG: plots.Heat(heat)}
}

// minutesColumn has the processor time that a training of a row took.
const minutesColumn = "minutes each"

// trainingCells are the first cells of a row: its name, and its trainings with the minutes of processor time of one.
func trainingCells(row string, results Results, all []measuredAs) []string {
	count, minutes := 0, 0.0
	for _, m := range all {
		if m.row == row && m.training != "" {
			count++
			if r := results[m.training]; r != nil {
				minutes += r.CPU / 60
			}
		}
	}
	if count == 0 {
		return []string{row, "0", "0"}
	}
	return []string{row, fmt.Sprint(count), fmt.Sprintf("%.2g", minutes/float64(count))}
}

// spreadOf writes the mean of values and, of several, their standard deviation.
func spreadOf(values []float64, digits int) string {
	deviation := math.NaN()
	if len(values) > 1 {
		deviation = statistics.Deviation(values)
	}
	return spread(statistics.Mean(values), &deviation, digits)
}
