package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// Agreement says which nodes and which edges of two graphs may be matched: those of equal numbers. Lists are nil where
// all may be.
type Agreement struct {
	Names          []string // the attributes that the numbers stand for
	Nodes1, Nodes2 []int32
	Edges1, Edges2 []int32
}

// Agree takes attributes that must agree out of two graphs: what nodes or edges of both have by that name. The graphs
// given are left as they are. The error names what there is where one graph has no such attribute.
func Agree(g1, g2 *graphs.Graph, names []string) (*Agreement, *graphs.Graph, *graphs.Graph, error) {
	if len(names) == 0 {
		return nil, g1, g2, nil
	}
	if err := cmp.Or(g1.Check(), g2.Check()); err != nil {
		return nil, nil, nil, err
	}
	a, one, two := &Agreement{Names: names}, *g1, *g2
	var nodes, edges numbering
	for _, name := range names {
		ofNodes := nodes.add(nodeValues(g1, name), nodeValues(g2, name))
		ofEdges := edges.add(edgeValues(g1, name), edgeValues(g2, name))
		if !ofNodes && !ofEdges {
			return nil, nil, nil, fmt.Errorf("graphs: no attribute %q that nodes, or edges, of both graphs have: %s; %s", name, attributesOf(g1, "graph 1"), attributesOf(g2, "graph 2"))
		}
		for _, g := range []*graphs.Graph{&one, &two} {
			if ofNodes {
				withoutNodes(g, name)
			}
			if ofEdges {
				withoutEdges(g, name)
			}
		}
	}
	a.Nodes1, a.Nodes2 = nodes.numbers()
	a.Edges1, a.Edges2 = edges.numbers()
	return a, &one, &two, nil
}

// numbering numbers the values of several attributes together.
type numbering struct{ of1, of2 []string }

// add adds an attribute, unless a graph does not have it.
func (n *numbering) add(of1, of2 []string) bool {
	if of1 == nil || of2 == nil {
		return false
	}
	for _, side := range []struct {
		to     *[]string
		values []string
	}{{&n.of1, of1}, {&n.of2, of2}} {
		if *side.to == nil {
			*side.to = make([]string, len(side.values))
		}
		for k, v := range side.values {
			(*side.to)[k] += strconv.Quote(v)
		}
	}
	return true
}

// numbers returns a number for each value, from 0; nil where nothing was added.
func (n *numbering) numbers() (of1, of2 []int32) {
	seen := map[string]int32{}
	number := func(values []string) (numbers []int32) {
		for _, v := range values {
			k, known := seen[v]
			if !known {
				k = int32(len(seen))
				seen[v] = k
			}
			numbers = append(numbers, k)
		}
		return numbers
	}
	return number(n.of1), number(n.of2)
}

// nodeValues returns an attribute of nodes as words, nil where there is none.
func nodeValues(g *graphs.Graph, name string) []string {
	if words := firstOf(graphs.ValuesOf(g.NodeWords, name), graphs.ValuesOf(g.Identifiers, name)); words != nil {
		return words
	}
	if c := slices.Index(g.FeatureNames, name); c >= 0 {
		return column(g.Features, c)
	}
	if c := slices.Index(g.PointNames, name); c >= 0 {
		return column(g.Points, c)
	}
	return nil
}

func firstOf(first, second []string) []string {
	if first != nil {
		return first
	}
	return second
}

func column(vectors [][]float64, c int) []string {
	values := make([]float64, len(vectors))
	for i, v := range vectors {
		values[i] = v[c]
	}
	return wordsOf(values)
}

// wordsOf returns numbers as words: "" where there is none, and −0 as 0.
func wordsOf(values []float64) []string {
	values = slices.Clone(values)
	for k := range values {
		values[k] += 0
	}
	words := graphs.WordsOf(values)
	for k, v := range values {
		if math.IsNaN(v) {
			words[k] = ""
		}
	}
	return words
}

// edgeValues returns an attribute of edges as words, nil where there is none.
func edgeValues(g *graphs.Graph, name string) []string {
	if words := graphs.ValuesOf(g.EdgeWords, name); words != nil {
		return words
	}
	if numbers := graphs.ValuesOf(g.EdgeNumbers, name); numbers != nil {
		return wordsOf(numbers)
	}
	if name == graphs.WeightName && g.Weights != nil {
		return wordsOf(g.Weights)
	}
	return nil
}

// withoutNodes takes an attribute of nodes away. Places and names stay: they are more than this.
func withoutNodes(g *graphs.Graph, name string) {
	g.NodeWords = withoutAttribute(g.NodeWords, name)
	if c := slices.Index(g.FeatureNames, name); c >= 0 {
		kept := make([]int, 0, len(g.FeatureNames))
		for k := range g.FeatureNames {
			if k != c {
				kept = append(kept, k)
			}
		}
		g.Features, g.FeatureNames = picked(g.Features, kept), slices.Delete(slices.Clone(g.FeatureNames), c, c+1)
		if g.Features == nil {
			g.FeatureNames = nil
		}
	}
}

// withoutEdges takes an attribute of edges away.
func withoutEdges(g *graphs.Graph, name string) {
	g.EdgeWords, g.EdgeNumbers = withoutAttribute(g.EdgeWords, name), withoutAttribute(g.EdgeNumbers, name)
	if name == graphs.WeightName {
		g.Weights = nil
	}
}

