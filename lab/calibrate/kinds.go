package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	kindsof "github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

// sample is a pair with its truth: an instance, or two graphs.
type sample struct {
	instance *qap.Instance
	g1, g2   graphs.Graph
	truth    qap.Matching
}

// kind draws pairs. Those held out have no part in the maps.
type kind struct {
	name  string
	model string // that its graphs are of, if any
	held  bool
	of    source
	draw  func(rng *rand.Rand) (sample, error)
}

// source is what the matches of a kind are found by, each with a map of its own.
type source int

const (
	given   source = iota // affinities as they are
	learned               // affinities that a network re-weighed
	aligned               // edges alone
)

// all returns the kinds.
func all() []kind {
	kinds := []kind{
		{name: "affinities of every sort", draw: func(rng *rand.Rand) (sample, error) {
			p, err := kindsof.Broad{}.Pair(6+rng.IntN(20), rng)
			return ofPair(p), err
		}},
		{name: "synthetic points", draw: func(rng *rand.Rand) (sample, error) {
			m := pairs.Mixture{Edges: graphs.Complete, Outliers: 8}
			p, err := m.Pair(8+rng.IntN(10), rng)
			return ofPair(p), err
		}},
		{name: "points in the plane", draw: func(rng *rand.Rand) (sample, error) { return points(2, false, uniform(2), rng), nil }},
		{name: "points in space", draw: func(rng *rand.Rand) (sample, error) { return points(3, false, uniform(3), rng), nil }},
		{name: "points around centres", draw: func(rng *rand.Rand) (sample, error) { return points(2, false, clusters(2, rng), rng), nil }},
		{name: "points on a lattice", draw: func(rng *rand.Rand) (sample, error) { return points(2, false, lattice(rng), rng), nil }},
		{name: "points on curves", draw: func(rng *rand.Rand) (sample, error) { return points(2, false, curves(rng), rng), nil }},
		{name: "cauchy kernels", draw: drawn(kindsof.Kind{Dimensions: 2, Density: 1, Kernel: kindsof.KernelCauchy})},
		{name: "kernels in quarters", draw: drawn(kindsof.Kind{Dimensions: 2, Density: 1, Kernel: kindsof.KernelSteps})},
		{name: "affinities in space", draw: drawn(kindsof.Kind{Dimensions: 3, Density: 1})},
		{name: "nearest neighbours", draw: drawn(kindsof.Kind{Dimensions: 2, Joins: kindsof.JoinNearest})},
		{name: "scale-free affinities", draw: drawn(kindsof.Kind{Joins: kindsof.JoinScaleFree})},
	}
	for _, k := range kinds {
		k.name, k.of = k.name+", learned", learned
		kinds = append(kinds, k)
	}
	kinds = append(kinds,
		kind{name: "points with features", draw: func(rng *rand.Rand) (sample, error) { return points(2, true, uniform(2), rng), nil }},
		kind{name: "points on a sphere", draw: func(rng *rand.Rand) (sample, error) { return points(3, false, sphere(rng), rng), nil }},
		kind{name: "points on a sphere, learned", of: learned, draw: func(rng *rand.Rand) (sample, error) { return points(3, false, sphere(rng), rng), nil }},
		kind{name: "points on a helix", held: true, draw: func(rng *rand.Rand) (sample, error) { return points(3, false, helix(rng), rng), nil }},
		kind{name: "points on a helix, learned", held: true, of: learned, draw: func(rng *rand.Rand) (sample, error) { return points(3, false, helix(rng), rng), nil }},
		kind{name: "points in space with features", draw: func(rng *rand.Rand) (sample, error) { return points(3, true, clusters(3, rng), rng), nil }},
	)
	for _, m := range models() {
		first := len(kinds)
		kinds = append(kinds, kind{name: m.name, held: m.held, of: aligned, draw: func(rng *rand.Rand) (sample, error) {
			return split(m.graph(int(statistics.LogBetween(16, 400, rng)), rng), rng), nil
		}})
		if m.held {
			continue
		}
		few := func(rng *rand.Rand) graphs.Graph { return m.graph(12+rng.IntN(50), rng) }
		attributed := func(rng *rand.Rand) (sample, error) { return attributed(few(rng), rng), nil }
		weighted := func(rng *rand.Rand) (sample, error) { return split(weighed(few(rng), rng), rng), nil }
		kinds = append(kinds, kind{name: m.name + " with attributes", draw: attributed}, kind{name: m.name + " with weights", draw: weighted},
			kind{name: m.name + " with words", draw: func(rng *rand.Rand) (sample, error) { return worded(few(rng), rng), nil }},
			kind{name: m.name + " with weights, learned", of: learned, draw: weighted},
			kind{name: m.name + " with attributes, aligned", of: aligned, draw: attributed},
			kind{name: m.name + ", changed", of: aligned, draw: m.changed(1)},
			kind{name: m.name + ", changed twice", of: aligned, draw: m.changed(2)})
		for k := first; k < len(kinds); k++ {
			kinds[k].model = m.name
		}
	}
	return append(kinds, kind{name: "recent citations with words", held: true, draw: func(rng *rand.Rand) (sample, error) {
		return worded(recent(12+rng.IntN(50), rng), rng), nil
	}})
}

