package edit

import "slices"

// pair is a problem as the searches see it: what a matching saves is maximised. Graph 1 is the one with fewer nodes.
// Edges in both directions between two nodes are one, of a type that the two ends see from their sides; loops count
// as part of their nodes. Every node of graph 1 has an image: a node of graph 2, or none, which is n2.
type pair struct {
	swapped  bool // graph 1 of the problem is graph 2 here
	directed bool
	n1, n2   int
	width    int  // n2+1: the last place is none
	partial  bool // some matches save less than nothing, so that none may be better
	total    int  // deletes graph 1 and inserts graph 2

	node    []int32  // [i, a] saved by matching nodes, 0 for none
	edge    []int32  // [type in graph 1, 1 + type in graph 2] saved by matching edges, 0 in the first column
	columns int      // of edge
	most    int32    // the largest of edge
	g1, g2  adjacent // with types as above
	between []uint16 // [a, b] 1 + type of the edge as a sees it, 0 where there is none

	levels levels
	local  interning
}

// adjacent holds the neighbours of each node.
type adjacent struct {
	first []int32 // of each node in arcs, and their end
	arcs  []arc
	types []edgeType
	// turned is the number of each type as the other end sees it.
	turned []int32
}

// arc is a neighbour and how the edge to it looks. In graph 1 row is where the row of the type begins in pair.edge;
// in graph 2 it is the column.
type arc struct{ node, row int32 }

// edgeType is the labels of the edges out of a node and into it, absent where there is none. Without directions
// every edge is out.
type edgeType struct{ out, in int32 }

const absent = -1

func (g *adjacent) of(i int32) []arc { return g.arcs[g.first[i]:g.first[i+1]] }
func (g *adjacent) degree(i int) int { return int(g.first[i+1] - g.first[i]) }

// newPair returns the searches' view of a problem that has been checked, in the memory of p.
func (p *pair) set(problem *Problem) error {
	g1, g2 := problem.Graph1, problem.Graph2
	p.swapped, p.directed = laterOf(g1, g2), g1.Directed
	nodes, edges := savings{problem.Nodes, p.swapped}, savings{problem.Edges, p.swapped}
	if p.swapped {
		g1, g2 = g2, g1
	}
	p.n1, p.n2, p.width = len(g1.Nodes), len(g2.Nodes), len(g2.Nodes)+1
	if err := p.g1.set(g1, &p.local); err != nil {
		return err
	}
	if err := p.g2.set(g2, &p.local); err != nil {
		return err
	}
	p.setEdges(edges)
	p.setNodes(g1, g2, nodes, edges)
	p.setBetween()
	p.levels.set(p)
	p.total = nodes.all(g1, g2) + edges.edges(g1, g2)
	return nil
}

// laterOf reports whether a pair has graph 1 in second place: the smaller graph is first, or what comes first by its
// edges, so that the order in which the graphs are given hardly matters.
func laterOf(g1, g2 *Graph) bool {
	if d := len(g1.Nodes) - len(g2.Nodes); d != 0 {
		return d > 0
	}
	return slices.CompareFunc(g1.Edges, g2.Edges, func(e, f Edge) int {
		if d := e.From - f.From; d != 0 {
			return int(d)
		}
		return int(e.To - f.To)
	}) > 0
}

// savings reads costs from either side.
type savings struct {
	*Costs
	swapped bool
}

func (s savings) of(x, y int32) int32 {
	if s.swapped {
		x, y = y, x
	}
	return s.saved(x, y)
}

// sides returns what elements of the first and of the second graph cost alone.
func (s savings) sides() (first, second []int32) {
	if s.swapped {
		return s.Insert, s.Delete
	}
	return s.Delete, s.Insert
}

func (s savings) all(g1, g2 *Graph) int {
	first, second, sum := 0, 0, 0
	one, two := s.sides()
	for _, l := range g1.Nodes {
		first += int(one[l])
	}
	for _, l := range g2.Nodes {
		second += int(two[l])
	}
	sum = first + second
	return sum
}

