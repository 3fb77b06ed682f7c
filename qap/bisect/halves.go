package bisect

import "math/rand/v2"

// bisection divides a graph so that a number of facilities are on the first side.
type bisection struct {
	rng   *rand.Rand
	first int

	g      *graph
	second []bool
	gain   []float64 // of changing sides
	moved  []bool
	heaps  [2]heap // of the nodes of each side, those of most gain first
	over   int     // facilities that the first side has too many
	trail  []int32 // nodes in the order in which they moved
}

const (
	coarsest   = 48  // nodes of a graph that is divided at once
	starts     = 6   // of which the best counts
	leastShare = 0.9 // of the nodes, which joining must not leave
	passes     = 10
	slackShare = 30 // of the facilities, by which sides may be off on the way
	patience   = 60 // moves of a pass that find nothing better
)

// bisect returns which nodes are on the second side. The sizes of the sides are exact where all
// nodes weigh 1, and else off by less than the heaviest.
func (b *bisection) bisect(g *graph) []bool {
	n := g.size()
	if n > coarsest {
		small, to := g.joined(b.rng, int32(max(2, 3*b.facilities(g)/(2*coarsest))))
		if float64(small.size()) < leastShare*float64(n) {
			coarse := b.bisect(small)
			second := make([]bool, n)
			for i := range second {
				second[i] = coarse[to[i]]
			}
			b.refine(g, second)
			return second
		}
	}
	var best []bool
	least := 0.0
	for range starts {
		second := b.grown(g)
		b.refine(g, second)
		if cut := g.cut(second); best == nil || cut < least {
			best, least = second, cut
		}
	}
	return best
}

func (b *bisection) facilities(g *graph) int {
	sum := 0
	for _, w := range g.weight {
		sum += int(w)
	}
	return sum
}

// grown returns a first side that has grown from a random node, breadth first.
func (b *bisection) grown(g *graph) []bool {
	n := g.size()
	second := make([]bool, n)
	for i := range second {
		second[i] = true
	}
	seen, queue, left := make([]bool, n), make([]int32, 0, n), b.first
	for _, start := range b.rng.Perm(n) {
		if !seen[start] {
			seen[start] = true
			queue = append(queue, int32(start))
		}
		for len(queue) > 0 && left > 0 {
			i := queue[0]
			queue = queue[1:]
			second[i] = false
			left -= int(g.weight[i])
			for e := g.first[i]; e < g.first[i+1]; e++ {
				if j := g.partner[e]; !seen[j] {
					seen[j] = true
					queue = append(queue, j)
				}
			}
		}
		if left <= 0 {
			break
		}
	}
	return second
}

// refine lets nodes change sides, one after the other, that of most gain first even where it loses,
// and keeps the best of what comes on the way.
func (b *bisection) refine(g *graph, second []bool) {
	b.g, b.second = g, second
	n := g.size()
	if cap(b.gain) < n {
		b.gain, b.moved = make([]float64, n), make([]bool, n)
	}
	b.gain, b.moved = b.gain[:n], b.moved[:n]
	b.over = -b.first
	for i, w := range g.weight {
		if !second[i] {
			b.over += int(w)
		}
	}
	heaviest := int(g.heaviest())
	slack := max(heaviest, b.facilities(g)/slackShare)
	b.begin()
	for abs(b.over) >= heaviest {
		side := 0
		if b.over < 0 {
			side = 1
		}
		i := b.heaps[side].top(b)
		if i < 0 {
			break
		}
		b.move(i)
	}
	for range passes {
		if !b.pass(slack, heaviest) {
			return
		}
	}
}

// begin puts all nodes into the heaps.
func (b *bisection) begin() {
	b.heaps[0], b.heaps[1] = heap{side: false, nodes: b.heaps[0].nodes[:0]}, heap{side: true, nodes: b.heaps[1].nodes[:0]}
	g := b.g
	for i := range b.gain {
		b.moved[i] = false
		b.gain[i] = g.pull[i]
		if b.second[i] {
			b.gain[i] = -g.pull[i]
		}
		for e := g.first[i]; e < g.first[i+1]; e++ {
			if b.second[g.partner[e]] == b.second[i] {
				b.gain[i] -= g.flow[e]
			} else {
				b.gain[i] += g.flow[e]
			}
		}
		b.push(int32(i))
	}
	b.trail = b.trail[:0]
}

