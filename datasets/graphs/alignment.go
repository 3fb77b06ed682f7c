package graphs

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/rgm-go/rgm/qap/align"
)

// Structure returns the edges of a graph, and their weights, as package align takes them.
func (g *Graph) Structure() (*align.Graph, error) { return g.structure(g.Weights, g.Directed) }

func (g *Graph) structure(weights []float64, directed bool) (*align.Graph, error) {
	s, err := align.NewGraph(g.Nodes, len(g.Edges), func(k int) (i, j int) { return g.Edges[k].I, g.Edges[k].J }, weights, directed)
	if err != nil {
		return nil, fmt.Errorf("graphs: %s: %w", cmp.Or(g.Name, "a graph"), err)
	}
	return s, nil
}

// fewNodes is up to how many nodes graphs with attributes are compared by affinities of all
// pairs of edges, if these are at most fewPairs: more take long to be made.
const fewNodes, fewPairs = 300, maxPairs / 2

// Aligns returns why two graphs are better aligned by their structure than compared by
// affinities, in words; "" where they are not. What the design demands of affinities counts.
func (d Design) Aligns(g1, g2 *Graph) string {
	own := d.Joins.Rule != JoinAuto && d.Joins.Rule != JoinGiven || cmp.Or(d.Kernel, KernelAuto) != KernelAuto || cmp.Or(d.Scale, ScaleAuto) != ScaleAuto
	if own || g1.Edges == nil || g2.Edges == nil {
		return ""
	}
	n, pairs := max(g1.Nodes, g2.Nodes), float64(len(g1.Edges))*float64(len(g2.Edges))
	switch {
	case Plain(g1, g2):
		return "nodes and edges have no attributes that both graphs share"
	case n > fewNodes:
		return fmt.Sprintf("%d nodes are more than %d", n, fewNodes)
	case pairs > cmp.Or(d.MostPairs, fewPairs):
		return fmt.Sprintf("%.3g pairs of edges are more than %.3g", pairs, cmp.Or(d.MostPairs, fewPairs))
	}
	return ""
}

// Plain reports whether two graphs have edges, and nothing but them and their weights to compare.
func Plain(g1, g2 *Graph) bool {
	attributes := func(g *Graph) bool {
		return g.Features != nil || g.NodeWords != nil || g.Points != nil || g.Relation != nil || g.EdgeWords != nil
	}
	return g1.Edges != nil && g2.Edges != nil && !(attributes(g1) && attributes(g2))
}

// Alignment is the problem of aligning two graphs.
type Alignment struct {
	align.Problem
	About  string   // what is compared, in words
	Unused []string // what the graphs have and is not compared, in words
}

// nearestNodes is how many nodes of graph 2 are like one of graph 1 by their attributes.
const nearestNodes = 10

// Alignment returns the problem of aligning two graphs by their edges, with pairs that are
// known and similarities, nil for none. Weights and directions count where both have them,
// attributes of nodes as similarities where both have them and none are given.
func (d Design) Alignment(g1, g2 Graph, known []Pair) (a Alignment, err error) {
	if err := cmp.Or(g1.Check(), g2.Check()); err != nil {
		return a, err
	}
	if g1.Edges == nil || g2.Edges == nil {
		return a, fmt.Errorf("graphs: %s has no edges: an alignment goes by them", without(&g1, &g2, func(g *Graph) bool { return g.Edges != nil }))
	}
	if a.Unused, err = byName(&g1, &g2); err != nil {
		return a, err
	}
	weighted, directed := g1.Weights != nil && g2.Weights != nil, g1.Directed && g2.Directed
	a.leaveOut(&g1, weighted, directed)
	a.leaveOut(&g2, weighted, directed)
	for _, side := range []struct {
		of *Graph
		to **align.Graph
	}{{&g1, &a.A}, {&g2, &a.B}} {
		weights := side.of.Weights
		if !weighted {
			weights = nil
		}
		if *side.to, err = side.of.structure(weights, directed); err != nil {
			return a, err
		}
	}
	a.About = fmt.Sprintf("aligned by structure: %d and %d nodes, %d and %d edges", g1.Nodes, g2.Nodes, a.A.Edges(), a.B.Edges())
	if weighted {
		a.About += " with weights"
	}
	if directed {
		a.About += " and directions"
	}
	for _, k := range known {
		a.Known = append(a.Known, align.Pair(k))
	}
	if len(known) > 0 {
		a.About += fmt.Sprintf("; known pairs: %d", len(known))
	}
	for _, s := range d.Similar {
		a.Similar = append(a.Similar, align.Similar{Pair: align.Pair(s.Pair), Score: s.Score})
	}
	if len(d.Similar) > 0 {
		a.About += fmt.Sprintf("; similarities of nodes: %d", len(d.Similar))
	} else if x, y := vectorsOf(&g1), vectorsOf(&g2); x != nil && y != nil {
		a.Similar = align.Nearest(x, y, nearestNodes)
		a.About += "; similarities of nodes by their attributes"
	}
	return a, nil
}

// leaveOut notes what an alignment does not use of a graph.
func (a *Alignment) leaveOut(g *Graph, weighted, directed bool) {
	var out []string
	for name, left := range map[string]bool{
		"coordinates": g.Points != nil, "weights": g.Weights != nil && !weighted, "directions of edges": g.Directed && !directed,
		"attributes of edges": g.Relation != nil || g.EdgeWords != nil,
	} {
		if left {
			out = append(out, name)
		}
	}
	if len(out) > 0 {
		a.Unused = append(a.Unused, fmt.Sprintf("%s of %s", strings.Join(out, ", "), cmp.Or(g.Name, "a graph")))
	}
}

// vectorsOf returns the attributes of the nodes as numbers, nil where there are none: words
// become random vectors, the same for the same word.
func vectorsOf(g *Graph) [][]float64 {
	if g.Features == nil && g.NodeWords == nil {
		return nil
	}
	const length = 3
	all := make([][]float64, g.Nodes)
	for i := range all {
		if g.Features != nil {
			all[i] = append(all[i], g.Features[i]...)
		}
		for _, a := range g.NodeWords {
			sum := fnv.New64a()
			sum.Write([]byte(a.Values[i]))
			rng := rand.New(rand.NewPCG(sum.Sum64(), 0))
			for range length {
				all[i] = append(all[i], rng.NormFloat64()/math.Sqrt(length))
			}
		}
	}
	return all
}
