package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
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

// kind draws pairs. Those held out had no part in the maps.
type kind struct {
	name  string
	held  bool
	share float64 // of the pairs that are asked for
	draw  func(rng *rand.Rand) (sample, error)
}

// all returns the kinds, of aligned graphs too.
func all() []kind {
	kinds := []kind{
		{name: "affinities of every sort", share: 8, draw: func(rng *rand.Rand) (sample, error) {
			p, err := kindsof.Broad{}.Pair(6+rng.IntN(20), rng)
			return ofPair(p), err
		}},
		{name: "synthetic points", share: 4, draw: func(rng *rand.Rand) (sample, error) {
			m := pairs.Mixture{Edges: graphs.Complete, Outliers: 8}
			p, err := m.Pair(8+rng.IntN(10), rng)
			return ofPair(p), err
		}},
		{name: "points in the plane", share: 6, draw: func(rng *rand.Rand) (sample, error) { return points(2, false, rng), nil }},
		{name: "points with features", share: 2, draw: func(rng *rand.Rand) (sample, error) { return points(2, true, rng), nil }},
		{name: "graphs with attributes", share: 2, draw: func(rng *rand.Rand) (sample, error) { return attributed("erdos-renyi", rng) }},
		{name: "graphs with attributes, by growth", share: 2, draw: func(rng *rand.Rand) (sample, error) { return attributed("barabasi-albert", rng) }},
		{name: "cauchy kernels", held: true, draw: drawn(kindsof.Kind{Dimensions: 2, Density: 1, Kernel: kindsof.KernelCauchy})},
		{name: "kernels in quarters", held: true, draw: drawn(kindsof.Kind{Dimensions: 2, Density: 1, Kernel: kindsof.KernelSteps})},
		{name: "affinities in space", held: true, draw: drawn(kindsof.Kind{Dimensions: 3, Density: 1})},
		{name: "nearest neighbours", share: 2, draw: drawn(kindsof.Kind{Dimensions: 2, Joins: kindsof.JoinNearest})},
		{name: "scale-free affinities", share: 2, draw: drawn(kindsof.Kind{Joins: kindsof.JoinScaleFree})},
		{name: "points in space", held: true, draw: func(rng *rand.Rand) (sample, error) { return points(3, false, rng), nil }},
		{name: "small worlds with attributes", share: 1.5, draw: func(rng *rand.Rand) (sample, error) { return attributed("watts-strogatz", rng) }},
		{name: "blocks", held: true, draw: func(rng *rand.Rand) (sample, error) { return split(blocks(rng), rng), nil }},
		{name: "caves", held: true, draw: func(rng *rand.Rand) (sample, error) { return split(caves(rng), rng), nil }},
		{name: "triangular grids", share: 0.6, draw: func(rng *rand.Rand) (sample, error) { return split(grid(true, rng), rng), nil }},
		{name: "square grids", held: true, draw: func(rng *rand.Rand) (sample, error) { return split(grid(false, rng), rng), nil }},
		{name: "duplication and divergence", held: true, draw: func(rng *rand.Rand) (sample, error) { return split(duplicated(rng), rng), nil }},
		{name: "triangulations", held: true, draw: func(rng *rand.Rand) (sample, error) { return split(triangulated(rng), rng), nil }},
		{name: "scale-free clusters", held: true, draw: func(rng *rand.Rand) (sample, error) { return split(clustered(rng), rng), nil }},
		{name: "geometric graphs with attributes", held: true, draw: func(rng *rand.Rand) (sample, error) { return attributed("geometric", rng) }},
	}
	for _, model := range networks.Kinds() {
		kinds = append(kinds, kind{name: model, share: 0.6, draw: func(rng *rand.Rand) (sample, error) {
			g, err := network(model, rng)
			return split(g, rng), err
		}})
	}
	return append(kinds, kind{name: "trees", share: 0.6, draw: func(rng *rand.Rand) (sample, error) { return split(tree(rng), rng), nil }},
		kind{name: "regular graphs", share: 0.4, draw: func(rng *rand.Rand) (sample, error) { return split(regular(rng), rng), nil }})
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

// points are moved, turned, and seen with strangers.
func points(dimensions int, features bool, rng *rand.Rand) sample {
	n, strangers1, strangers2 := 6+rng.IntN(15), 0, 0
	if rng.IntN(3) > 0 {
		strangers1, strangers2 = rng.IntN(n/2), rng.IntN(n/2)
	}
	noise := statistics.LogBetween(0.003, 0.1, rng)
	one := sample{g1: graphs.Graph{Name: "a", Nodes: n + strangers1}, g2: graphs.Graph{Name: "b", Nodes: n + strangers2}, truth: qap.NewMatching(n + strangers1)}
	point := func() []float64 {
		p := make([]float64, dimensions)
		for d := range p {
			p[d] = rng.Float64()
		}
		return p
	}
	cluster := rng.IntN(4) == 0
	centres := [][]float64{point(), point(), point()}
	for range n + strangers1 {
		p := point()
		if cluster {
			for d, c := range centres[rng.IntN(3)] {
				p[d] = c + 0.15*rng.NormFloat64()
			}
		}
		one.g1.Points = append(one.g1.Points, p)
	}
	order := rng.Perm(n + strangers2)
	one.g2.Points = make([][]float64, n+strangers2)
	sin, cos := math.Sincos(rng.Float64() * 6)
	for k, at := range order {
		p := point()
		if k < n {
			one.truth[k] = at
			for d, x := range one.g1.Points[k] {
				p[d] = x + noise*rng.NormFloat64()
			}
		}
		p[0], p[1] = cos*p[0]-sin*p[1], sin*p[0]+cos*p[1]
		one.g2.Points[at] = p
	}
	if features {
		width := 1 + rng.IntN(4)
		describe(&one, width, statistics.LogBetween(0.1, 1, rng), rng)
	}
	return shuffled(one, rng)
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

func network(model string, rng *rand.Rand) (graphs.Graph, error) {
	return networks.Generate(model, 30+rng.IntN(200), statistics.Between(3, 12, rng), rng.Uint64())
}

// attributed are graphs whose nodes have numbers and a word.
func attributed(model string, rng *rand.Rand) (sample, error) {
	g, err := networks.Generate(model, 15+rng.IntN(50), statistics.Between(2.5, 6, rng), rng.Uint64())
	s := split(g, rng)
	describe(&s, 1+rng.IntN(2), statistics.LogBetween(0.05, 1.5, rng), rng)
	if rng.IntN(2) == 0 {
		kept := rng.Float64()
		word := func() string { return fmt.Sprint("w", rng.IntN(5)) }
		one, two := make([]string, s.g1.Nodes), make([]string, s.g2.Nodes)
		for i := range one {
			one[i] = word()
		}
		for a := range two {
			two[a] = word()
		}
		for i, a := range s.truth {
			if a != qap.Unmatched && rng.Float64() < kept {
				two[a] = one[i]
			}
		}
		s.g1.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: one}}
		s.g2.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: two}}
	}
	return s, err
}

