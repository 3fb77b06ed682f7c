package rigid

import (
	"math"
	"slices"
)

// What a pair of nodes scores.
const (
	ofWitness  = 2.0 // for each neighbour whose partner is a neighbour of the partner
	ofConflict = 1.2 // against, for each matched neighbour of either whose partner is none
	ofRing     = 0.5 // for and against nodes at distance 2
	ofPrior    = 0.5
)

const none = -1

// mostSteps bounds what one match makes others look at.
const (
	mostNeighbours  = 40 // of a node, looked at anew
	mostRows        = 30 // with the partner among their candidates
	mostAlternative = 10 // rows for each other candidate
	mostCandidates  = 60
	mostList        = 300 // neighbours of partners
)

// stale is from how much less certainty on a pair goes back to its place.
const stale = 0.97

// candidate is a partner that a node may have.
type candidate struct {
	node  int32
	score float32
	luck  float32 // prior and noise
}

// growth is a matching that grows.
type growth struct {
	g1, g2         *Graph
	rings1, rings2 rings
	prior          *prior
	rng            random
	noise          float64

	partner1, partner2 []int32
	candidates         [][]candidate // of nodes of graph 1
	rows               [][]int32     // of nodes of graph 2: whose candidates they are
	used1, used2       []int32       // nodes that have some
	stamp, version     []int32
	tick               int32
	heap               []certain

	work   int // what was looked at, in entries of rows
	budget int // work at which growing ends
}

func newGrowth(g1, g2 *Graph, p *prior) *growth {
	n1, n2 := g1.nodes(), g2.nodes()
	g := &growth{
		g1: g1, g2: g2, rings1: g1.rings(), rings2: g2.rings(), prior: p, partner1: make([]int32, n1), partner2: make([]int32, n2),
		candidates: make([][]candidate, n1), rows: make([][]int32, n2), stamp: make([]int32, n1), version: make([]int32, n1), budget: math.MaxInt,
	}
	for i := range g.partner1 {
		g.partner1[i] = none
	}
	for j := range g.partner2 {
		g.partner2[j] = none
	}
	return g
}

// score returns what speaks for a pair by the matching.
func (g *growth) score(i, j int32) float64 {
	row1, row2 := g.g1.row(i), g.g2.row(j)
	low, high := g.rings1.start[i], g.rings1.start[i+1]
	g.work += len(row1) + len(row2) + high - low
	sum := 0.0
	for _, k := range row1 {
		if l := g.partner1[k]; l >= 0 {
			if g.g2.joined(l, j) {
				sum += ofWitness
			} else {
				sum -= ofConflict
			}
		}
	}
	for _, l := range row2 {
		if k := g.partner2[l]; k >= 0 && !g.g1.joined(k, i) {
			sum -= ofConflict
		}
	}
	for x := low; x < high; x++ {
		l := g.partner1[g.rings1.to[x]]
		if l < 0 {
			continue
		}
		switch g.rings2.between(l, j) {
		case g.rings1.ways[x]:
			sum += ofRing
		case 0:
			sum -= ofRing
		}
	}
	return sum
}

// refresh looks for the candidates of a node anew, and returns the best and how certain it is beside the other
// candidates of the node and the other nodes that want it.
func (g *growth) refresh(i int32) (best int32, certainty float64) {
	list := g.candidates[i]
	if len(list) == 0 {
		g.used1 = append(g.used1, i)
	}
	list = slices.DeleteFunc(list, func(c candidate) bool { return g.partner2[c.node] >= 0 })
	looked := 0
	for _, k := range g.g1.row(i) {
		l := g.partner1[k]
		if l < 0 {
			continue
		}
		if looked >= mostList || len(list) >= mostCandidates {
			break
		}
		looked += g.g2.degree(l)
		for _, j := range g.g2.row(l) {
			if g.partner2[j] >= 0 || slices.ContainsFunc(list, func(c candidate) bool { return c.node == j }) {
				continue
			}
			if len(g.rows[j]) == 0 {
				g.used2 = append(g.used2, j)
			}
			g.rows[j] = append(g.rows[j], i)
			g.work += width
			list = append(list, candidate{node: j, luck: float32(ofPrior*float64(g.prior.at(i, j)) + g.noise*g.rng.gumbel())})
		}
	}
	g.candidates[i] = list
	best = none
	top, sum := float32(math.Inf(-1)), 0.0
	for k := range list {
		c := &list[k]
		c.score = float32(g.score(i, c.node)) + c.luck
		sum += math.Exp(float64(c.score))
		if c.score > top {
			top, best = c.score, c.node
		}
	}
	if best == none {
		return best, 0
	}
	for _, other := range g.rows[best] {
		if other == i || g.partner1[other] >= 0 {
			continue
		}
		for _, c := range g.candidates[other] {
			if c.node == best {
				sum += math.Exp(float64(c.score))
				break
			}
		}
	}
	return best, math.Exp(float64(top)) / (sum + 1)
}

// touch puts a node into the heap by the certainty of its best candidate.
func (g *growth) touch(i int32) {
	if g.partner1[i] >= 0 || g.stamp[i] == g.tick {
		return
	}
	g.stamp[i] = g.tick
	best, certainty := g.refresh(i)
	g.version[i]++
	if best != none {
		g.push(certain{float32(certainty), i, g.version[i]})
	}
}