// pass moves every node once at most, and reports whether that made the cut less.
func (b *bisection) pass(slack, heaviest int) bool {
	b.begin()
	sum, best, kept := 0.0, 0.0, 0
	for len(b.trail) < kept+patience+len(b.gain)/8 {
		i := b.next(slack)
		if i < 0 {
			break
		}
		sum += b.gain[i]
		b.move(i)
		if abs(b.over) < heaviest && sum > best+leastGain {
			best, kept = sum, len(b.trail)
		}
	}
	for _, i := range b.trail[kept:] {
		b.swap(i)
	}
	return kept > 0
}

// leastGain is more than rounding.
const leastGain = 1e-9

// next returns the node to move, −1 if there is none.
func (b *bisection) next(slack int) int32 {
	i, j := b.heaps[0].top(b), b.heaps[1].top(b)
	switch {
	case i >= 0 && b.over-int(b.g.weight[i]) < -slack:
		i = -1
	case j >= 0 && b.over+int(b.g.weight[j]) > slack:
		j = -1
	}
	if i < 0 || j >= 0 && (b.gain[j] > b.gain[i] || b.gain[j] == b.gain[i] && b.over < 0) {
		return j
	}
	return i
}

// swap has a node change sides.
func (b *bisection) swap(i int32) {
	if b.second[i] {
		b.over += int(b.g.weight[i])
	} else {
		b.over -= int(b.g.weight[i])
	}
	b.second[i] = !b.second[i]
}

// move has a node change sides for the rest of a pass.
func (b *bisection) move(i int32) {
	b.swap(i)
	b.moved[i] = true
	b.trail = append(b.trail, i)
	for e := b.g.first[i]; e < b.g.first[i+1]; e++ {
		j := b.g.partner[e]
		if b.second[j] == b.second[i] {
			b.gain[j] -= 2 * b.g.flow[e]
		} else {
			b.gain[j] += 2 * b.g.flow[e]
		}
		if !b.moved[j] {
			b.push(j)
		}
	}
}

func (b *bisection) push(i int32) {
	side := 0
	if b.second[i] {
		side = 1
	}
	b.heaps[side].push(offer{b.gain[i], i})
}

// heap is offers of nodes of one side, the one of most gain first. An offer counts as long as the
// node's gain is the offered one.
type heap struct {
	side  bool
	nodes []offer
}

type offer struct {
	gain float64
	node int32
}

func (h *heap) push(o offer) {
	h.nodes = append(h.nodes, o)
	for k := len(h.nodes) - 1; k > 0; {
		up := (k - 1) / 2
		if h.nodes[up].gain >= h.nodes[k].gain {
			return
		}
		h.nodes[up], h.nodes[k] = h.nodes[k], h.nodes[up]
		k = up
	}
}

// top returns the node of most gain, −1 if there is none.
func (h *heap) top(b *bisection) int32 {
	for len(h.nodes) > 0 {
		if o := h.nodes[0]; !b.moved[o.node] && b.second[o.node] == h.side && b.gain[o.node] == o.gain {
			return o.node
		}
		h.pop()
	}
	return -1
}

func (h *heap) pop() {
	last := len(h.nodes) - 1
	h.nodes[0] = h.nodes[last]
	h.nodes = h.nodes[:last]
	for k := 0; ; {
		child := 2*k + 1
		if child >= last {
			return
		}
		if child+1 < last && h.nodes[child+1].gain > h.nodes[child].gain {
			child++
		}
		if h.nodes[k].gain >= h.nodes[child].gain {
			return
		}
		h.nodes[k], h.nodes[child] = h.nodes[child], h.nodes[k]
		k = child
	}
}

func abs(x int) int { return max(x, -x) }
