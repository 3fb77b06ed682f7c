package pairs

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Noise says how two graphs of the same things differ.
type Noise struct {
	Places    float64 // standard deviation of a coordinate, over the median distance of two points
	Numbers   float64 // of other numbers of nodes and edges, over their own standard deviations; the mean over them
	Words     float64 // share of the words of nodes and edges that differ
	Edges     float64 // share of the edges between nodes of both that only one graph has
	Strangers float64 // share of the nodes without a partner
}

// Add adds so much of other noise.
func (n *Noise) Add(other Noise, part float64) {
	n.Places += part * other.Places
	n.Numbers += part * other.Numbers
	n.Words += part * other.Words
	n.Edges += part * other.Edges
	n.Strangers += part * other.Strangers
}

// Estimate measures the noise between two graphs that are matched, from what their matched nodes have. It
// makes medians of coordinates and numbers, so that a minority of wrong matches counts little.
func Estimate(g1, g2 *graphs.Graph, m qap.Matching) Noise {
	e := estimate{g1: g1, g2: g2, edge2: make(map[graphs.Edge]int, len(g2.Edges))}
	for i, a := range m {
		if a != qap.Unmatched {
			e.nodes = append(e.nodes, [2]int{i, a})
		}
	}
	for k, edge := range g2.Edges {
		e.edge2[edge] = k
	}
	n := Noise{Strangers: 1 - 2*float64(len(e.nodes))/float64(g1.Nodes+g2.Nodes), Places: e.places(), Edges: e.sharedEdges(m)}
	n.Numbers, n.Words = e.attributes()
	return n
}

// estimate is what two matched graphs have in common.
type estimate struct {
	g1, g2       *graphs.Graph
	nodes, edges [][2]int // of both
	edge2        map[graphs.Edge]int
}

// deviation is the standard deviation of normal numbers whose differences in pairs have this median size.
func deviation(medianDifference float64) float64 { return medianDifference / 0.6745 / math.Sqrt2 }

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// places compares the distances of matched points, in the unit that makes most of them alike.
func (e *estimate) places() float64 {
	if e.g1.Points == nil || e.g2.Points == nil {
		return 0
	}
	var first, second, ratios []float64
	for k, p := range e.nodes {
		for _, q := range e.nodes[:k] {
			d1, d2 := apart(e.g1.Points[p[0]], e.g1.Points[q[0]]), apart(e.g2.Points[p[1]], e.g2.Points[q[1]])
			if d1 > 0 && d2 > 0 {
				first, second, ratios = append(first, d1), append(second, d2), append(ratios, d1/d2)
			}
		}
	}
	unit := median(ratios)
	differences := make([]float64, len(first))
	for k := range first {
		differences[k] = math.Abs(first[k] - unit*second[k])
	}
	if size := median(first); size > 0 {
		return deviation(median(differences)) / math.Sqrt2 / size // a distance has two ends
	}
	return 0
}

// apart is the distance of two points.
func apart(p, q []float64) float64 {
	sum := 0.0
	for k := range min(len(p), len(q)) {
		sum += (p[k] - q[k]) * (p[k] - q[k])
	}
	return math.Sqrt(sum)
}

// sharedEdges finds the edges that both graphs have, and returns the share of the others.
func (e *estimate) sharedEdges(m qap.Matching) float64 {
	matched1, matched2 := 0, 0
	partner := make([]bool, e.g2.Nodes)
	for _, p := range e.nodes {
		partner[p[1]] = true
	}
	for k, edge := range e.g1.Edges {
		a, b := m[edge.I], m[edge.J]
		if a == qap.Unmatched || b == qap.Unmatched {
			continue
		}
		matched1++
		if !e.g2.Directed && a > b {
			a, b = b, a
		}
		if l, both := e.edge2[graphs.Edge{I: a, J: b}]; both {
			e.edges = append(e.edges, [2]int{k, l})
		}
	}
	for _, edge := range e.g2.Edges {
		if partner[edge.I] && partner[edge.J] {
			matched2++
		}
	}
	if matched1+matched2 == 0 {
		return 0
	}
	return 1 - 2*float64(len(e.edges))/float64(matched1+matched2)
}

// attributes returns the mean noise of numbers and of words.
func (e *estimate) attributes() (numbers, words float64) {
	var all, differ []float64
	column := func(pairs [][2]int, of1, of2 func(int) float64) {
		if v, ok := noiseOf(pairs, of1, of2); ok {
			all = append(all, v)
		}
	}
	vectors := func(pairs [][2]int, of1, of2 [][]float64) {
		for c := range min(graphs.Width(of1), graphs.Width(of2)) {
			column(pairs, func(i int) float64 { return of1[i][c] }, func(a int) float64 { return of2[a][c] })
		}
	}
	text := func(pairs [][2]int, of1, of2 []graphs.Attribute[string]) {
		for _, a := range of1 {
			if other := graphs.ValuesOf(of2, a.Name); other != nil && len(pairs) > 0 {
				wrong := 0.0
				for _, p := range pairs {
					if a.Values[p[0]] != other[p[1]] {
						wrong++
					}
				}
				differ = append(differ, wrong/float64(len(pairs)))
			}
		}
	}
	vectors(e.nodes, e.g1.Features, e.g2.Features)
	vectors(e.edges, e.g1.Relation, e.g2.Relation)
	if e.g1.Weights != nil && e.g2.Weights != nil {
		column(e.edges, func(k int) float64 { return e.g1.Weights[k] }, func(k int) float64 { return e.g2.Weights[k] })
	}
	for _, a := range e.g1.EdgeNumbers {
		if other := graphs.ValuesOf(e.g2.EdgeNumbers, a.Name); other != nil {
			column(e.edges, func(k int) float64 { return a.Values[k] }, func(k int) float64 { return other[k] })
		}
	}
	text(e.nodes, e.g1.NodeWords, e.g2.NodeWords)
	text(e.edges, e.g1.EdgeWords, e.g2.EdgeWords)
	return mean(all), mean(differ)
}

// noiseOf is the noise of numbers of what belongs together, over their standard deviation.
func noiseOf(pairs [][2]int, of1, of2 func(int) float64) (float64, bool) {
	var values, differences []float64
	for _, p := range pairs {
		x, y := of1(p[0]), of2(p[1])
		if !math.IsNaN(x) && !math.IsNaN(y) {
			values, differences = append(values, x, y), append(differences, math.Abs(x-y))
		}
	}
	spread := spreadOf(values)
	if spread == 0 {
		return 0, false
	}
	return min(deviation(median(differences))/spread, 1), true
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}

// spreadOf is the standard deviation of numbers, without those that are NaN.
func spreadOf(values []float64) float64 {
	sum, squares, n := 0.0, 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, squares, n = sum+v, squares+v*v, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(max(squares/n-sum*sum/n/n, 0))
}
