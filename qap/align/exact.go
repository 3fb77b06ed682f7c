package align

import (
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/rgm-go/rgm/internal/splitmix"
	"github.com/rgm-go/rgm/qap/isomorphism"
)

// ByIsomorphism is what finds that two graphs are the same but for the numbers of their nodes.
const ByIsomorphism = "isomorphism"

const (
	exactShare = 0.3        // of a time limit, that looking for an isomorphism may take
	exactWork  = 50         // entries of rows for each trial of swaps, where these limit the search
	mostScores = 20_000_000 // pairs of nodes whose attributes are compared for a proof
)

// isomorphism keeps a bijection that takes edges to edges of the same weights, known nodes to known ones, and nodes to
// nodes of the same attributes, if there is one. No matching shares more edges; where that is all that counts, or
// no node has an attribute that suits another better, the bijection is the optimum.
func (e *engine) isomorphism(ctx context.Context, o *Options) {
	if e.a.Nodes() != e.b.Nodes() || e.a.Edges() != e.b.Edges() || e.similar.start != nil && e.nodeWeight != 0 || !sameDegrees(e.a, e.b) {
		return
	}
	options := isomorphism.Options{NoGroup: true, Over: func() bool { return e.watch.Over() || e.spent(o) > exactShare }}
	if o.MaxSteps > 0 {
		options.MaxWork = min(isomorphism.DefaultWork, exactWork*o.MaxSteps)
	}
	g1, g2 := e.coloured()
	found := e.problem.Begin // may be one that keeps more than is aligned
	if found == nil || !g1.Carries(g2, found) {
		r := isomorphism.Compare(ctx, g1, g2, options)
		if r.Verdict != isomorphism.Isomorphic {
			return
		}
		found = r.Matching
	}
	m := narrow(found)
	score := e.value(m)
	if e.keep(m, score, ByIsomorphism); score == e.bestScore { // of equals this one, which is more than a start
		copy(e.best, m)
		e.foundBy = ByIsomorphism
	}
	if e.suits(m) {
		e.bound = min(e.bound, score)
	}
}

// suits reports whether no node of graph 2 suits a node of graph 1 better than its partner does, apart from edges.
func (e *engine) suits(m matching) bool {
	if !e.hasTerms() {
		return true
	}
	if len(m)*len(m) > mostScores {
		return false
	}
	for i, j := range m {
		own := e.term(i, int(j))
		for k := range m {
			if e.term(i, k) > own && e.problem.May(i, k) {
				return false
			}
		}
		if i%rowsBetweenLooks == 0 && e.watch.Over() {
			return false
		}
	}
	return true
}

// sameDegrees reports whether equally many nodes of both graphs have each degree.
func sameDegrees(g1, g2 *Graph) bool {
	more := make([]int32, g1.Nodes()+1)
	for i := range g1.Nodes() {
		more[g1.Degree(i)]++
		more[g2.Degree(i)]--
	}
	for _, count := range more {
		if count != 0 {
			return false
		}
	}
	return true
}

// coloured returns the graphs with all that tells their nodes and edges apart.
func (e *engine) coloured() (g1, g2 *isomorphism.Graph) {
	colours1, colours2 := e.nodeColours()
	weighted := e.a.out != nil || e.b.out != nil
	return e.a.coloured(colours1, weighted), e.b.coloured(colours2, weighted)
}

// nodeColours returns numbers of the nodes that are equal where nothing but edges tells them apart, nil where all are.
func (e *engine) nodeColours() (of1, of2 []uint64) {
	at := e.attributes
	if at == nil && len(e.problem.Known) == 0 && e.members == nil {
		return nil, nil
	}
	of1, of2 = make([]uint64, e.a.Nodes()), make([]uint64, e.b.Nodes())
	if at != nil {
		row := func(of []float32, i int) (c uint64) {
			for _, x := range of[i*at.Width : (i+1)*at.Width] {
				c = splitmix.Mix(c ^ uint64(math.Float32bits(x)))
			}
			return c
		}
		for i := range of1 {
			of1[i] = row(at.X, i)
		}
		for j := range of2 {
			of2[j] = row(at.Y, j)
		}
	}
	for i, class := range e.problem.Class1 {
		of1[i] = splitmix.Mix(of1[i] + uint64(class))
	}
	for j, class := range e.problem.Class2 {
		of2[j] = splitmix.Mix(of2[j] + uint64(class))
	}
	for k, pair := range e.problem.Known {
		of1[pair.I] = splitmix.Mix(^uint64(k))
		of2[pair.J] = splitmix.Mix(^uint64(k))
	}
	return of1, of2
}

