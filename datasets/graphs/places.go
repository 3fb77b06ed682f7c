package graphs

import (
	"cmp"
	"math"
	"slices"
)

// Places returns where the nodes are drawn: the first two coordinates of their points, or where
// their edges put them; an unknown coordinate is the mean of the others.
func (g *Graph) Places() []Point {
	if g.Points == nil {
		return g.placesByEdges()
	}
	points := make([]Point, g.Nodes)
	axis := func(k int, to func(i int) *float64) {
		sum, known := 0.0, 0.0
		for _, at := range g.Points {
			if !math.IsNaN(at[k]) {
				known++
				sum += (at[k] - sum) / known // a mean, which does not overflow
			}
		}
		for i, at := range g.Points {
			if *to(i) = at[k]; math.IsNaN(at[k]) {
				*to(i) = sum
			}
		}
	}
	axis(0, func(i int) *float64 { return &points[i].X })
	if g.Dimensions() > 1 {
		axis(1, func(i int) *float64 { return &points[i].Y })
	}
	return points
}

// placesByEdges lays out a graph by its edges: each connected part by itself, of edges that are 1
// long in the mean, and all of them beside each other. A graph without edges is a circle.
func (g *Graph) placesByEdges() []Point {
	points := make([]Point, g.Nodes)
	if len(g.Edges) == 0 {
		for i := range points {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(g.Nodes))
			points[i] = Point{X: cos, Y: sin}
		}
		return points
	}
	next := g.nextNodes()
	var parts [][]Point
	nodes := connected(next)
	for _, of := range nodes {
		parts = append(parts, placesOfPart(within(next, of)))
	}
	pack(parts)
	for k, of := range nodes {
		for p, i := range of {
			points[i] = parts[k][p]
		}
	}
	return points
}

// connected returns the nodes of each connected part, in the order of its first node.
func connected(next [][]int) (parts [][]int) {
	seen := make([]bool, len(next))
	for first := range next {
		if seen[first] {
			continue
		}
		seen[first] = true
		part := []int{first}
		for at := 0; at < len(part); at++ {
			for _, j := range next[part[at]] {
				if !seen[j] {
					seen[j] = true
					part = append(part, j)
				}
			}
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	return parts
}

// within returns the neighbours of the nodes of a connected part, by their numbers in it.
func within(next [][]int, part []int) [][]int {
	number := make(map[int]int, len(part))
	for p, i := range part {
		number[i] = p
	}
	own := make([][]int, len(part))
	for p, i := range part {
		for _, j := range next[i] {
			if j != i {
				own[p] = append(own[p], number[j])
			}
		}
	}
	return own
}

// mostStress is up to how many nodes of a part are laid out by the distances of all pairs.
const mostStress = 1500

// placesOfPart lays out a connected part by its edges, of which the mean is 1 long.
func placesOfPart(next [][]int) []Point {
	points := embedded(next)
	if len(points) <= mostStress {
		relax(points, next)
	}
	length, edges := 0.0, 0.0
	for i, near := range next {
		for _, j := range near {
			length, edges = length+math.Hypot(points[i].X-points[j].X, points[i].Y-points[j].Y), edges+1
		}
	}
	if length > 0 {
		for i := range points {
			points[i] = Point{X: points[i].X * edges / length, Y: points[i].Y * edges / length}
		}
	}
	return points
}

// embedded lays out a connected graph so that nodes are as far apart as the ways between them are
// long: the two leading principal components of the distances to some nodes far from each other
// (Harel and Koren, "Graph Drawing by High-Dimensional Embedding", doi:10.1007/3-540-36151-0_20).
func embedded(next [][]int) []Point {
	const pivots = 20
	points := make([]Point, len(next))
	nearest, pivot := make([]float64, len(next)), 0
	for i := range nearest {
		nearest[i] = math.Inf(1)
		if len(next[i]) > len(next[pivot]) {
			pivot = i
		}
	}
	var columns [][]float64
	for range min(pivots, len(next)) {
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

// relax moves nodes until their distances are those along the edges as far as that goes: stress
// majorization, node by node (Gansner, Koren and North, "Graph Drawing by Stress Majorization",
// doi:10.1007/978-3-540-31843-9_25, section 2.3), pairs weighed by their distances to the power −2.
func relax(points []Point, next [][]int) {
	const rounds = 60
	far := make([][]float32, len(next))
	for i := range next {
		far[i] = make([]float32, len(next))
		for j, d := range edgesFrom(next, i) {
			far[i][j] = float32(d)
		}
	}
	for round := range rounds {
		moved := 0.0
		for i, at := range points {
			var x, y, weight float64
			for j, other := range points {
				if j == i {
					continue
				}
				d := float64(far[i][j])
				dx, dy := at.X-other.X, at.Y-other.Y
				apart := math.Hypot(dx, dy)
				if apart < 1e-9 { // nodes that look the same begin at one place
					dy, dx = math.Sincos(float64(min(i, j)) + 2.4*float64(max(i, j)))
					apart = 1
					if i < j {
						dx, dy = -dx, -dy
					}
				}
				w := 1 / (d * d)
				x, y, weight = x+w*(other.X+d*dx/apart), y+w*(other.Y+d*dy/apart), weight+w
			}
			if weight > 0 {
				points[i] = Point{X: x / weight, Y: y / weight}
				moved = max(moved, math.Hypot(points[i].X-at.X, points[i].Y-at.Y))
			}
		}
		if moved < 1e-3 && round > 0 {
			return
		}
	}
}

// pack moves the parts of a graph beside each other, in rows, the highest first.
func pack(parts [][]Point) {
	const gap = 1.0
	type box struct {
		part          int
		low           Point
		width, height float64
	}
	var boxes []box
	area, widest := 0.0, 0.0
	for k, part := range parts {
		low, high := Bounds(part)
		b := box{k, low, high.X - low.X + gap, high.Y - low.Y + gap}
		boxes = append(boxes, b)
		area, widest = area+b.width*b.height, max(widest, b.width)
	}
	slices.SortStableFunc(boxes, func(a, b box) int { return cmp.Compare(b.height, a.height) })
	row := max(widest, math.Sqrt(1.3*area))
	x, y, height := 0.0, 0.0, 0.0
	for _, b := range boxes {
		if x > 0 && x+b.width > row*(1+1e-9) {
			x, y, height = 0, y-height, 0
		}
		height = max(height, b.height)
		for p, at := range parts[b.part] { // from the upper left
			parts[b.part][p] = Point{X: x + at.X - b.low.X, Y: y - b.height + at.Y - b.low.Y}
		}
		x += b.width
	}
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
