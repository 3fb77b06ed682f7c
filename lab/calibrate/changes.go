package main

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/statistics"
)

// change makes another graph of one.
type change struct {
	share  float64 // how many nodes the graph that is changed has, of those wanted
	change func(g graphs.Graph, rng *rand.Rand) graphs.Graph
}

var changes = []change{{0.4, subdivided}, {1, rewired}, {0.6, branched}, {0.8, twinned}, {0.5, linkedTwice}, {0.5, linesOf}}

// changed draws pairs of a model's graphs that are changed so often, so that the maps see more sorts of graphs than there are models.
func (m model) changed(times int) func(rng *rand.Rand) (sample, error) {
	return func(rng *rand.Rand) (sample, error) {
		n, all := math.Floor(statistics.LogBetween(16, 400, rng)), make([]change, times)
		for k := range all {
			all[k] = changes[rng.IntN(len(changes))]
			n *= all[k].share
		}
		g := m.graph(max(12, int(n)), rng)
		for _, c := range all {
			g = c.change(g, rng)
		}
		return split(g, rng), nil
	}
}

func pairsOf(g graphs.Graph) (edges [][2]int) {
	for _, e := range g.Edges {
		edges = append(edges, [2]int{e.I, e.J})
	}
	return edges
}

// subdivided puts nodes on edges.
func subdivided(g graphs.Graph, rng *rand.Rand) graphs.Graph {
	share, most := statistics.Between(0.2, 1, rng), 1+rng.IntN(3)
	n := g.Nodes
	var edges [][2]int
	for _, e := range g.Edges {
		last := e.I
		if rng.Float64() < share {
			for range 1 + rng.IntN(most) {
				edges, last = append(edges, [2]int{last, n}), n
				n++
			}
		}
		edges = append(edges, [2]int{last, e.J})
	}
	return made(n, edges)
}

// rewired takes one end of some edges elsewhere.
func rewired(g graphs.Graph, rng *rand.Rand) graphs.Graph {
	share := statistics.LogBetween(0.03, 0.5, rng)
	edges := pairsOf(g)
	for k := range edges {
		if rng.Float64() < share {
			edges[k][rng.IntN(2)] = rng.IntN(g.Nodes)
		}
	}
	return made(g.Nodes, edges)
}

// branched hangs trees and chains on nodes.
func branched(g graphs.Graph, rng *rand.Rand) graphs.Graph {
	edges, n := pairsOf(g), g.Nodes
	more, along := int(statistics.Between(0.2, 1, rng)*float64(n)), rng.Float64()
	for range more {
		from := rng.IntN(n)
		if rng.Float64() < along {
			from = n - 1
		}
		edges = append(edges, [2]int{from, n})
		n++
	}
	return made(n, edges)
}

// twinned copies nodes with most of their edges.
func twinned(g graphs.Graph, rng *rand.Rand) graphs.Graph {
	edges, n := pairsOf(g), g.Nodes
	near := make([][]int, n)
	for _, e := range edges {
		near[e[0]], near[e[1]] = append(near[e[0]], e[1]), append(near[e[1]], e[0])
	}
	keep := statistics.Between(0.6, 1, rng)
	for range int(statistics.Between(0.05, 0.4, rng) * float64(n)) {
		for _, k := range near[rng.IntN(g.Nodes)] {
			if rng.Float64() < keep {
				edges = append(edges, [2]int{k, n})
			}
		}
		n++
	}
	return made(n, edges)
}

// linkedTwice joins a graph with another copy that has other edges here and there.
func linkedTwice(g graphs.Graph, rng *rand.Rand) graphs.Graph {
	other := rewired(g, rng)
	edges, n := pairsOf(g), g.Nodes
	for _, e := range other.Edges {
		edges = append(edges, [2]int{e.I + n, e.J + n})
	}
	for range 1 + rng.IntN(2+n/5) {
		edges = append(edges, [2]int{rng.IntN(n), n + rng.IntN(n)})
	}
	return made(2*n, edges)
}

// linesOf joins edges that have an end in common.
func linesOf(g graphs.Graph, rng *rand.Rand) graphs.Graph {
	at := make([][]int, g.Nodes)
	for k, e := range g.Edges {
		at[e.I], at[e.J] = append(at[e.I], k), append(at[e.J], k)
	}
	var edges [][2]int
	for _, all := range at {
		if len(all) > 12 {
			all = all[:12]
		}
		for k, x := range all {
			for _, y := range all[:k] {
				edges = append(edges, [2]int{x, y})
			}
		}
	}
	return made(max(3, len(g.Edges)), edges)
}