// coloured returns the graph with colours of its nodes, nil for none, and the weights of its edges as colours.
func (g *Graph) coloured(nodes []uint64, weighted bool) *isomorphism.Graph {
	ends := make([][2]int32, 0, g.edges)
	var colours []uint64
	if weighted {
		colours = make([]uint64, 0, g.edges)
	}
	for i := range g.Nodes() {
		for x := g.start[i]; x < g.start[i+1]; x++ {
			if w, _ := g.weights(x); w != 0 && (g.in != nil || int(g.to[x]) > i) {
				ends = append(ends, [2]int32{int32(i), g.to[x]})
				if weighted {
					colours = append(colours, uint64(math.Float32bits(w)))
				}
			}
		}
	}
	c, err := isomorphism.NewGraph(g.Nodes(), len(ends), func(k int) (i, j int) { return int(ends[k][0]), int(ends[k][1]) }, g.in != nil, nodes, colours)
	if err != nil {
		panic(err) // a Graph has checked its edges
	}
	return c
}

// mostQuestions is how many nodes are told of which to ask, in graphs of up to mostAskable nodes.
const mostQuestions, mostAskable = 3, 50_000

// symmetries returns the orbits of the nodes of graph 1 and the number of automorphisms where the matching is an
// isomorphism, and nodes to ask of; nil where it is none, or its graph has more symmetries than can be found soon.
func (e *engine) symmetries(ctx context.Context, m matching) (*isomorphism.Group, []int) {
	if e.a.Nodes() != e.b.Nodes() || e.a.Edges() != e.b.Edges() || e.shared(m) != e.a.Edges() {
		return nil, nil
	}
	g1, g2 := e.coloured()
	alone := func(i int32) bool { return m[i] == none }
	if !g1.Carries(g2, widen(e.withLone(m))) {
		return nil, nil
	}
	options := isomorphism.Options{Over: e.watch.Over}
	group := isomorphism.Automorphisms(ctx, g1, options)
	if group.Order == nil {
		return nil, nil
	}
	for k := range group.Alike {
		group.Alike[k] = slices.DeleteFunc(group.Alike[k], alone)
	}
	group.Alike = slices.DeleteFunc(group.Alike, func(set []int32) bool { return len(set) < 2 })
	if e.a.Nodes() > mostAskable {
		return &group, nil
	}
	return &group, isomorphism.Settle(ctx, e.apart(m), group, mostQuestions, options)
}

// withLone returns a matching with nodes besides that have no edges, in pairs: an alignment leaves them out.
func (e *engine) withLone(m matching) matching {
	whole, free := slices.Clone(m), m.inverted(e.b.Nodes())
	j := int32(0)
	for i := range whole {
		if whole[i] != none || e.a.Degree(i) > 0 {
			continue
		}
		for int(j) < len(free) && (free[j] != none || e.b.Degree(int(j)) > 0) {
			j++
		}
		if int(j) < len(free) {
			whole[i], j = j, j+1
		}
	}
	return whole
}

// apart returns graph 1 as isomorphism has it, with nodes that have no partner told apart: nobody is asked about them.
func (e *engine) apart(m matching) *isomorphism.Graph {
	colours, _ := e.nodeColours()
	for i, j := range m {
		if j == none {
			if colours == nil {
				colours = make([]uint64, len(m))
			}
			colours[i] = splitmix.Mix(uint64(i) + 1)
		}
	}
	return e.a.coloured(colours, e.a.out != nil || e.b.out != nil)
}

// manyEdges is from how many edges on an isomorphism is no coincidence: of fewer edges matches have to stay through a walk
// all the same.
const manyEdges = 30

// name takes over the orbits and the number of automorphisms.
func (a *Assessment) name(group *isomorphism.Group) {
	a.Automorphisms, a.Groups = group.Order, [][]int{}
	for _, set := range group.Alike {
		nodes := make([]int, len(set))
		for k, i := range set {
			nodes[k] = int(i)
		}
		a.Groups = append(a.Groups, nodes)
	}
}

// SymmetriesText returns a number of automorphisms as text: with up to 20 digits whole, else as 1.234e+567.
func SymmetriesText(order *big.Int) string {
	const whole = 20
	if text := order.BitLen(); text <= 3*whole {
		return order.String()
	}
	return new(big.Float).SetInt(order).Text('e', 3)
}
