package align

import (
	"cmp"
	"math"
)

// nodesBetweenLooks is how many nodes are done between two looks at the clock.
const nodesBetweenLooks = 4096

// table holds numbers of nodes, a row each.
type table struct {
	width int
	data  []float32
}

func newTable(rows, width int) table { return table{width, make([]float32, rows*width)} }

func (t table) rows() int           { return len(t.data) / max(1, t.width) }
func (t table) row(i int) []float32 { return t.data[i*t.width : (i+1)*t.width] }

// features returns what describes the surroundings of every node and, where nodes are
// anchors, how far it is from them: logarithms of degrees and of triangles, clustering, and
// how these are spread among neighbours, theirs and so on. Weights and directions add theirs.
// It returns false where it is over before.
func (g *Graph) features(anchors []int32, over func() bool) (table, bool) {
	degree, triangles, clustering := g.counts(over)
	if over() {
		return table{}, false
	}
	around := func(x []float32, what summary) []float32 {
		if over() {
			return x
		}
		return g.aggregate(x, what)
	}
	mean, deviation := around(degree, meanOf), around(degree, deviationOf)
	meanTriangles := around(triangles, meanOf)
	second := around(mean, meanOf)
	columns := [][]float32{
		degree, triangles, clustering,
		mean, deviation, around(degree, maximumOf),
		meanTriangles, around(triangles, deviationOf), around(clustering, meanOf),
		second, around(mean, deviationOf), around(deviation, meanOf), around(meanTriangles, meanOf),
		around(second, meanOf),
	}
	for _, weights := range [][]float32{g.out, g.in} {
		if weights != nil {
			strength := g.strength(weights)
			columns = append(columns, strength, g.aggregate(strength, meanOf))
		}
	}
	for _, anchor := range anchors {
		if over() {
			break
		}
		columns = append(columns, g.nearness(int(anchor)))
	}
	if over() {
		return table{}, false
	}
	t := newTable(g.Nodes(), len(columns))
	for c, column := range columns {
		for i, v := range column {
			t.data[i*t.width+c] = v
		}
	}
	return t, true
}

// counts returns the logarithms of the degrees and of the triangles of every node, and its
// clustering. Each triangle is found once, from its corner of least degree; some are not where it is over
// before.
func (g *Graph) counts(over func() bool) (degree, triangles, clustering []float32) {
	n := g.Nodes()
	degree, triangles, clustering = make([]float32, n), make([]float32, n), make([]float32, n)
	above := func(i, j int) bool { // in the order of degrees
		if d, e := g.Degree(i), g.Degree(j); d != e {
			return e > d
		}
		return j > i
	}
	mark := make([]int32, n)
	for i := range n {
		if i%nodesBetweenLooks == 0 && over() {
			break
		}
		degree[i] = log1p(float64(g.Degree(i)))
		for _, k := range g.Neighbours(i) {
			if above(i, int(k)) {
				mark[k] = int32(i) + 1
			}
		}
		for _, k := range g.Neighbours(i) {
			if !above(i, int(k)) {
				continue
			}
			for _, l := range g.Neighbours(int(k)) {
				if mark[l] == int32(i)+1 && above(int(k), int(l)) {
					triangles[i]++
					triangles[k]++
					triangles[l]++
				}
			}
		}
	}
	for i, t := range triangles {
		if d := float32(g.Degree(i)); d > 1 {
			clustering[i] = 2 * t / (d * (d - 1))
		}
		triangles[i] = log1p(float64(t))
	}
	return degree, triangles, clustering
}

func log1p(v float64) float32 { return float32(math.Log1p(v)) }

// A summary is what aggregate makes of the neighbours' numbers.
type summary int8

const (
	meanOf summary = iota
	deviationOf
	maximumOf
)

// aggregate returns a summary of the numbers of every node's neighbours, 0 of none.
func (g *Graph) aggregate(x []float32, what summary) []float32 {
	y := make([]float32, g.Nodes())
	for i := range y {
		neighbours := g.Neighbours(i)
		if len(neighbours) == 0 {
			continue
		}
		sum, squares, most := 0.0, 0.0, float32(math.Inf(-1))
		for _, k := range neighbours {
			v := float64(x[k])
			sum += v
			squares += v * v
			most = max(most, x[k])
		}
		mean := sum / float64(len(neighbours))
		switch what {
		case meanOf:
			y[i] = float32(mean)
		case deviationOf:
			y[i] = float32(math.Sqrt(max(0, squares/float64(len(neighbours))-mean*mean)))
		case maximumOf:
			y[i] = most
		}
	}
	return y
}

// strength returns the logarithm of the sum of the sizes of every node's weights, in units of
// the mean: those of the graphs may differ.
func (g *Graph) strength(weights []float32) []float32 {
	unit := cmp.Or(float64(g.meanWeight()), 1)
	s := make([]float32, g.Nodes())
	for i := range s {
		sum := 0.0
		for e := g.start[i]; e < g.start[i+1]; e++ {
			sum += math.Abs(float64(weights[e]))
		}
		s[i] = log1p(sum / unit)
	}
	return s
}

// nearness returns 1/(1+d) of every node at distance d from an anchor, 0 of those that no
// path joins with it.
func (g *Graph) nearness(anchor int) []float32 {
	near := make([]float32, g.Nodes())
	near[anchor] = 1
	for queue, distance := []int32{int32(anchor)}, 1; len(queue) > 0; distance++ {
		var next []int32
		for _, i := range queue {
			for _, k := range g.Neighbours(int(i)) {
				if near[k] == 0 {
					near[k] = 1 / float32(1+distance)
					next = append(next, k)
				}
			}
		}
		queue = next
	}
	return near
}
