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
	name, needs string // needs: folder of the data
	short       string // of the units' names
}

var (
	generated = matchingSet{name: "synthetic", short: "generated"}
	keypoints = matchingSet{name: "willow-keypoints", needs: "willow_keypoints", short: "willow-k"}
	outliers  = matchingSet{name: "willow-outliers", needs: "willow_points_o3", short: "willow-3"}
	annotated = matchingSet{name: "keypoints", needs: "keypoint_annotations", short: "keypoints"}
	learned   = matchingSet{name: "willow", needs: "willow_o0", short: "willow-0"}
	noise     = matchingSet{name: "synthetic-noise", short: "noise"}
)

// unit returns a measurement of the set.
func (m matchingSet) unit(name, flags string) Unit {
	line := "bench matching --format json --set " + m.name
	if m.needs != "" {
		line += " --data {data}"
	}
	return Unit{Name: m.short + "-" + name, Args: words(line + " " + flags), Needs: m.needs}
}

// fullUpdates are the updates of a full training: an update of lcs takes six times as long, and
// after 600 it hardly gains (lab/notes/EXPERIMENTS.md).
var fullUpdates = map[string]string{"ngm": "3000", "lcs": "1000"}

// trainSoft trains a network that gives soft matchings, ngm or lcs, from true matchings of
// generated pairs.
func trainSoft(s scale, architecture string) Unit {
	return Unit{
		Name: "train-" + architecture, Args: words("train " + architecture + " --out {dir}/runs/" + architecture + " --updates " + s.of("400", fullUpdates[architecture])),
		Folder: "runs/" + architecture, Checkpoint: architecture + ".rgm", Verb: []string{"train", architecture},
	}
}

// methods are the units of a table of methods on a set: the classical ones, the learned policy
// under each of the paper's goals, its controls without learning, and what is learned otherwise.
func (m matchingSet) methods(s scale, pairs string) []Unit {
	const goals = " --regularize none,f1 --inliers 0,10"
	trainMatched, matched := trainPolicy("paper-matched", "--preset paper-matched --episodes "+s.of("100", "3000"))
	return []Unit{
		m.unit("classical", pairs+" --methods sm,rrwm,ipfp,gagm,psm,gnccp,bpf,zacr"),
		m.unit("count", pairs+" --methods rrwm,ipfp --inliers 10"),
		m.unit("rgm", pairs+" --methods rgm"+goals),
		m.unit("controls", pairs+" --methods greedy-tabu,greedy-ages"+goals),
		m.unit("profile", pairs+" --methods profile"+goals),
		m.unit("irrevocable", pairs+" --methods rgm,greedy --revocable=false"+goals),
		m.unit("supported", pairs+" --methods rgm,greedy --revocable=false --start supported"+goals),
		m.unit("learned", pairs+" --methods rgm,profile --affinity learned"),
		trainMatched,
		m.unit("paper-matched", pairs+" --methods "+matched+" --regularize f1 --inliers 0,10 --rollouts 32 --steps-per-node 5"),
		m.unit("paper-matched-shipped", pairs+" --methods paper-matched --regularize f1 --rollouts 32 --steps-per-node 5"),
		trainSoft(s, "ngm"),
		m.unit("ngm", pairs+" --methods ngm --model {dir}/runs/ngm/model.onnx"),
		m.unit("ngm-shipped", pairs+" --methods ngm"),
		trainSoft(s, "lcs"),
		m.unit("lcs", pairs+" --methods lcs --model {dir}/runs/lcs/model.onnx"),
	}
}

func names(units []Unit) []string {
	var all []string
	for _, u := range units {
		all = append(all, u.Name)
	}
	return all
}

// matchingParts are the tables on pairs of graphs.
func matchingParts(s scale) []Part {
	generatedUnits := generated.methods(s, "--pairs "+s.of("4", "30"))
	keypointUnits := keypoints.methods(s, "--pairs "+s.of("5", "50"))
	outlierUnits := outliers.methods(s, "")
	const goals = "AR is `--regularize f1`, IC `--inliers 10`. `rgm` is the shipped model `matching`, " +
		"`greedy-tabu` and `greedy-ages` the same rollouts without learning, `profile` a search of all sizes without learning; `paper-matched`, the paper's network over matched vertices trained by rewards, has as many steps in 32 rollouts of 5n. Rows of `runs/` are trained anew, `rgm paper-matched` and `ngm` are the models that `rgm-lab` has; `rrwm`, which learns nothing, is ahead of `ngm`."
	return []Part{
		{
			ID: "table1", Title: "Table 1: Willow Object, 1 to 6 outliers",
			About: "F1 in % by the number k of outliers in both images, " + s.of("5", "50") + " pairs each. " + goals + " Affinities are of lengths and directions, where the paper has learned features of images.",
			Units: keypointUnits, Claims: tableClaims("rgm matching"), Apart: otherAffinities,
			Show: methodsTable("table1", "outliers", keypointUnits),
		},
		{
			ID: "generated", Title: "Table 1 on generated pairs: 1 to 6 outliers",
			About: "The same methods on the paper's synthetic points with outliers, " + s.of("4", "30") + " pairs each, which need no data. " + goals,
			Units: generatedUnits, Claims: tableClaims("rgm matching"), Apart: "The paper has Willow in this table.",
			Show: methodsTable("generated", "outliers", generatedUnits),
		},
		countPart(s),
		vocPart(s),
		{
			ID: "table6", Title: "Table 6: Willow Object by class, 3 outliers",
			About: "F1 in % by class, all 252 pairs. " + goals + " Rows of pygmtools are by the same protocol and affinities, over twice as many pairs.",
			Units: outlierUnits, Claims: tableClaims("rgm matching"), Apart: otherAffinities,
			Show: methodsTable("table6", "", outlierUnits),
		},
	}
}

