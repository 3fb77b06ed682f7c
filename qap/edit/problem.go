package edit

import (
	"errors"
	"fmt"
	"math"
)

// A Graph has nodes 0, 1, … with labels, and edges with labels.
type Graph struct {
	Nodes    []int32 // the label of each node
	Edges    []Edge  // two nodes have at most one edge, or one in each direction; an edge from a node to itself is a loop
	Directed bool
}

// An Edge goes between two nodes; which is From matters where the graph is directed.
type Edge struct{ From, To, Label int32 }

// Costs are what edits of nodes cost, or of edges, by their labels.
type Costs struct {
	Delete     []int32 // by label of graph 1
	Insert     []int32 // by label of graph 2
	Substitute []int32 // [label of graph 1, label of graph 2]

	checked bool
}

// Check returns an error where the costs are none. Costs that it finds right, and that do not change any more, are not
// looked at again, so that many problems can have the same ones.
func (c *Costs) Check() error {
	err := c.check("edit")
	c.checked = err == nil
	return err
}

// A Problem asks for the edit distance of two graphs, which are both directed or both not.
type Problem struct {
	Graph1, Graph2 *Graph
	Nodes, Edges   *Costs
}

// MostCost is how much deleting graph 1 and inserting graph 2 may cost together.
const MostCost = 1 << 26

// mostPairs bounds n1·n2 and n2², by which memory grows.
const mostPairs = 1 << 26

// ErrTooLarge is wrapped by errors about graphs with too many nodes, or costs that are too high for the search's
// integers.
var ErrTooLarge = errors.New("too large for an edit distance")

// None stands for no node: what a node is mapped to that is deleted.
const None = -1

// Check returns an error where a graph or a table of costs is not what the types' comments say.
func (p *Problem) Check() error {
	if p.Graph1.Directed != p.Graph2.Directed {
		return errors.New("one graph is directed, the other is not: make both alike")
	}
	n1, n2 := len(p.Graph1.Nodes), len(p.Graph2.Nodes)
	if most := max(n1, n2) + 1; most > mostPairs/most {
		return fmt.Errorf("graphs of %d and %d nodes are %w", n1, n2, ErrTooLarge)
	}
	for _, c := range []struct {
		costs *Costs
		of    string
	}{{p.Nodes, "node"}, {p.Edges, "edge"}} {
		if c.costs.checked {
			continue
		}
		if err := c.costs.check(c.of); err != nil {
			return err
		}
	}
	total := int64(0)
	for side, g := range []*Graph{p.Graph1, p.Graph2} {
		cost, err := g.check(p.Nodes.alone(side), p.Edges.alone(side))
		if err != nil {
			return fmt.Errorf("graph %d: %w", side+1, err)
		}
		total += cost
	}
	if total > MostCost {
		return fmt.Errorf("deleting graph 1 and inserting graph 2 costs %d units, more than %d: it is %w; use a coarser unit",
			total, MostCost, ErrTooLarge)
	}
	return nil
}

// alone returns the costs of what has no partner: of graph 1 (side 0), or of graph 2.
func (c *Costs) alone(side int) []int32 {
	if side == 0 {
		return c.Delete
	}
	return c.Insert
}

func (c *Costs) check(of string) error {
	if len(c.Substitute) != len(c.Delete)*len(c.Insert) {
		return fmt.Errorf("%s costs: %d substitutions of %d × %d labels", of, len(c.Substitute), len(c.Delete), len(c.Insert))
	}
	for _, list := range [][]int32{c.Delete, c.Insert, c.Substitute} {
		for _, cost := range list {
			if cost < 0 {
				return fmt.Errorf("%s costs: %d is negative", of, cost)
			}
		}
	}
	return nil
}

