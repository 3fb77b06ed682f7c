package paper

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/lab/bench"
	"github.com/rgm-go/rgm/lab/plots"
)

// generalParts are the figures on noise, seeds and scores, and the table of scores against F1.
func generalParts(s scale) []Part {
	return []Part{figure4(s), figure5(s), figure10(s), table8(s)}
}

// scatterFile is where the scores and F1 of a set are written.
func scatterFile(m matchingSet) string { return "scatter/" + m.short + ".csv" }

func figure4(s scale) Part {
	var units []Unit
	for _, m := range []matchingSet{generated, outliers} {
		u := m.unit("scatter", "--methods profile --scatter {dir}/"+scatterFile(m)+" --pairs "+s.of("4", "20"))
		u.Files = []string{scatterFile(m)}
		units = append(units, u)
	}
	return Part{
		ID: "figure4", Title: "Figure 4: score against F1, with and without regularisation",
		About: "The best matching of every size of every pair: its score over that of the truth (drawn up to 2), and its F1.",
		Units: units,
		Claims: []claim{
			{says: "On generated pairs what has the best score has a larger F1 by f1 than without", better: cell{generated.name, "J·f1"}, worse: cell{generated.name, "J"}},
			{says: "By f2", better: cell{generated.name, "J·f2"}, worse: cell{generated.name, "J"}},
			{says: "By f3", better: cell{generated.name, "J·f3"}, worse: cell{generated.name, "J"}},
			{says: "On Willow by f1", better: cell{outliers.name, "J·f1"}, worse: cell{outliers.name, "J"}},
			{says: "By f2", better: cell{outliers.name, "J·f2"}, worse: cell{outliers.name, "J"}},
			{says: "By f3", better: cell{outliers.name, "J·f3"}, worse: cell{outliers.name, "J"}},
		},
		Show: func(results Results) []Block {
			var blocks []Block
			best := &Table{Caption: "F1 of the matching that has the best score of its pair", Header: []string{"set"}}
			for k, m := range []matchingSet{generated, outliers} {
				r := results[units[k].Name]
				if r == nil {
					continue
				}
				pairs, clouds := scattered(r.Files[scatterFile(m)])
				blocks = append(blocks, Block{Picture: &Picture{
					Name: "figure4-" + m.short, Alt: "score over F1, set " + m.name,
					SVG: plots.Clouds("F1 in %", "score / that of the truth", 2, clouds),
				}}, text("Set `%s`.", m.name))
				row := []string{m.name}
				best.Header = best.Header[:1]
				for _, c := range clouds {
					best.Header, row = append(best.Header, c.Title), append(row, f1OfBest(pairs, c))
				}
				best.Rows = append(best.Rows, row)
			}
			if len(best.Rows) > 0 {
				blocks = append(blocks, Block{Table: best})
			}
			return blocks
		},
	}
}

// f1OfBest returns the mean F1 of the points of a cloud that have the best score of their pairs, with its error.
func f1OfBest(pairs []string, c plots.Cloud) string {
	best := map[string]int{}
	for k, pair := range pairs {
		if b, there := best[pair]; !there || c.Y[k] > c.Y[b] {
			best[pair] = k
		}
	}
	var all []float64
	for _, pair := range slices.Sorted(maps.Keys(best)) {
		all = append(all, c.X[best[pair]])
	}
	if len(all) < 2 {
		return ""
	}
	deviation := statistics.Deviation(all) / math.Sqrt(float64(len(all)))
	return spread(statistics.Mean(all), &deviation, 1)
}

// scattered reads what --scatter wrote: a cloud for each score, of J and under f1, f2, f3, and the pairs that the
// points of each are of.
func scattered(data string) (pairs []string, all []plots.Cloud) {
	lines, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil || len(lines) < 2 {
		return nil, nil
	}
	at, pair, class := slices.Index(lines[0], "f1_percent"), slices.Index(lines[0], "pair"), slices.Index(lines[0], "class")
	if at < 0 || pair < 0 || class < 0 {
		return nil, nil
	}
	for _, line := range lines[1:] {
		pairs = append(pairs, line[class]+" "+line[pair])
	}
	for _, column := range []struct{ name, title string }{
		{"objective_none", "J"}, {"objective_f1", "J·f1"}, {"objective_f2", "J·f2"}, {"objective_f3", "J·f3"},
	} {
		c := plots.Cloud{Title: column.title}
		k := slices.Index(lines[0], column.name)
		if k < 0 {
			return nil, nil
		}
		for _, line := range lines[1:] {
			x, errX := strconv.ParseFloat(line[at], 64)
			y, errY := strconv.ParseFloat(line[k], 64)
			if errX != nil || errY != nil {
				return nil, nil
			}
			c.X, c.Y = append(c.X, x), append(c.Y, y)
		}
		all = append(all, c)
	}
	return pairs, all
}