// withoutAttribute returns attributes without that of a name, nil for none.
func withoutAttribute[T any](all []graphs.Attribute[T], name string) []graphs.Attribute[T] {
	kept := slices.DeleteFunc(slices.Clone(all), func(a graphs.Attribute[T]) bool { return a.Name == name })
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// attributesOf says what the nodes and the edges of a graph have that has a name.
func attributesOf(g *graphs.Graph, otherwise string) string {
	nodes := slices.Concat(graphs.NamesOf(g.NodeWords), graphs.NamesOf(g.Identifiers), g.FeatureNames, g.PointNames)
	edges := slices.Concat(graphs.NamesOf(g.EdgeWords), graphs.NamesOf(g.EdgeNumbers))
	if g.Weights != nil {
		edges = append(edges, graphs.WeightName)
	}
	list := func(names []string) string {
		if len(names) == 0 {
			return "none"
		}
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("nodes of %s have %s, its edges %s", cmp.Or(g.Name, otherwise), list(nodes), list(edges))
}

// May reports whether two nodes may be matched. A nil agreement allows all.
func (a *Agreement) May(i, j int) bool {
	return a == nil || a.Nodes1 == nil || a.Nodes1[i] == a.Nodes2[j]
}

// Most returns how many nodes of graphs of n1 and n2 nodes can be matched.
func (a *Agreement) Most(n1, n2 int) int {
	if a == nil || a.Nodes1 == nil {
		return min(n1, n2)
	}
	count := map[int32]int{}
	for _, class := range a.Nodes1 {
		count[class]++
	}
	most := 0
	for _, class := range a.Nodes2 {
		if count[class] > 0 {
			count[class]--
			most++
		}
	}
	return most
}

// mayEdges is May of edges.
func (a *Agreement) mayEdges(e, f int) bool {
	return a == nil || a.Edges1 == nil || a.Edges1[e] == a.Edges2[f]
}

// String says what must agree, "" for nothing.
func (a *Agreement) String() string {
	if a == nil {
		return ""
	}
	whose := "nodes and edges"
	switch {
	case a.Edges1 == nil:
		whose = "nodes"
	case a.Nodes1 == nil:
		whose = "edges"
	}
	return fmt.Sprintf("; %s must agree in %s", whose, strings.Join(a.Names, ", "))
}

// limited returns affinities of nodes and of arcs, which are edges in one way and then in the other, that are 0 for what
// may not be matched.
func (a *Agreement) limited(edges1, edges2, arcs1, arcs2 []graphs.Edge, node, edge func(i, j int) float64) (_, _ func(i, j int) float64) {
	if a == nil {
		return node, edge
	}
	ofNodes := node
	if node != nil {
		ofNodes = func(i, j int) float64 {
			if !a.May(i, j) {
				return 0
			}
			return node(i, j)
		}
	}
	return ofNodes, func(e, f int) float64 {
		if x, y := arcs1[e], arcs2[f]; !a.May(x.I, y.I) || !a.May(x.J, y.J) || !a.mayEdges(e%len(edges1), f%len(edges2)) {
			return 0
		}
		return edge(e, f)
	}
}

// Keep returns a matching of an instance without the pairs that may not be matched, and with others in their place as long
// as there are fewer than wanted: of those that may be matched, the ones that add most to the score.
func (a *Agreement) Keep(in *qap.Instance, m qap.Matching, wanted int) qap.Matching {
	kept := m.Clone()
	_, n2 := in.Size()
	taken := make([]bool, n2)
	for i, j := range kept {
		switch {
		case j == qap.Unmatched:
		case a.May(i, j):
			taken[j] = true
		default:
			kept[i] = qap.Unmatched
		}
	}
	for size := kept.Size(); size < wanted; size++ {
		bestI, bestJ, most := -1, -1, math.Inf(-1)
		for i, partner := range kept {
			if partner != qap.Unmatched {
				continue
			}
			for j := range n2 {
				if taken[j] || !a.May(i, j) {
					continue
				}
				if gain := gainOf(in, kept, i, j); gain > most {
					bestI, bestJ, most = i, j, gain
				}
			}
		}
		if bestI < 0 {
			break
		}
		kept[bestI], taken[bestJ] = bestJ, true
	}
	return kept
}

// gainOf returns what a further match adds to the score.
func gainOf(in *qap.Instance, m qap.Matching, i, j int) float64 {
	_, n2 := in.Size()
	p := i*n2 + j
	gain := in.Affinity.At(p, p)
	for k, l := range m {
		if l != qap.Unmatched {
			gain += 2 * in.Affinity.At(p, k*n2+l)
		}
	}
	return gain
}

// alignment puts what must agree into the problem of an alignment, and returns the numbers of the edges' kinds, nil where
// edges need not agree. Those edges are not compared by anything else.
func (a *Agreement) alignment(p *align.Problem, g1, g2 *graphs.Graph, left *unused) (of1, of2 []float64) {
	if a == nil {
		return nil, nil
	}
	p.Class1, p.Class2 = a.Nodes1, a.Nodes2
	p.Similar = slices.DeleteFunc(p.Similar, func(s align.Similar) bool { return !a.May(s.I, s.J) })
	if a.Edges1 == nil {
		return nil, nil
	}
	p.Kinds, p.Strict = true, true
	const why = "an alignment compares edges by what must agree alone"
	if g1.Weights != nil && g2.Weights != nil {
		left.leaveBoth("weights of edges", why)
	}
	for _, name := range graphs.NamesOf(g1.EdgeWords) {
		left.leaveBoth("the edges' "+name, why)
	}
	g1.EdgeWords, g2.EdgeWords = nil, nil
	kinds := func(numbers []int32) []float64 {
		of := make([]float64, len(numbers))
		for k, n := range numbers {
			of[k] = float64(n) + 1
		}
		return of
	}
	return kinds(a.Edges1), kinds(a.Edges2)
}