// worded are graphs whose nodes have a word, and nothing else.
func worded(g graphs.Graph, rng *rand.Rand) sample {
	s := split(g, rng)
	words(&s, 3+rng.IntN(6), statistics.Between(0.5, 1, rng), rng)
	return s
}

// cores are pairs of which each graph has nodes of its own, a share of what they have in common, and the same without.
func cores() (kinds []kind) {
	for _, name := range []string{"erdos-renyi", "barabasi-albert", "geometric", "trees", "square grids"} {
		at := slices.IndexFunc(models(), func(m model) bool { return m.name == name })
		graph := models()[at].graph
		for _, size := range []int{40, 120, 400} {
			for _, own := range []float64{0, 0.15, 0.375} {
				for _, attributes := range []bool{false, true} {
					if attributes && size > 120 {
						continue
					}
					k := kind{name: fmt.Sprintf("%s %d", name, size), of: aligned}
					if attributes {
						k.name, k.of = k.name+" with attributes", given
					}
					if own > 0 {
						k.name += fmt.Sprintf(" + %.0f", own*float64(size))
					}
					k.draw = func(rng *rand.Rand) (sample, error) {
						share := own / (1 + 2*own)
						p := parting{gone1: share, gone2: share, lost: 0.2 * rng.Float64(), both: rng.IntN(2) == 0}
						s := p.split(graph(int(float64(size)*(1+2*own)+0.5), rng), rng)
						if attributes {
							describe(&s, 1+rng.IntN(2), statistics.LogBetween(0.05, 1, rng), rng)
						}
						return s, nil
					}
					kinds = append(kinds, k)
				}
			}
		}
	}
	return kinds
}

func ofPair(p pairs.Pair) sample { return sample{instance: p.Instance, truth: p.Truth} }

// drawn returns pairs of a kind with sizes, noise, width, outliers that are drawn.
func drawn(k kindsof.Kind) func(rng *rand.Rand) (sample, error) {
	return func(rng *rand.Rand) (sample, error) {
		k := k
		k.Name = "drawn"
		k.Inliers = 8 + rng.IntN(9)
		k.Outliers1, k.Outliers2 = rng.IntN(5), rng.IntN(5)
		k.Noise, k.Width = statistics.LogBetween(0.01, 0.12, rng), statistics.LogBetween(0.06, 0.4, rng)
		p, err := k.Pair(rng)
		return ofPair(p), err
	}
}

// describe gives nodes numbers, with noise between those that match.
func describe(s *sample, width int, noise float64, rng *rand.Rand) {
	vector := func() []float64 {
		v := make([]float64, width)
		for c := range v {
			v[c] = rng.NormFloat64()
		}
		return v
	}
	for range s.g1.Nodes {
		s.g1.Features = append(s.g1.Features, vector())
	}
	for range s.g2.Nodes {
		s.g2.Features = append(s.g2.Features, vector())
	}
	for i, a := range s.truth {
		if a != qap.Unmatched {
			for c := range width {
				s.g2.Features[a][c] = s.g1.Features[i][c] + noise*rng.NormFloat64()
			}
		}
	}
}

// shuffled draws graph 1's order, so that strangers are not the last.
func shuffled(s sample, rng *rand.Rand) sample {
	order, g, truth := rng.Perm(s.g1.Nodes), s.g1, slices.Clone(s.truth)
	g.Points, g.Features, g.Edges = nil, nil, nil
	if s.g1.Points != nil {
		g.Points = make([][]float64, len(order))
	}
	if s.g1.Features != nil {
		g.Features = make([][]float64, len(order))
	}
	for i, at := range order {
		truth[at] = s.truth[i]
		if g.Points != nil {
			g.Points[at] = s.g1.Points[i]
		}
		if g.Features != nil {
			g.Features[at] = s.g1.Features[i]
		}
	}
	for _, e := range s.g1.Edges {
		i, j := order[e.I], order[e.J]
		g.Edges = append(g.Edges, graphs.Edge{I: min(i, j), J: max(i, j)})
	}
	s.g1, s.truth = g, truth
	s.g1.Edges = sorted(s.g1.Edges)
	return s
}

func sorted(edges []graphs.Edge) []graphs.Edge {
	slices.SortFunc(edges, func(x, y graphs.Edge) int {
		if x.I != y.I {
			return x.I - y.I
		}
		return x.J - y.J
	})
	return slices.Compact(edges)
}