func (s savings) edges(g1, g2 *Graph) (sum int) {
	one, two := s.sides()
	for _, e := range g1.Edges {
		sum += int(one[e.Label])
	}
	for _, e := range g2.Edges {
		sum += int(two[e.Label])
	}
	return sum
}

func (p *pair) setEdges(s savings) {
	p.columns, p.most = len(p.g2.types)+1, 0
	p.edge = resized(p.edge, len(p.g1.types)*p.columns)
	part := func(x, y int32) int32 {
		if x == absent || y == absent {
			return 0
		}
		return max(0, s.of(x, y))
	}
	for x, t := range p.g1.types {
		p.edge[x*p.columns] = 0
		for y, u := range p.g2.types {
			saved := part(t.out, u.out) + part(t.in, u.in)
			p.edge[x*p.columns+1+y] = saved
			p.most = max(p.most, saved)
		}
	}
	for k := range p.g1.arcs {
		p.g1.arcs[k].row *= int32(p.columns)
	}
	for k := range p.g2.arcs {
		p.g2.arcs[k].row++
	}
}

func (p *pair) setNodes(g1, g2 *Graph, nodes, edges savings) {
	p.node = resized(p.node, p.n1*p.width)
	p.partial = false
	for i, x := range g1.Nodes {
		row := p.node[i*p.width : (i+1)*p.width]
		for a, y := range g2.Nodes {
			row[a] = nodes.of(x, y)
		}
		row[p.n2] = 0
	}
	p.addLoops(g1, g2, edges)
	for i := range p.n1 {
		// What saves less than all edges of a node can make good is never matched: a small number for it suffices.
		least := -1 - p.most*int32(p.g1.degree(i))
		row := p.node[i*p.width:][:p.n2]
		for a, saved := range row {
			if saved < 0 {
				p.partial, row[a] = true, max(saved, least)
			}
		}
	}
}

func (p *pair) addLoops(g1, g2 *Graph, edges savings) {
	for _, e := range g1.Edges {
		if e.From != e.To {
			continue
		}
		for _, f := range g2.Edges {
			if f.From == f.To {
				p.node[int(e.From)*p.width+int(f.From)] += max(0, edges.of(e.Label, f.Label))
			}
		}
	}
}

func (p *pair) setBetween() {
	p.between = resized(p.between, p.width*p.width)
	clear(p.between)
	for a := range p.n2 {
		for _, arc := range p.g2.of(int32(a)) {
			p.between[a*p.width+int(arc.node)] = uint16(arc.row)
		}
	}
}

// saved is what a map of nodes saves.
func (p *pair) saved(image []int32) int {
	sum := 0
	for i, a := range image {
		sum += int(p.node[i*p.width+int(a)])
		for _, arc := range p.g1.of(int32(i)) {
			if int(arc.node) > i {
				sum += int(p.edge[int(arc.row)+int(p.between[int(a)*p.width+int(image[arc.node])])])
			}
		}
	}
	return sum
}

// usual is the mean over edges of graph 1 of the most that each can save: what temperatures are measured by.
func (p *pair) usual() float64 {
	sum := 0
	for _, arc := range p.g1.arcs {
		sum += int(slices.Max(p.edge[arc.row:][:p.columns]))
	}
	if sum == 0 {
		return 1
	}
	return float64(sum) / float64(len(p.g1.arcs))
}

// result returns a map of the problem's nodes, in the problem's order.
func (p *pair) result(image []int32) []int {
	if !p.swapped {
		of := make([]int, p.n1)
		for i, a := range image {
			if of[i] = int(a); int(a) == p.n2 {
				of[i] = None
			}
		}
		return of
	}
	of := make([]int, p.n2)
	for a := range of {
		of[a] = None
	}
	for i, a := range image {
		if int(a) < p.n2 {
			of[a] = i
		}
	}
	return of
}

// resized returns a slice of a length, in the memory of old where that suffices, with any content.
func resized[E any](old []E, length int) []E {
	if cap(old) >= length {
		return old[:length]
	}
	return make([]E, length, length+length/4)
}