func (g *growth) match(i, j int32) { g.partner1[i], g.partner2[j] = j, i }

// release takes nodes of graph 1 from their partners.
func (g *growth) release(nodes []int32) {
	for _, i := range nodes {
		if j := g.partner1[i]; j >= 0 {
			g.partner1[i], g.partner2[j] = none, none
		}
	}
}

// spread looks anew at those whom a match concerns.
func (g *growth) spread(i, j int32) {
	g.tick++
	row := g.g1.row(i)
	if len(row) <= mostNeighbours {
		for _, k := range row {
			g.touch(k)
		}
	} else {
		for range mostNeighbours {
			g.touch(row[g.rng.below(int32(len(row)))])
		}
	}
	for k, other := range g.rows[j] {
		if g.touch(other); k >= mostRows {
			break
		}
	}
	for k, c := range g.candidates[i] {
		if k > mostCandidates {
			break
		}
		if g.partner2[c.node] >= 0 {
			continue
		}
		for m, other := range g.rows[c.node] {
			if g.touch(other); m >= mostAlternative {
				break
			}
		}
	}
}

// forget empties the lists of candidates.
func (g *growth) forget() {
	for _, i := range g.used1 {
		g.candidates[i] = g.candidates[i][:0]
	}
	for _, j := range g.used2 {
		g.rows[j] = g.rows[j][:0]
	}
	g.used1, g.used2, g.heap = g.used1[:0], g.used2[:0], g.heap[:0]
}

// grow matches the most certain again and again, up to most nodes, and appends them to matched.
func (g *growth) grow(most int, matched []int32) []int32 {
	for count := 0; count < most && len(g.heap) > 0 && g.work < g.budget; {
		top := g.pop()
		if g.partner1[top.node] >= 0 || top.version != g.version[top.node] {
			continue
		}
		best, certainty := g.refresh(top.node)
		if best == none {
			continue
		}
		if float32(certainty) < stale*top.certainty {
			g.push(certain{float32(certainty), top.node, top.version})
			continue
		}
		g.match(top.node, best)
		matched = append(matched, top.node)
		g.spread(top.node, best)
		count++
	}
	return matched
}

// certain is a node in the heap: the most certain comes first, of a version that is still that of the node.
type certain struct {
	certainty     float32
	node, version int32
}

func (g *growth) push(c certain) {
	g.heap = append(g.heap, c)
	h := g.heap
	for at := len(h) - 1; at > 0; {
		up := (at - 1) / 2
		if h[up].certainty >= h[at].certainty {
			break
		}
		h[up], h[at] = h[at], h[up]
		at = up
	}
}

func (g *growth) pop() certain {
	h := g.heap
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	g.heap = h
	for at := 0; ; {
		down := 2*at + 1
		if down >= last {
			break
		}
		if down+1 < last && h[down+1].certainty > h[down].certainty {
			down++
		}
		if h[at].certainty >= h[down].certainty {
			break
		}
		h[at], h[down] = h[down], h[at]
		at = down
	}
	return top
}

// shared returns how many edges of graph 1 the matching takes to edges of graph 2.
func (g *growth) shared() int {
	count := 0
	g.g1.each(func(i, j int32) {
		if k, l := g.partner1[i], g.partner1[j]; k >= 0 && l >= 0 && g.g2.joined(k, l) {
			count++
		}
	})
	return count
}

// rest matches the nodes of a list that are left: a few with the likeliest of those that are free, and what
// grows from there; then the others.
func (g *growth) rest(nodes []int32) {
	var free, left []int32
	for j, i := range g.partner2 {
		if i < 0 {
			free = append(free, int32(j))
		}
	}
	for _, i := range nodes {
		if g.partner1[i] < 0 {
			left = append(left, i)
		}
	}
	for k := range left {
		x := k + int(g.rng.below(int32(len(left)-k)))
		left[k], left[x] = left[x], left[k]
	}
	const few = 8
	if len(left) > few {
		around := func(i int32) (count int) {
			for _, k := range g.g1.row(i) {
				if g.partner1[k] >= 0 {
					count++
				}
			}
			return count
		}
		slices.SortStableFunc(left, func(x, y int32) int { return around(y) - around(x) })
	}
	tried := 0
	for _, i := range left {
		if g.partner1[i] >= 0 {
			continue
		}
		looks := 40
		if tried++; tried <= few {
			looks = min(4*len(free), 2000)
		}
		best, top := int32(none), math.Inf(-1)
		for ; looks > 0 && len(free) > 0; looks-- {
			k := g.rng.below(int32(len(free)))
			for len(free) > 0 && g.partner2[free[k]] >= 0 {
				last := len(free) - 1
				free[k] = free[last]
				if free = free[:last]; last > 0 {
					k = g.rng.below(int32(last))
				}
			}
			if len(free) == 0 {
				break
			}
			g.work += width
			if s := ofPrior*float64(g.prior.at(i, free[k])) + g.score(i, free[k]); s > top {
				top, best = s, free[k]
			}
		}
		if best == none {
			break
		}
		g.match(i, best)
		g.spread(i, best)
		g.grow(math.MaxInt, nil)
	}
	g.forget()
}