func figure5(s scale) Part {
	pairs := "--complete --pairs " + s.of("5", "100")
	units := []Unit{
		noise.unit("classical", pairs+" --methods sm,rrwm,ipfp"),
		noise.unit("policies", pairs+" --methods rgm,greedy-tabu,greedy-ages,profile"),
	}
	return Part{
		ID: "figure5", Title: "Figure 5: synthetic points, noise 0 to 0.5",
		About: "10 points, each coordinate scaled by U(1−δ, 1+δ) in the second graph, no outliers; F1 in % and its mean. The paper shows curves only.",
		Units: units,
		Claims: []claim{
			{says: "The policy is ahead of RRWM", better: cell{"rgm matching", "mean"}, worse: cell{"rrwm", "mean"}},
			{says: "Learning is ahead of the same search without it", ours: true, better: cell{"rgm matching", "mean"}, worse: cell{"greedy-tabu|greedy-ages|profile", "mean"}},
		},
		Show: func(results Results) []Block {
			rows := matchingRows(results, names(units)...)
			if len(rows) == 0 {
				return nil
			}
			measured := func(r bench.MatchingRow) bool { return r.Source == "measured" }
			return []Block{
				{Picture: &Picture{Name: "figure5", Alt: "F1 over noise", SVG: plots.Lines("Synthetic points, everything matched", "noise δ", "F1 in %", linesOverClasses(rows, measured))}},
				{Table: byClass(rows)},
			}
		},
	}
}

func figure10(s scale) Part {
	flags := "--methods rgm,profile,greedy-tabu --fix 0..5 --pairs " + s.of("2", "20")
	units := []Unit{generated.unit("seeds", flags), outliers.unit("seeds", flags)}
	return Part{
		ID: "figure10", Title: "Figure 10: matching with 0 to 5 seeds",
		About: "Mean F1 in % where so many of the true matches are given, which count. Generated pairs with 1 to 6 outliers, " + s.of("2", "20") + " each; Willow with 3, " + s.of("2", "20") + " a class. The paper shows curves only.",
		Units: units,
		Claims: []claim{
			{says: "A seed helps", better: cell{"rgm matching", "1"}, worse: cell{"rgm matching", "0"}},
			{says: "Five help more than one", better: cell{"rgm matching", "5"}, worse: cell{"rgm matching", "1"}},
			{says: "With five, learning is ahead of the same search without it", ours: true, better: cell{"rgm matching", "5"}, worse: cell{"greedy-tabu|profile", "5"}},
		},
		Show: func(results Results) []Block {
			var blocks []Block
			for k, title := range []string{"Generated, 1 to 6 outliers", "Willow, 3 outliers"} {
				rows := slices.DeleteFunc(matchingRows(results, units[k].Name), func(r bench.MatchingRow) bool { return r.Source != "measured" })
				if len(rows) == 0 {
					continue
				}
				fixed := func(r bench.MatchingRow) (int, bench.MatchingRow) { n := r.Fix; r.Fix = 0; return n, r }
				blocks = append(blocks, Block{Picture: &Picture{
					Name: fmt.Sprintf("figure10-%d", k+1), Alt: "F1 over seeds", SVG: plots.Lines(title, "seeds", "F1 in %", linesOverSeeds(rows)),
				}})
				blocks = append(blocks, pivot(title, "seeds", rows, fixed)...)
			}
			return blocks
		},
	}
}

// linesOverSeeds are the mean F1 of each method over the number of seeds.
func linesOverSeeds(rows []bench.MatchingRow) []plots.Series {
	var series []plots.Series
	for _, r := range rows {
		n := r.Fix
		r.Fix = 0
		label := r.Label()
		k := slices.IndexFunc(series, func(s plots.Series) bool { return s.Name == label })
		if k < 0 {
			k, series = len(series), append(series, plots.Series{Name: label})
		}
		s := &series[k]
		if r.Average.F1 != nil && r.Average.F1Error != nil {
			s.X, s.Y, s.Error = append(s.X, float64(n)), append(s.Y, *r.Average.F1), append(s.Error, *r.Average.F1Error)
		}
	}
	return series
}

func table8(s scale) Part {
	units := []Unit{
		noise.unit("scores", "--complete --methods rrwm,rgm,profile --pairs "+s.of("5", "50")),
		learned.unit("scores", "--complete --methods rrwm,rgm,profile"),
		outliers.unit("scores", "--methods rrwm,rgm,profile --inliers 10"),
	}
	return Part{
		ID: "table8", Title: "Table 8: objective against F1",
		About: "Share of the results in % by their score over that of the truth, and their F1 in parentheses. The paper's rows are of the class bus of Pascal VOC.",
		Units: units, Apart: "Shares do not compare with the paper's, which are of other images and affinities.",
		Claims: []claim{
			{says: "On generated pairs the policy reaches the truth oftener than RRWM", better: cell{"rgm, generated, noise 0 to 0.5", "= 1"}, worse: cell{"rrwm, generated, noise 0 to 0.5", "= 1"}},
			{says: "On Willow with outliers too", better: cell{"rgm, Willow, 3 outliers, 10 matches", "= 1"}, worse: cell{"rrwm, Willow, 3 outliers, 10 matches", "= 1"}},
		},
		Show: func(results Results) []Block {
			t := &Table{Header: []string{"method, set", "< 0.99", "0.99..1", "= 1", "> 1"}, Rows: slices.Clone(printedScores)}
			for k, set := range []string{"generated, noise 0 to 0.5", "Willow, no outliers", "Willow, 3 outliers, 10 matches"} {
				for _, r := range matchingRows(results, units[k].Name) {
					if r.Source != "measured" || len(r.Objectives) == 0 {
						continue
					}
					line := []string{r.Method + ", " + set}
					for _, part := range r.Objectives {
						cell := "0"
						if part.F1 != nil {
							cell = fmt.Sprintf("%.1f (%.1f)", part.Share, *part.F1)
						}
						line = append(line, cell)
					}
					t.Rows = append(t.Rows, line)
				}
			}
			return []Block{{Table: t}}
		},
	}
}
