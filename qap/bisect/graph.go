package bisect

import "math/rand/v2"

// graph is flows within a part, or what is left of them once nodes have been joined.
type graph struct {
	first, partner []int32
	flow           []float64
	weight         []int32   // facilities that a node stands for
	pull           []float64 // flow that draws a node to the second side, less what draws it to the first
}

// newGraph returns a graph with room for so many nodes and partners.
func newGraph(nodes, partners int) *graph {
	return &graph{
		first: make([]int32, 1, nodes+1), partner: make([]int32, 0, partners), flow: make([]float64, 0, partners),
		weight: make([]int32, nodes), pull: make([]float64, nodes),
	}
}

func (g *graph) size() int { return len(g.weight) }

// cut is the flow between two sides, and what draws nodes to the other one.
func (g *graph) cut(second []bool) float64 {
	sum := 0.0
	for i, side := range second {
		if !side {
			sum += g.pull[i]
		}
		for e := g.first[i]; e < g.first[i+1]; e++ {
			if j := g.partner[e]; int(j) < i && second[j] != side {
				sum += g.flow[e]
			}
		}
	}
	return sum
}

// heaviest returns the largest weight of a node.
func (g *graph) heaviest() int32 {
	most := int32(0)
	for _, w := range g.weight {
		most = max(most, w)
	}
	return most
}

// joined returns a graph of fewer nodes, each of which stands for one of g or for two with much flow,
// and the node that each of g goes to.
func (g *graph) joined(rng *rand.Rand, mostWeight int32) (*graph, []int32) {
	n := g.size()
	to := make([]int32, n)
	for i := range to {
		to[i] = -1
	}
	members := make([][2]int32, 0, n)
	for _, i := range rng.Perm(n) {
		if to[i] >= 0 {
			continue
		}
		best, most := int32(i), 0.0
		for e := g.first[i]; e < g.first[i+1]; e++ {
			if j := g.partner[e]; to[j] < 0 && g.flow[e] > most && g.weight[i]+g.weight[j] <= mostWeight {
				best, most = j, g.flow[e]
			}
		}
		to[i], to[best] = int32(len(members)), int32(len(members))
		members = append(members, [2]int32{int32(i), best})
	}
	small := newGraph(len(members), len(g.partner))
	place := make([]int32, len(members)) // of a partner in small's lists, where it is not of an earlier node
	for k, pair := range members {
		from := int32(len(small.partner))
		for side, i := range pair {
			if side == 1 && i == pair[0] {
				continue
			}
			small.weight[k] += g.weight[i]
			small.pull[k] += g.pull[i]
			for e := g.first[i]; e < g.first[i+1]; e++ {
				l := to[g.partner[e]]
				if int(l) == k {
					continue
				}
				if at := place[l]; at >= from && int(at) < len(small.partner) && small.partner[at] == l {
					small.flow[at] += g.flow[e]
					continue
				}
				place[l] = int32(len(small.partner))
				small.partner, small.flow = append(small.partner, l), append(small.flow, g.flow[e])
			}
		}
		small.first = append(small.first, int32(len(small.partner)))
	}
	return small, to
}
