package edit

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// interning gives the types of edges numbers, and finds what is between two nodes.
type interning struct {
	place []int32 // 1 + number by label, of graphs without directions
	both  map[edgeType]int32
	seen  []int32 // 1 + arc by node
	next  []int32
}

var errParallel = errors.New("two edges between the same nodes: an edit distance takes one, or one in each direction of a directed graph")

// set makes the lists of a graph, whose arcs have the number of their type for a row.
func (g *adjacent) set(of *Graph, local *interning) error {
	n := len(of.Nodes)
	g.first = resized(g.first, n+2)
	clear(g.first)
	for _, e := range of.Edges {
		if e.From != e.To {
			g.first[e.From+1]++
			g.first[e.To+1]++
		}
	}
	for i := range n + 1 { // none, the last, has no neighbours
		g.first[i+1] += g.first[i]
	}
	local.next = append(local.next[:0], g.first[:n]...)
	g.arcs = resized(g.arcs, int(g.first[n]))
	for k, e := range of.Edges {
		if e.From != e.To {
			g.arcs[local.next[e.From]] = arc{e.To, int32(k)}
			g.arcs[local.next[e.To]] = arc{e.From, ^int32(k)}
			local.next[e.From]++
			local.next[e.To]++
		}
	}
	if of.Directed {
		if err := g.join(of, local); err != nil {
			return err
		}
	} else if err := g.simple(of, local); err != nil {
		return err
	}
	g.turn(of.Directed)
	if len(g.types) >= math.MaxUint16 {
		return fmt.Errorf("%d labels of edges are %w", len(g.types), ErrTooLarge)
	}
	return checkLoops(of, local)
}

func checkLoops(of *Graph, local *interning) error {
	local.seen = resized(local.seen, len(of.Nodes))
	clear(local.seen)
	for _, e := range of.Edges {
		if e.From == e.To {
			if local.seen[e.From]++; local.seen[e.From] > 1 {
				return fmt.Errorf("node %d: %w", e.From, errParallel)
			}
		}
	}
	return nil
}

// simple gives arcs without directions the number of their label.
func (g *adjacent) simple(of *Graph, local *interning) error {
	g.types = g.types[:0]
	largest := int32(-1)
	for _, e := range of.Edges {
		largest = max(largest, e.Label)
	}
	local.place = resized(local.place, int(largest+1))
	clear(local.place)
	local.seen = resized(local.seen, len(of.Nodes))
	clear(local.seen)
	for i := range of.Nodes {
		arcs := g.of(int32(i))
		for k, to := range arcs {
			if local.seen[to.node] == int32(i)+1 {
				return fmt.Errorf("nodes %d and %d: %w", i, to.node, errParallel)
			}
			local.seen[to.node] = int32(i) + 1
			edge := to.row
			if edge < 0 {
				edge = ^edge
			}
			label := of.Edges[edge].Label
			if local.place[label] == 0 {
				g.types = append(g.types, edgeType{label, absent})
				local.place[label] = int32(len(g.types))
			}
			arcs[k].row = local.place[label] - 1
		}
	}
	return nil
}

// join makes one arc of those in both directions, and gives it the number of its type.
func (g *adjacent) join(of *Graph, local *interning) error {
	g.types = g.types[:0]
	if local.both == nil {
		local.both = map[edgeType]int32{}
	}
	clear(local.both)
	local.seen = resized(local.seen, len(of.Nodes))
	clear(local.seen)
	kept := int32(0)
	for i := range of.Nodes {
		begin, end := g.first[i], g.first[i+1]
		g.first[i] = kept
		begun := kept
		types := make([]edgeType, 0, 8)
		for _, to := range g.arcs[begin:end] {
			at := local.seen[to.node] - 1
			if at < begun {
				at = kept
				local.seen[to.node] = at + 1
				g.arcs[at] = arc{node: to.node}
				types = append(types, edgeType{absent, absent})
				kept++
			}
			t := &types[at-begun]
			side, edge := &t.out, to.row
			if edge < 0 {
				side, edge = &t.in, ^edge
			}
			if *side != absent {
				return fmt.Errorf("nodes %d and %d: %w", i, to.node, errParallel)
			}
			*side = of.Edges[edge].Label
		}
		for k, t := range types {
			number, known := local.both[t]
			if !known {
				number = int32(len(g.types))
				local.both[t] = number
				g.types = append(g.types, t)
			}
			g.arcs[int(begun)+k].row = number
		}
	}
	g.first[len(of.Nodes)], g.first[len(of.Nodes)+1] = kept, kept
	g.arcs = slices.Delete(g.arcs, int(kept), len(g.arcs))
	return nil
}

// turn finds the type of each type seen from the other end.
func (g *adjacent) turn(directed bool) {
	g.turned = resized(g.turned, len(g.types))
	for x, t := range g.types {
		g.turned[x] = int32(x)
		if directed {
			g.turned[x] = int32(slices.Index(g.types, edgeType{t.in, t.out}))
		}
	}
}
