package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// pairTrainings is a figure of policies trained on pairs of graphs, some seeds each, and measured beside the network
// as it begins and rules without learning.
type pairTrainings struct {
	id, title, about string
	prefix           string // of the units' names
	rows             []pairTraining
	shared           string // flags of all trainings
	episodes         int    // where there is no budget
	needs            string
	measured         []matchingSet
	flags            string // of the measurements
	heat             bool   // drawn by class
	claims           []claim
}

// pairTraining is a row: what its trainings differ in.
type pairTraining struct {
	name, settings string
	episodes       float64 // times those of the others; 0 is as many
	pairs          string  // flags that make the pairs to train on; "" for those of the preset
}

// The rows beside the trained ones.
const (
	untrained = "untrained"         // the network as a training begins
	skilled   = "gain as it begins" // the network that ships as its trainings begin: it knows a rule
)

var rules = []string{"greedy", "greedy-tabu", "greedy-ages"}

// measuredAs is a row of a measurement: what it is called, and the training that made it.
type measuredAs struct{ row, training string }

// part makes the pairs, trains, and measures all networks of a set in one run.
func (p pairTrainings) part(s scale) Part {
	s = s.forPart(p.id)
	var made, trainings []Unit
	var all []measuredAs
	var models []string
	for seed := range s.seeds(1) {
		for _, r := range p.rows {
			group := p.prefix + "-" + slug(r.name)
			settings := p.shared + " " + r.settings
			if r.pairs != "" {
				folder := "made/" + group
				settings += " --instances {dir}/" + folder + "/synthetic_A.npy"
				if seed == 0 {
					made = append(made, Unit{Name: "pairs-" + group, Args: words("datasets generate " + r.pairs + " --seed 1000 {dir}/" + folder), Needs: p.needs})
				}
			}
			flags := func(episodes any, seed int) string {
				return fmt.Sprintf("%s --episodes %v --seed %d", settings, episodes, seed)
			}
			episodes := p.episodes
			if r.episodes > 0 {
				episodes = int(r.episodes * float64(episodes))
			}
			if s.minutes > 0 {
				episodes = s.episodes(group)
			}
			u, model := trainPolicy(fmt.Sprintf("%s-%d", group, seed), flags(episodes, seed))
			s.budgeted(&u, group, flags(pilotEpisodes, 0))
			u.Needs = p.needs
			trainings, models, all = append(trainings, u), append(models, model), append(all, measuredAs{r.name, u.Name})
		}
		for _, row := range [][2]string{{untrained, ""}, {skilled, " --set model.architecture=gain"}} {
			begin, model := trainPolicy(fmt.Sprintf("%s-%s-%d", p.prefix, slug(row[0]), seed), fmt.Sprintf("%s%s --set learning_rate=1e-12 --episodes 60 --seed %d", p.shared, row[1], seed)) // its weights stay as they are
			trainings, models, all = append(trainings, begin), append(models, model), append(all, measuredAs{row[0], begin.Name})
		}
	}
	models = append(models, rules...)
	for _, rule := range rules {
		all = append(all, measuredAs{row: rule})
	}
	var measures []Unit
	for _, set := range p.measured {
		measures = append(measures, set.unit(p.prefix, p.flags+" --methods "+strings.Join(models, ",")))
	}
	return Part{
		ID: p.id, Title: p.title, About: p.about + " " + rowsBeside + s.budgetText(), Units: slices.Concat(made, trainings, measures),
		Claims: append(p.claims, p.aheadOfSkilled()...), Control: control{row: untrained, column: p.column(p.measured[0]), others: append([]string{skilled}, rules...)},
		Show: func(results Results) []Block { return p.show(results, measures, all) },
	}
}

// rowsBeside says what the last rows of the tables are.
const rowsBeside = "`untrained` is the network as these trainings begin, which knows nothing (`gain-unskilled`); `gain as it begins` the one that ships, with a rule in its first weights: " +
	"what is not ahead of it a training of that network has for nothing. The last rows are rules without learning in as many steps."

// aheadOfSkilled asks of each set whether the best training is ahead of the network that ships as it begins.
func (p pairTrainings) aheadOfSkilled() (all []claim) {
	var rows []string
	for _, r := range p.rows {
		rows = append(rows, r.name)
	}
	for _, set := range p.measured {
		all = append(all, claim{
			says: "On " + set.name + " the best training is ahead of `" + skilled + "`", ours: true,
			better: cell{strings.Join(rows, "|"), p.column(set)}, worse: cell{skilled, p.column(set)},
		})
	}
	return all
}

