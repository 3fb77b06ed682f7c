package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/kdtree"
	"github.com/rgm-go/rgm/qap/assignment"
)

// blocks find the nodes of graph 2 that one of graph 1 is compared with: those that share a rare value or two values, and those of near numbers.
type blocks struct {
	all    quantities
	single []map[float64][]int32 // by quantity
	double []map[[2]float64][]int32
	pairs  [][2]int // the quantities of double
}

// mostShared is how many nodes may share what blocks go by.
const mostShared = 48

func newBlocks(all quantities) *blocks {
	const most = 8 // quantities of which pairs are taken
	b := &blocks{all: all}
	for c := range all {
		index := map[float64][]int32{}
		for a, v := range all[c].of2 {
			if !math.IsNaN(v) {
				index[v] = append(index[v], int32(a))
			}
		}
		b.single = append(b.single, index)
	}
	for c := range min(len(all), most) {
		for d := range c {
			index := map[[2]float64][]int32{}
			for a := range all[c].of2 {
				key := [2]float64{all[c].of2[a], all[d].of2[a]}
				if !graphs.Known(key[:]) {
					continue
				}
				index[key] = append(index[key], int32(a))
			}
			b.double, b.pairs = append(b.double, index), append(b.pairs, [2]int{c, d})
		}
	}
	return b
}

// choices returns the partners of each node of graph 1 of a value above the least, the best of those that are compared.
func (b *blocks) choices(ctx context.Context, l *ratios, n1, n2 int, least float64, value func(i, a int) float64) [][]assignment.Choice {
	const most, near, leaves = 24, 16, 12
	over := func() bool { return ctx.Err() != nil }
	choices := make([][]assignment.Choice, n1)
	var tree *kdtree.Tree
	var places []float32
	width := len(l.numbers)
	if width > 0 {
		at := l.attributes(n1, n2)
		narrow := func(from []float32, n int) []float32 { // without the words
			to := make([]float32, 0, n*width)
			for i := range n {
				to = append(to, from[i*at.Width:i*at.Width+width]...)
			}
			return to
		}
		places = narrow(at.X, n1)
		tree = kdtree.New(narrow(at.Y, n2), width, over)
	}
	seen := make([]int32, n2)
	var q kdtree.Query
	for i := range choices {
		if i%256 == 0 && over() {
			break
		}
		consider := func(nodes []int32) {
			if len(nodes) > mostShared {
				return
			}
			for _, a := range nodes {
				if seen[a] == int32(i+1) {
					continue
				}
				seen[a] = int32(i + 1)
				if v := value(i, int(a)); v > least {
					choices[i] = append(choices[i], assignment.Choice{Column: int(a), Score: v})
				}
			}
		}
		for c := range b.all {
			consider(b.single[c][b.all[c].of1[i]])
		}
		for k, p := range b.pairs {
			consider(b.double[k][[2]float64{b.all[p[0]].of1[i], b.all[p[1]].of1[i]}])
		}
		if tree != nil {
			tree.Search(places[i*width:(i+1)*width], near, leaves, &q)
			for _, f := range q.Nearest {
				consider([]int32{f.ID})
			}
		}
		if len(choices[i]) > most {
			slices.SortStableFunc(choices[i], func(x, y assignment.Choice) int { return cmp.Compare(y.Score, x.Score) })
			choices[i] = choices[i][:most]
		}
	}
	return choices
}
