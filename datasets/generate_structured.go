package datasets

import (
	"math"
	"math/rand/v2"
)

// structuredShare is how often each is drawn beside others that are named.
const structuredShare = 0.1

// structured are families on which a search from one start fails: funnels that are
// many and far apart, or one that is narrow; and large machines. They came after the
// others, so a Mixture draws them only where they are named.
var structured = []family{
	// blocks: nodes on two sides as leaves of a tree of blocks; one matrix has its
	// distances between the sides and few flows within them, the other the reverse.
	{"blocks", structuredShare, nil, func(n int, rng *rand.Rand) (flow, distance []float64) {
		shape := newBlockTree(n, rng)
		return shape.matrix(true, rng), shape.matrix(false, rng)
	}},
	// neighbours: flows between neighbours on a grid, whose distance is 1, all others
	// at random farther, so that hardly any assignment near the best one is good.
	{"neighbours", structuredShare, nil, func(n int, rng *rand.Rand) (flow, distance []float64) {
		columns := widestDivisor(n)
		adjacent := func(i, j int) bool {
			return abs(i/columns-j/columns)+abs(i%columns-j%columns) == 1
		}
		flow, distance = symmetric(n, uniform(1, 10, rng)), symmetric(n, uniform(2, 10, rng))
		for k := range flow {
			switch i, j := k/n, k%n; {
			case i == j:
			case adjacent(i, j):
				distance[k] = 1
			default:
				flow[k] = 0
			}
		}
		return flow, distance
	}},
	// mapping: processes that talk to few near ones, on a machine of nodes in racks:
	// distances 1, 10 and 100.
	{"mapping", structuredShare, nil, func(n int, rng *rand.Rand) (flow, distance []float64) {
		cores := 4 << rng.IntN(2)
		nodes := cores * 8
		distance = fill(n, func(i, j int) float64 {
			switch {
			case i/cores == j/cores:
				return 1
			case i/nodes == j/nodes:
				return 10
			}
			return 100
		})
		return nearFlows(n, rng), distance
	}},
}

// nearFlows returns flows 1..20 between points of the unit square that are near, so
// that each has about eight partners.
func nearFlows(n int, rng *rand.Rand) []float64 {
	points := make([][2]float64, n)
	for i := range points {
		points[i] = [2]float64{rng.Float64(), rng.Float64()}
	}
	radius := math.Sqrt(8 / (math.Pi * float64(n)))
	flow := symmetric(n, uniform(1, 20, rng))
	for k := range flow {
		p, q := points[k/n], points[k%n]
		if math.Hypot(p[0]-q[0], p[1]-q[1]) > radius {
			flow[k] = 0
		}
	}
	return flow
}

// widestDivisor returns the largest divisor of n up to its root.
func widestDivisor(n int) int {
	for d := int(math.Sqrt(float64(n))); d > 1; d-- {
		if n%d == 0 {
			return d
		}
	}
	return 1
}

func abs(x int) int { return max(x, -x) }

// blockTree is nodes on two sides as the leaves of a tree. Two nodes are as far apart
// as the children that they are below of the last block that holds both.
type blockTree struct {
	n, branches, depth int
	second             []bool             // whether a node is on the second side
	distance           map[[4]int]float64 // of children, by depth, block, and the two
}

func newBlockTree(n int, rng *rand.Rand) *blockTree {
	t := &blockTree{n: n, branches: 3 + rng.IntN(3), second: make([]bool, n), distance: map[[4]int]float64{}}
	for leaves := 1; leaves < n; leaves *= t.branches {
		t.depth++
	}
	for k, i := range rng.Perm(n) {
		t.second[i] = k%2 == 1
	}
	return t
}

// matrix returns the distances of the tree between the sides, or else within them,
// and for other pairs flows, less the higher the block that holds both.
func (t *blockTree) matrix(between bool, rng *rand.Rand) []float64 {
	m := make([]float64, t.n*t.n)
	for i := range t.n {
		for j := range i {
			width := t.width(i, j)
			if (t.second[i] != t.second[j]) == between {
				m[i*t.n+j] = t.between(i, j, width, rng)
			} else {
				m[i*t.n+j] = math.Floor(11 * math.Pow(rng.Float64(), 3*float64(width*width)))
			}
			m[j*t.n+i] = m[i*t.n+j]
		}
	}
	return m
}

// width returns the nodes below each child of the smallest block that holds both.
func (t *blockTree) width(i, j int) int {
	width := 1
	for i/(width*t.branches) != j/(width*t.branches) {
		width *= t.branches
	}
	return width
}

// between returns the distance of two nodes, drawn when it is first asked for: up to
// 8 in the smallest blocks, and nearly twice as much on each level above.
func (t *blockTree) between(i, j, width int, rng *rand.Rand) float64 {
	low, high := min(i/width, j/width), max(i/width, j/width)
	key := [4]int{width, i / (width * t.branches), low, high}
	if _, known := t.distance[key]; !known {
		level := math.Log(float64(width)) / math.Log(float64(t.branches))
		most := 8 * math.Pow(1.9, level)
		t.distance[key] = math.Floor(between(most/2, most, rng))
	}
	return t.distance[key]
}