// check returns what the graph costs without a partner.
func (g *Graph) check(nodes, edges []int32) (cost int64, err error) {
	for i, l := range g.Nodes {
		if l < 0 || int(l) >= len(nodes) {
			return 0, fmt.Errorf("node %d: there are no costs of label %d", i, l)
		}
		cost += int64(nodes[l])
	}
	for k, e := range g.Edges {
		if e.From < 0 || e.To < 0 || int(e.From) >= len(g.Nodes) || int(e.To) >= len(g.Nodes) {
			return 0, fmt.Errorf("edge %d is between %d and %d, but there are %d nodes", k, e.From, e.To, len(g.Nodes))
		}
		if e.Label < 0 || int(e.Label) >= len(edges) {
			return 0, fmt.Errorf("edge %d: there are no costs of label %d", k, e.Label)
		}
		cost += int64(edges[e.Label])
	}
	return cost, nil
}

// Swapped returns the problem with the graphs in the other order: deleting costs what inserting did.
func (p *Problem) Swapped() *Problem {
	return &Problem{Graph1: p.Graph2, Graph2: p.Graph1, Nodes: p.Nodes.swapped(), Edges: p.Edges.swapped()}
}

func (c *Costs) swapped() *Costs {
	s := &Costs{Delete: c.Insert, Insert: c.Delete, Substitute: make([]int32, len(c.Substitute))}
	for x := range c.Delete {
		for y := range c.Insert {
			s.Substitute[y*len(c.Delete)+x] = c.Substitute[x*len(c.Insert)+y]
		}
	}
	return s
}

// saved is what matching labels x and y saves over deleting and inserting; less than 0 where that is dearer.
func (c *Costs) saved(x, y int32) int32 {
	return c.Delete[x] + c.Insert[y] - min(c.Substitute[int(x)*len(c.Insert)+int(y)], math.MaxInt32/4)
}

// A Change is an edit of a node or of an edge: elements of both graphs where one is kept or substituted, None in graph
// 2 where it is deleted, None in graph 1 where it is inserted.
type Change struct {
	Edge          bool
	First, Second int // nodes, or places in the lists of edges
	Cost          int
}

// Path returns the edits that a map of nodes stands for, nodes before edges, and their cost: every node and every
// edge is in it once. An edge between matched nodes that is cheaper to delete and insert is.
func (p *Problem) Path(of []int) (path []Change, cost int) {
	add := func(edge bool, first, second int, c int32) {
		path = append(path, Change{Edge: edge, First: first, Second: second, Cost: int(c)})
		cost += int(c)
	}
	g1, g2 := p.Graph1, p.Graph2
	inserted := make([]bool, len(g2.Nodes))
	for a := range inserted {
		inserted[a] = true
	}
	for i, a := range of {
		if a == None {
			add(false, i, None, p.Nodes.Delete[g1.Nodes[i]])
			continue
		}
		inserted[a] = false
		add(false, i, a, p.Nodes.Substitute[int(g1.Nodes[i])*len(p.Nodes.Insert)+int(g2.Nodes[a])])
	}
	for a, l := range g2.Nodes {
		if inserted[a] {
			add(false, None, a, p.Nodes.Insert[l])
		}
	}
	at := make(map[[2]int]int, len(g2.Edges))
	for k, e := range g2.Edges {
		at[g2.key(int(e.From), int(e.To))] = k
	}
	matched := make([]bool, len(g2.Edges))
	for k, e := range g1.Edges {
		second, has := 0, false
		if from, to := of[e.From], of[e.To]; from != None && to != None {
			second, has = at[g2.key(from, to)]
		}
		if has && p.Edges.saved(e.Label, g2.Edges[second].Label) >= 0 {
			matched[second] = true
			add(true, k, second, p.Edges.Substitute[int(e.Label)*len(p.Edges.Insert)+int(g2.Edges[second].Label)])
			continue
		}
		add(true, k, None, p.Edges.Delete[e.Label])
	}
	for k, e := range g2.Edges {
		if !matched[k] {
			add(true, None, k, p.Edges.Insert[e.Label])
		}
	}
	return path, cost
}

// key is the same for both directions of an edge that has none.
func (g *Graph) key(from, to int) [2]int {
	if !g.Directed && from > to {
		return [2]int{to, from}
	}
	return [2]int{from, to}
}
