package align

import (
	"math"
	"slices"
)

// Nearest returns, for every node of graph 1, so many nodes of graph 2 with the nearest
// vectors of attributes, which all have one length: columns count alike, whatever their unit.
// A score is exp(−d²/2v) with v the median square of the distance to the nearest, so that it
// says how much likelier a node is than others as near as that.
func Nearest(x, y [][]float64, count int) []Similar {
	if len(x) == 0 || len(y) == 0 || len(x[0]) == 0 {
		return nil
	}
	t1, t2 := standard(x, y)
	tree := newTree(t2)
	var all []Similar
	var least []float64
	var q query
	for i := range x {
		tree.search(t1.row(i), count, 1+2*count, &q)
		least = append(least, float64(q.nearest[0].distance))
		for _, f := range q.nearest {
			all = append(all, Similar{Pair{i, int(f.id)}, float64(f.distance)})
		}
	}
	slices.Sort(least)
	variance := max(least[len(least)/2], 1e-6)
	for k := range all {
		all[k].Score = max(math.Exp(-all[k].Score/(2*variance)), 1e-6)
	}
	return all
}

// standard returns the columns of both in units of their common deviation, centred.
func standard(x, y [][]float64) (t1, t2 table) {
	width := len(x[0])
	t1, t2 = newTable(len(x), width), newTable(len(y), width)
	n := float64(len(x) + len(y))
	for c := range width {
		mean, square := 0.0, 0.0
		for _, vectors := range [][][]float64{x, y} {
			for _, v := range vectors {
				mean += v[c] / n
			}
		}
		for _, vectors := range [][][]float64{x, y} {
			for _, v := range vectors {
				square += (v[c] - mean) * (v[c] - mean) / n
			}
		}
		if square == 0 {
			continue
		}
		for i, v := range x {
			t1.row(i)[c] = float32((v[c] - mean) / math.Sqrt(square))
		}
		for i, v := range y {
			t2.row(i)[c] = float32((v[c] - mean) / math.Sqrt(square))
		}
	}
	return t1, t2
}