// attributed are graphs whose nodes have numbers, and half of them a word.
func attributed(g graphs.Graph, rng *rand.Rand) sample {
	s := split(g, rng)
	describe(&s, 1+rng.IntN(2), statistics.LogBetween(0.05, 1.5, rng), rng)
	if rng.IntN(2) == 0 {
		words(&s, 5, rng.Float64(), rng)
	}
	return s
}

// words gives nodes one of some words, of matches the same to a share.
func words(s *sample, count int, same float64, rng *rand.Rand) {
	word := func() string { return fmt.Sprint("w", int(float64(count)*rng.Float64()*rng.Float64())) }
	one, two := make([]string, s.g1.Nodes), make([]string, s.g2.Nodes)
	for i := range one {
		one[i] = word()
	}
	for a := range two {
		two[a] = word()
	}
	for i, a := range s.truth {
		if a != qap.Unmatched && rng.Float64() < same {
			two[a] = one[i]
		}
	}
	s.g1.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: one}}
	s.g2.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: two}}
}

// weighed gives edges numbers.
func weighed(g graphs.Graph, rng *rand.Rand) graphs.Graph {
	for range g.Edges {
		g.Weights = append(g.Weights, rng.Float64())
	}
	return g
}

// parting says how two graphs are made of one.
type parting struct {
	gone1, gone2 float64 // of the nodes, from one graph alone
	lost         float64 // of the edges, from graph 2 alone, or in both, or for others
	both         bool
	replaced     bool
}

// split makes two graphs of one: some nodes are in one of them only, and edges are lost.
func split(g graphs.Graph, rng *rand.Rand) sample {
	p := parting{lost: statistics.Between(0, 0.3, rng), both: rng.IntN(2) == 0, replaced: rng.IntN(4) == 0}
	switch rng.IntN(5) {
	case 2:
		p.gone2 = statistics.Between(0, 0.3, rng)
	case 3, 4:
		p.gone1, p.gone2 = statistics.Between(0, 0.3, rng), statistics.Between(0, 0.3, rng)
	}
	if rng.IntN(4) == 0 {
		p.lost /= 10
	}
	return p.split(g, rng)
}

func (p parting) split(g graphs.Graph, rng *rand.Rand) sample {
	noise := 0.0
	if g.Weights != nil {
		noise = statistics.LogBetween(0.003, 0.2, rng)
	}
	order := rng.Perm(g.Nodes)
	only1, only2 := int(p.gone2*float64(g.Nodes)), int(p.gone1*float64(g.Nodes))
	at1, at2 := make([]int, g.Nodes), make([]int, g.Nodes)
	n1, n2 := 0, 0
	for k, i := range order {
		at1[i], at2[i] = -1, -1
		if k >= only1 && k < only1+only2 {
			at2[i] = 0
			n2++
			continue
		}
		at1[i] = 0
		n1++
		if k >= only1 {
			at2[i] = 0
			n2++
		}
	}
	number := func(at []int, n int) {
		numbers, k := rng.Perm(n), 0
		for i := range at {
			if at[i] == 0 {
				at[i] = numbers[k]
				k++
			}
		}
	}
	number(at1, n1)
	number(at2, n2)
	s := sample{g1: graphs.Graph{Name: "a", Nodes: n1}, g2: graphs.Graph{Name: "b", Nodes: n2}, truth: qap.NewMatching(n1)}
	for i := range g.Nodes {
		if at1[i] >= 0 {
			s.truth[at1[i]] = qap.Unmatched
			if at2[i] >= 0 {
				s.truth[at1[i]] = at2[i]
			}
		}
	}
	weights := map[*graphs.Graph]map[graphs.Edge]float64{&s.g1: {}, &s.g2: {}}
	add := func(to *graphs.Graph, i, j int, weight float64) {
		if i >= 0 && j >= 0 && i != j {
			e := graphs.Edge{I: min(i, j), J: max(i, j)}
			to.Edges, weights[to][e] = append(to.Edges, e), weight
		}
	}
	for k, e := range g.Edges {
		weight := 0.0
		if g.Weights != nil {
			weight = g.Weights[k]
		}
		if !p.both || rng.Float64() >= p.lost/2 {
			add(&s.g1, at1[e.I], at1[e.J], weight)
		}
		gone := rng.Float64() < p.lost
		if p.both {
			gone = rng.Float64() < p.lost/2
		}
		switch {
		case !gone:
			add(&s.g2, at2[e.I], at2[e.J], weight+noise*rng.NormFloat64())
		case p.replaced:
			add(&s.g2, rng.IntN(n2), rng.IntN(n2), rng.Float64())
		}
	}
	for to, of := range weights {
		to.Edges = sorted(to.Edges)
		for _, e := range to.Edges {
			if g.Weights != nil {
				to.Weights = append(to.Weights, of[e])
			}
		}
	}
	return s
}
