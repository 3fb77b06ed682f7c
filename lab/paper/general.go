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

// showScores shows the scores of matchings over their F1, and the F1 of those of the best score.
func showScores(p *Part, d *partData, results Results) (blocks []Block) {
	best := &Table{Caption: "F1 of the matching that has the best score of its pair", Header: []string{"set"}}
	for k, u := range p.Units {
		r, set := results[u.Name], d.Tables[k].Caption
		if r == nil {
			continue
		}
		pairs, clouds := scattered(r.Files[u.Files[0]])
		blocks = append(blocks, Block{Picture: &Picture{
			Name: "figure4-" + strings.TrimSuffix(u.Name, "-scatter"), Alt: "score over F1, set " + set,
			SVG: plots.Clouds("F1 in %", "score / that of the truth", 2, clouds),
		}}, text("Set `%s`.", set))
		row := []string{set}
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

// showNoise shows F1 over noise.
func showNoise(p *Part, _ *partData, results Results) []Block {
	rows := matchingRows(results, names(p.Units)...)
	if len(rows) == 0 {
		return nil
	}
	measured := func(r bench.MatchingRow) bool { return r.Source == "measured" }
	return []Block{
		{Picture: &Picture{Name: p.ID, Alt: "F1 over noise", SVG: plots.Lines("Synthetic points, everything matched", "noise δ", "F1 in %", linesOverClasses(rows, measured))}},
		{Table: byClass(rows)},
	}
}

// showSeeds shows F1 over the number of matches that are given.
func showSeeds(p *Part, d *partData, results Results) (blocks []Block) {
	for k, t := range d.Tables {
		rows := slices.DeleteFunc(matchingRows(results, t.Units...), func(r bench.MatchingRow) bool { return r.Source != "measured" })
		if len(rows) == 0 {
			continue
		}
		fixed := func(r bench.MatchingRow) (int, bench.MatchingRow) { n := r.Fix; r.Fix = 0; return n, r }
		blocks = append(blocks, Block{Picture: &Picture{
			Name: fmt.Sprintf("%s-%d", p.ID, k+1), Alt: "F1 over seeds", SVG: plots.Lines(t.Caption, "seeds", "F1 in %", linesOverSeeds(rows)),
		}})
		blocks = append(blocks, pivot(t.Caption, "seeds", rows, fixed)...)
	}
	return blocks
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

// showShares shows the shares of results by their score.
func showShares(_ *Part, d *partData, results Results) []Block {
	t := read().printed("scores")
	for _, set := range d.Tables {
		for _, r := range matchingRows(results, set.Units...) {
			if r.Source != "measured" || len(r.Objectives) == 0 {
				continue
			}
			line := []string{r.Method + ", " + set.Caption}
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
}