// split makes two graphs of one: some nodes are in one of them only, and edges are lost, in one or in both, or
// others come in their place.
func split(g graphs.Graph, rng *rand.Rand) sample {
	gone1, gone2 := 0.0, 0.0
	switch rng.IntN(3) {
	case 1:
		gone2 = statistics.Between(0, 0.25, rng)
	case 2:
		gone1, gone2 = statistics.Between(0, 0.3, rng), statistics.Between(0, 0.3, rng)
	}
	lost, both, replaced := statistics.Between(0, 0.3, rng), rng.IntN(2) == 0, rng.IntN(4) == 0
	order := rng.Perm(g.Nodes)
	only1, only2 := int(gone2*float64(g.Nodes)), int(gone1*float64(g.Nodes))
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
	add := func(to *graphs.Graph, i, j int) {
		if i >= 0 && j >= 0 && i != j {
			to.Edges = append(to.Edges, graphs.Edge{I: min(i, j), J: max(i, j)})
		}
	}
	for _, e := range g.Edges {
		if !both || rng.Float64() >= lost/2 {
			add(&s.g1, at1[e.I], at1[e.J])
		}
		gone := rng.Float64() < lost
		if both {
			gone = rng.Float64() < lost/2
		}
		switch {
		case !gone:
			add(&s.g2, at2[e.I], at2[e.J])
		case replaced:
			add(&s.g2, rng.IntN(n2), rng.IntN(n2))
		}
	}
	s.g1.Edges, s.g2.Edges = sorted(s.g1.Edges), sorted(s.g2.Edges)
	return s
}
