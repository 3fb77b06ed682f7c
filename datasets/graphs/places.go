package graphs

import "math"

// Places returns where the nodes are drawn: the first two coordinates of their points, or where
// their edges put them.
func (g *Graph) Places() []Point {
	if g.Points == nil {
		return g.placesByEdges()
	}
	points := make([]Point, g.Nodes)
	for i, at := range g.Points {
		points[i].X = at[0]
		if len(at) > 1 {
			points[i].Y = at[1]
		}
	}
	return points
}

// placesByEdges lays out a graph so that nodes are as far apart as the ways between them are long:
// the two leading principal components of the distances to some nodes far from each other
// (Harel and Koren, "Graph Drawing by High-Dimensional Embedding", doi:10.1007/3-540-36151-0_20).
// A graph without edges is a circle.
func (g *Graph) placesByEdges() []Point {
	const pivots = 20
	points := make([]Point, g.Nodes)
	if len(g.Edges) == 0 {
		for i := range points {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(g.Nodes))
			points[i] = Point{X: cos, Y: sin}
		}
		return points
	}
	next := g.nextNodes()
	nearest, pivot := make([]float64, g.Nodes), 0
	for i := range nearest {
		nearest[i] = math.Inf(1)
		if len(next[i]) > len(next[pivot]) {
			pivot = i
		}
	}
	var columns [][]float64
	for range min(pivots, g.Nodes) {
		column := edgesFrom(next, pivot)
		for i, d := range column {
			nearest[i] = min(nearest[i], d)
			if nearest[i] > nearest[pivot] {
				pivot = i
			}
		}
		columns = append(columns, centred(column))
	}
	x := component(columns, nil)
	y := component(columns, x)
	for i := range points {
		for k, column := range columns {
			points[i].X += x[k] * column[i]
			points[i].Y += y[k] * column[i]
		}
	}
	return points
}

func (g *Graph) nextNodes() [][]int {
	next := make([][]int, g.Nodes)
	for _, e := range g.Edges {
		next[e.I], next[e.J] = append(next[e.I], e.J), append(next[e.J], e.I)
	}
	return next
}

// edgesFrom returns how many edges nodes are away from one; those that cannot be reached are
// a step farther than the farthest.
func edgesFrom(next [][]int, from int) []float64 {
	far := make([]float64, len(next))
	for i := range far {
		far[i] = -1
	}
	far[from] = 0
	queue := []int{from}
	for at := 0; at < len(queue); at++ {
		for _, j := range next[queue[at]] {
			if far[j] < 0 {
				far[j] = far[queue[at]] + 1
				queue = append(queue, j)
			}
		}
	}
	farthest := far[queue[len(queue)-1]] + 1
	for i, d := range far {
		if d < 0 {
			far[i] = farthest
		}
	}
	return far
}

// centred subtracts the mean.
func centred(column []float64) []float64 {
	mean := 0.0
	for _, v := range column {
		mean += v / float64(len(column))
	}
	for i := range column {
		column[i] -= mean
	}
	return column
}

// component returns the leading principal component of columns, at right angles to another
// where that is given, by power iteration.
func component(columns [][]float64, other []float64) []float64 {
	const rounds = 100
	n := len(columns)
	covariance := make([][]float64, n)
	for k := range columns {
		covariance[k] = make([]float64, n)
		for l := range columns {
			for i := range columns[k] {
				covariance[k][l] += columns[k][i] * columns[l][i]
			}
		}
	}
	v := make([]float64, n)
	for k := range v {
		v[k] = 1 / float64(k+1)
	}
	for range rounds {
		product := make([]float64, n)
		for k := range product {
			for l := range v {
				product[k] += covariance[k][l] * v[l]
			}
		}
		along := 0.0
		for k := range other {
			along += product[k] * other[k]
		}
		length := 0.0
		for k := range other {
			product[k] -= along * other[k]
		}
		for _, u := range product {
			length += u * u
		}
		if length == 0 {
			return product // nothing varies in this direction
		}
		for k := range product {
			v[k] = product[k] / math.Sqrt(length)
		}
	}
	return v
}
