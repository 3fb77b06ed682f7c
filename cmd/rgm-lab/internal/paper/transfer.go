package paper

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/cmd/rgm-lab/internal/bench"
	"github.com/rgm-go/rgm/cmd/rgm-lab/internal/plots"
)

// transfer is a figure of policies trained on one kind of pairs and measured on all.
type transfer struct {
	id, title, about string
	prefix           string   // of the units' names
	kinds            []string // trained on
	pairs            func(kind string) string
	needs            string
	measured         matchingSet
	flags            string // of the measurement
}

// untrained is the kind that stands for the network as it begins.
const untrained = "untrained"

// part makes pairs of every kind, trains on them, and measures all networks, beside the network
// as it begins and its rule, in one run.
func (t transfer) part(s scale) Part {
	const goals = "--preset matching --set reweighed=0 --set pool=20 --set validation_runs=1 --set warmup=500 --set validation_every=200"
	var units []Unit
	var models []string
	for _, kind := range t.kinds {
		made := "made/" + t.prefix + "-" + kind
		units = append(units, Unit{Name: "pairs-" + t.prefix + "-" + kind, Args: words("datasets generate " + t.pairs(kind) + " --seed 1000 {dir}/" + made), Needs: t.needs})
		group, flags, episodes := t.prefix+"-"+kind, goals+" --instances {dir}/"+made+"/synthetic_A.npy --episodes ", s.of("60", "120")
		if s.budget != nil {
			episodes = fmt.Sprint(s.planned(group))
		}
		train, model := trainPolicy(group, flags+episodes)
		s.budgeted(&train, group, flags+pilotEpisodes)
		train.Needs = t.needs
		units, models = append(units, train), append(models, model)
	}
	// One episode is shorter than the warm-up: nothing is learned.
	begin, _ := trainPolicy(t.prefix+"-"+untrained, goals+" --instances {dir}/made/"+t.prefix+"-"+t.kinds[0]+"/synthetic_A.npy --set environments=1 --set warmup=60000 --episodes 1")
	begin.Needs = t.needs
	exported := "runs/" + t.prefix + "-" + untrained + ".onnx"
	units = append(units, begin, Unit{Name: "export-" + t.prefix + "-" + untrained, Args: words("export {dir}/" + begin.Folder + "/" + begin.Checkpoint + " -o {dir}/" + exported), Needs: t.needs})
	measure := t.measured.unit(t.prefix, t.flags+" --methods "+strings.Join(append(models, "{dir}/"+exported, "greedy-ages"), ","))
	units = append(units, measure)
	beside := control{row: untrained, column: "mean", others: []string{"greedy-ages"}}
	return Part{ID: t.id, Title: t.title, About: t.about + s.budgetText(), Units: units, Control: beside, Show: func(results Results) []Block {
		return t.show(rowsOf[bench.MatchingRow](results, measure.Name))
	}}
}

// show draws the heat map: rows in the order of the measurement.
func (t transfer) show(rows []bench.MatchingRow) []Block {
	rows = slices.DeleteFunc(rows, func(r bench.MatchingRow) bool { return r.Source != "measured" })
	if len(rows) == 0 {
		return nil
	}
	classes := classesOf(rows)
	var labels []string
	var values [][]float64
	for k, r := range rows {
		label := r.Method
		if k <= len(t.kinds) {
			label = append(slices.Clone(t.kinds), untrained)[k]
		}
		var line []float64
		for _, class := range classes {
			line = append(line, *r.Classes[class].F1)
		}
		labels, values = append(labels, label), append(values, append(line, *r.Average.F1))
	}
	table := byClass(rows)
	for k := range table.Rows {
		table.Rows[k][0] = labels[k]
	}
	return []Block{
		{Picture: &Picture{Name: t.id, Alt: t.title, SVG: plots.Heat(plots.Table{Title: "F1 in %", RowLabel: "trained on", ColumnLabel: "measured on", Rows: labels, Columns: append(classes, "mean"), Values: values, Low: false})}},
		{Table: table},
	}
}

func figure7(s scale) Part {
	kinds := []string{"0", "3", "6"}
	if s.full {
		kinds = []string{"0", "2", "4", "6"}
	}
	return transfer{
		id: "figure7", title: "Figure 7: trained on one number of outliers, measured on others",
		about: "F1 in % with the count of inliers given, generated pairs; rows are the outliers of the training pairs (one training each), columns those of the pairs measured on. " +
			"`untrained` is the network as it begins, `greedy-ages` the rule that it begins as. The paper has Willow.",
		prefix: "outliers", kinds: kinds, measured: generated,
		pairs: func(kind string) string { return fmt.Sprintf("--outliers %s --pairs %s", kind, s.of("20", "40")) },
		flags: "--inliers 10 --pairs " + s.of("2", "10"),
	}.part(s)
}

func figure8a(s scale) Part {
	return transfer{
		id: "figure8a", title: "Figure 8a: trained on one category, measured on others",
		about: "F1 in % on Willow with 3 outliers and the count of inliers given: rows are the category of the training pairs (random pairs of images with random outliers, one training each), columns those measured on. " +
			"Training sees no true matching, but its images are among those of the same category that are measured. The paper has Pascal VOC.",
		prefix: "category", kinds: []string{"Car", "Duck", "Face", "Motorbike", "Winebottle"}, measured: outliers, needs: keypoints.needs,
		pairs: func(kind string) string {
			return fmt.Sprintf("--keypoints {data}/%s/%s.npy --outliers 3 --relative --length 0.2 --direction 0.2 --pairs %s", keypoints.needs, kind, s.of("20", "40"))
		},
		flags: "--inliers 10 --pairs " + s.of("4", "10"),
	}.part(s)
}