// column names the mean over the classes of a set.
func (p pairTrainings) column(set matchingSet) string {
	if p.heat {
		return "mean"
	}
	return "F1 in %, " + set.name
}

// show draws each measurement, as a heat map or as dots, and a table of the means over the trainings.
func (p pairTrainings) show(results Results, measures []Unit, all []measuredAs) []Block {
	t := &Table{Header: []string{"row", "trainings", minutesColumn}}
	index := map[string]int{}
	for _, m := range all {
		if _, there := index[m.row]; !there {
			index[m.row] = len(t.Rows)
			t.Rows = append(t.Rows, trainingCells(m.row, results, all))
		}
	}
	var blocks []Block
	for k, set := range p.measured {
		rows := slices.DeleteFunc(rowsOf[bench.MatchingRow](results, measures[k].Name), func(r bench.MatchingRow) bool { return r.Source != "measured" })
		if len(rows) != len(all) {
			continue
		}
		classes := classesOf(rows)
		f1 := make([][][]float64, len(t.Rows)) // of each line, by classes and then in the mean, that of its trainings
		for k, r := range rows {
			line := index[all[k].row]
			if f1[line] == nil {
				f1[line] = make([][]float64, len(classes)+1)
			}
			for c, class := range classes {
				f1[line][c] = append(f1[line][c], *r.Classes[class].F1)
			}
			f1[line][len(classes)] = append(f1[line][len(classes)], *r.Average.F1)
		}
		blocks = append(blocks, Block{Picture: p.picture(set, classes, t.Rows, f1)})
		if p.heat {
			t.Header = append(t.Header, classes...)
		}
		t.Header = append(t.Header, p.column(set))
		for line, values := range f1 {
			if p.heat {
				for _, of := range values[:len(classes)] {
					t.Rows[line] = append(t.Rows[line], fmt.Sprintf("%.1f", statistics.Mean(of)))
				}
			}
			t.Rows[line] = append(t.Rows[line], spreadOf(values[len(classes)], 1))
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	return append(blocks, Block{Table: t})
}

// picture draws a measurement.
func (p pairTrainings) picture(set matchingSet, classes []string, rows [][]string, f1 [][][]float64) *Picture {
	name := p.id
	if len(p.measured) > 1 {
		name += "-" + set.short
	}
	if !p.heat {
		var lines []plots.Row
		for k, row := range rows {
			lines = append(lines, plots.Row{Name: row[0], Values: f1[k][len(classes)]})
		}
		return &Picture{Name: name, Alt: p.title + ", " + set.name, SVG: plots.Dots(p.title, "F1 in %, "+set.name, lines)}
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
	return &Picture{Name: name, Alt: p.title, SVG: plots.Heat(heat)}
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

// unskilledPairs are the flags of trainings on pairs that begin from nothing.
const unskilledPairs = "--preset matching --set goal=any --set regularize=f1 --set reweighed=0 --set validation_pool=8 " + unskilled

// smallPairs are what studies of learners train on, fewer nodes than they are measured on.
const smallPairs = " --set sizes=8,10,12 --set pool=15"

// studied are the variants of a study of bench training as rows.
func studied(study string, chosen ...string) (rows []pairTraining) {
	for _, v := range bench.Variants(study, "matching", architecture) {
		if v.Name == untrained || len(chosen) > 0 && !slices.Contains(chosen, v.Name) {
			continue
		}
		r := pairTraining{name: v.Name, episodes: v.Episodes}
		for _, change := range v.Changes {
			r.settings += " --set " + change
		}
		rows = append(rows, r)
	}
	return rows
}

func figure7(s scale) Part {
	p := pairTrainings{
		id: "figure7", title: "Figure 7: trained on one number of outliers, measured on others",
		about:  "F1 in % under f1, generated pairs; rows are the outliers of the training pairs, columns those of the pairs measured on. The paper has Willow.",
		prefix: "outliers", shared: unskilledPairs, episodes: 60, heat: true,
		measured: []matchingSet{generated}, flags: "--regularize f1 --rollouts 4 --steps-per-node 5 --pairs " + s.of("2", "10"),
		claims: []claim{{says: "Training with 2 to 4 outliers carries over best", better: cell{"2|3|4", "mean"}, worse: cell{"0|6", "mean"}}},
	}
	for _, k := range strings.Fields(s.of("0 3 6", "0 2 4 6")) {
		p.rows = append(p.rows, pairTraining{name: k, pairs: fmt.Sprintf("--outliers %s --pairs %s", k, s.of("20", "200"))})
	}
	return p.part(s)
}

func figure8a(s scale) Part {
	p := pairTrainings{
		id: "figure8a", title: "Figure 8a: trained on one category, measured on others",
		about: "F1 in % on Willow with 3 outliers under f1: rows are the category of the training pairs (random pairs of images with random outliers), columns those measured on. " +
			"Training sees no true matching, but its images are among those of the same category that are measured. The paper has Pascal VOC.",
		prefix: "category", shared: unskilledPairs, episodes: 60, heat: true, needs: keypoints.needs,
		measured: []matchingSet{outliers}, flags: "--regularize f1 --rollouts 4 --steps-per-node 5 --pairs " + s.of("4", "12"),
	}
	for _, category := range []string{"Car", "Duck", "Face", "Motorbike", "Winebottle"} {
		p.rows = append(p.rows, pairTraining{name: category, pairs: fmt.Sprintf("--keypoints {data}/%s/%s.npy --outliers 3 --relative --length 0.2 --direction 0.2 --pairs %s", keypoints.needs, category, s.of("20", "200"))})
	}
	return p.part(s)
}

// f1OnBothSets measures trainings under the goal that they learn.
func f1OnBothSets(s scale) string {
	return "--regularize f1 --rollouts 4 --steps-per-node 5 --pairs " + s.of("2", "8")
}

// figure9Pairs is the sensitivity study on pairs of graphs.
func figure9Pairs(s scale) Part {
	chosen := strings.Fields(s.of("preset batch=16 gamma=0.5", "preset batch=16 batch=128 gamma=0.5 gamma=0.99 replay=4000 model.hidden=8 model.head=4"))
	columns := "F1 in %, " + generated.name
	return pairTrainings{
		id: "figure9-pairs", title: "Figure 9 on pairs of graphs",
		about: "F1 in % under f1 on generated pairs with 1 to 6 outliers and on Willow with 3, one setting changed at a time; a dot is a training. " +
			"The preset has batches of 64, γ = 0.97, a replay of 60,000 and widths of 16 and 16.",
		prefix: "sensitivity-pairs", shared: unskilledPairs + smallPairs, rows: studied("sensitivity", chosen...), episodes: 60,
		measured: []matchingSet{generated, outliers}, flags: f1OnBothSets(s),
		claims: []claim{
			{says: "γ too low costs F1", better: cell{"preset", columns}, worse: cell{"gamma=0.5", columns}},
			{says: "γ too high does", better: cell{"preset", columns}, worse: cell{"gamma=0.99", columns}},
			{says: "A small replay does", better: cell{"preset", columns}, worse: cell{"replay=4000", columns}},
		},
	}.part(s)
}

// figure11Pairs compares learners on pairs of graphs.
func figure11Pairs(s scale) Part {
	p := pairTrainings{
		id: "figure11-pairs", title: "Figure 11 on pairs of graphs",
		about:  "F1 in % under f1 on generated pairs with 1 to 6 outliers and on Willow with 3, as the paper's; a dot is a training. All learners train the same network from the same beginning, each with its own settings of `bench training backbones`.",
		prefix: "learners-pairs", shared: unskilledPairs + smallPairs, rows: studied("backbones"), episodes: 60,
		measured: []matchingSet{generated, outliers}, flags: f1OnBothSets(s),
	}
	if !s.full {
		p.rows = studied("backbones", "D3QN", "A2C")
	}
	for _, set := range p.measured {
		column := p.column(set)
		p.claims = append(p.claims, backboneClaims("D3QN", column, set.name)...)
	}
	return p.part(s)
}

// backboneClaims are what the paper's figure 11 shows, in a column.
func backboneClaims(best, column, where string) []claim {
	return []claim{
		{says: "On " + where + " D3QN is ahead of DQN", better: cell{best, column}, worse: cell{"DQN", column}},
		{says: "Of double DQN", better: cell{best, column}, worse: cell{"double DQN", column}},
		{says: "Of the best of A2C, PPO, TRPO and ACER", better: cell{best, column}, worse: cell{"A2C|PPO|TRPO|ACER", column}},
		{says: "Of evolution, which the paper has not", ours: true, better: cell{best, column}, worse: cell{"ES", column}},
	}
}