// otherAffinities says what of the tables on images cannot be compared.
const otherAffinities = "Values do not compare with the paper's, whose affinities are of learned features of images; only differences between methods do."

// tableClaims are those of the paper's tables of methods, for a policy.
func tableClaims(policy string) []claim {
	const mean = "mean"
	return []claim{
		{says: "With its regularizer the policy is ahead of all methods without learning", better: cell{policy + ", f1", mean}, worse: cell{"sm|rrwm|ipfp|gagm|psm|gnccp|bpf|zacr", mean}},
		{says: "The regularizer helps", better: cell{policy + ", f1", mean}, worse: cell{policy, mean}},
		{says: "The count of inliers helps", better: cell{policy + ", 10 matches", mean}, worse: cell{policy, mean}},
		{says: "With the count, the regularizer helps still", better: cell{policy + ", f1, 10 matches", mean}, worse: cell{policy + ", 10 matches", mean}},
		{says: "To revoke helps", better: cell{policy + ", f1", mean}, worse: cell{policy + " w/o rev., f1|" + policy + " w/o rev., supported start, f1", mean}},
		{says: "Learning is ahead of the same search without it", ours: true, better: cell{policy + ", f1", mean}, worse: cell{"greedy-tabu, f1|greedy-ages, f1|profile, f1", mean}},
	}
}

// vocPart is the table on Pascal VOC, for who has its keypoints.
func vocPart(s scale) Part {
	pairs := "--complete --pairs " + s.of("3", "50")
	units := []Unit{
		annotated.unit("classical", pairs+" --methods sm,rrwm,ipfp,gagm,psm,gnccp,bpf"),
		annotated.unit("policies", pairs+" --methods rgm,greedy-tabu,greedy-ages,profile"),
	}
	return Part{
		ID: "table3", Title: "Table 3: Pascal VOC",
		About: "F1 in % by category, over random pairs of images of a category and the keypoints that both show, all matched. The annotations are not part of the repository (lab/notes/MATCHING_RESULTS.md says which files are read). " +
			"Affinities are of lengths and directions; the paper's, of learned features of images, are not made here, so that only methods compare, not rows of the two tables.",
		Apart: "Without the annotations nothing is measured that compares with the paper.",
		Units: units,
		Show: func(results Results) []Block {
			blocks := []Block{{Table: printedVOC()}}
			if rows := matchingRows(results, names(units)...); len(rows) > 0 {
				blocks = append(blocks, Block{Table: turned(byClass(rows))})
			}
			return blocks
		},
	}
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

// methodsTable shows every row of units by class, those of the paper first, and for classes of
// outliers a picture.
func methodsTable(name, over string, units []Unit) func(Results) []Block {
	return func(results Results) []Block {
		rows := matchingRows(results, names(units)...)
		if len(rows) == 0 {
			return nil
		}
		blocks := []Block{{Table: byClass(rows)}}
		if over != "" {
			series := func(r bench.MatchingRow) bool {
				return r.Source == "measured" && (r.Method == "rrwm" || r.Method == "rgm" || r.Method == "profile" || r.Method == "greedy-tabu") && r.Inliers == 0
			}
			blocks = append(blocks, Block{Picture: &Picture{
				Name: name, Alt: "F1 over the number of outliers",
				SVG: plots.Lines("F1 without a count of inliers", over, "F1 in %", linesOverClasses(rows, series)),
			}})
		}
		return blocks
	}
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

// countPart is the table of inexact counts.
func countPart(s scale) Part {
	units := []Unit{
		outliers.unit("counts-rrwm", "--methods rrwm --inliers 8..13 --pairs "+s.of("3", "20")),
		outliers.unit("counts", "--methods rgm,profile,greedy-tabu --regularize none,f1 --inliers 8..13 --pairs "+s.of("3", "20")),
		generated.unit("counts-rrwm", "--methods rrwm --inliers 8..11 --pairs "+s.of("3", "15")),
		generated.unit("counts", "--methods rgm,profile,greedy-tabu --regularize none,f1 --inliers 8..11 --pairs "+s.of("3", "15")),
	}
	return Part{
		ID: "table2", Title: "Table 2: inexact counts of inliers",
		About: "F1 in % where so many matches are asked for and 10 are true: Willow with 3 outliers, " + s.of("3", "20") + " pairs a class, and generated pairs with 1 to 6, " + s.of("3", "15") + " each.",
		Units: units, Apart: otherAffinities,
		Claims: []claim{
			{says: "Two matches too many cost F1", better: cell{"rgm matching", "10"}, worse: cell{"rgm matching", "12"}},
			{says: "Two too few do", better: cell{"rgm matching", "10"}, worse: cell{"rgm matching", "8"}},
			{says: "The regularizer softens a count that is too high", better: cell{"rgm matching, f1", "13"}, worse: cell{"rgm matching", "13"}},
			{says: "With the right count, learning is ahead of the same search without it", ours: true, better: cell{"rgm matching", "10"}, worse: cell{"greedy-tabu|profile", "10"}},
		},
		Show: func(results Results) []Block {
			count := func(r bench.MatchingRow) (int, bench.MatchingRow) { n := r.Inliers; r.Inliers = 0; return n, r }
			return slices.Concat(
				pivot("Willow, 3 outliers", "matches asked for", matchingRows(results, units[0].Name, units[1].Name), count),
				pivot("Generated, 1 to 6 outliers", "matches asked for", matchingRows(results, units[2].Name, units[3].Name), count),
			)
		},
	}
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
