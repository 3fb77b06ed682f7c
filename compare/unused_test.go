package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// labelled is a random graph of n nodes and m edges whose nodes have one of eight words.
func labelled(rng *rand.Rand, n, m int) graphs.Graph {
	g := graphs.Graph{Name: "whole", Nodes: n, NodeWords: []graphs.Attribute[string]{{Name: "kind"}}}
	for len(g.Edges) < m {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			g.Edges = append(g.Edges, graphs.Edge{I: i, J: j})
		}
	}
	for range n {
		g.NodeWords[0].Values = append(g.NodeWords[0].Values, string(rune('A'+rng.IntN(8))))
	}
	if err := g.Normalise(); err != nil {
		panic(err)
	}
	return g
}

// piece returns the graph of some nodes that hang together, with what they have, in random order.
func pieceOf(g *graphs.Graph, rng *rand.Rand, n int) graphs.Graph {
	near := make([][]int, g.Nodes)
	for _, e := range g.Edges {
		near[e.I], near[e.J] = append(near[e.I], e.J), append(near[e.J], e.I)
	}
	var nodes []int
	if n == g.Nodes { // which may not hang together
		nodes = rng.Perm(n)
	}
	for len(nodes) < n {
		nodes = []int{rng.IntN(g.Nodes)}
		for k := 0; k < 100*n && len(nodes) < n; k++ {
			v := nodes[rng.IntN(len(nodes))]
			if len(near[v]) > 0 {
				if u := near[v][rng.IntN(len(near[v]))]; !slices.Contains(nodes, u) {
					nodes = append(nodes, u)
				}
			}
		}
	}
	rng.Shuffle(n, func(k, l int) { nodes[k], nodes[l] = nodes[l], nodes[k] })
	p := graphs.Graph{Name: "piece", Nodes: n, NodeWords: []graphs.Attribute[string]{{Name: g.NodeWords[0].Name}}}
	for _, v := range nodes {
		p.NodeWords[0].Values = append(p.NodeWords[0].Values, g.NodeWords[0].Values[v])
	}
	for _, e := range g.Edges {
		if i, j := slices.Index(nodes, e.I), slices.Index(nodes, e.J); i >= 0 && j >= 0 {
			p.Edges = append(p.Edges, graphs.Edge{I: min(i, j), J: max(i, j)})
		}
	}
	if err := p.Normalise(); err != nil {
		panic(err)
	}
	return p
}

// TestPieceKeepsItsLabels: the words of a small piece of a large graph are compared, though edges
// alone find as many edges elsewhere.
func TestPieceKeepsItsLabels(t *testing.T) {
	const n, pieces = 12, 20
	for range pieces {
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 0))
		whole := labelled(rng, 200, 600)
		piece := pieceOf(&whole, rng, n)
		p, err := Design{}.Problem(t.Context(), piece, whole)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.About, "nodes by likelihood of kind") || len(p.Unused) > 0 {
			t.Errorf("seed %d: %s; unused %q", seed, p.About, p.Unused)
		}
		a, err := Design{}.Alignment(t.Context(), piece, whole, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Attributes == nil {
			t.Errorf("seed %d: an alignment leaves the labels out: %q", seed, a.Unused)
		}
	}
}

// TestGivenWeightIsUsed: labels that contradict the edges are left out and the reason is said, unless
// their weight is given. By chance some shuffled labels say something: 5 of 120 draws.
func TestGivenWeightIsUsed(t *testing.T) {
	const draws, mostByChance = 8, 4
	byChance := 0
	for range draws {
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 0))
		whole := labelled(rng, 150, 600)
		other := pieceOf(&whole, rng, 150)
		rng.Shuffle(150, func(i, j int) {
			v := other.NodeWords[0].Values
			v[i], v[j] = v[j], v[i]
		})
		if about, unused := bothWays(t, Design{}, &whole, &other); !leftOut(about, unused) {
			t.Logf("seed %d: %q, unused %q", seed, about, unused)
			byChance++
		}
		weight := 1.0
		about, unused := bothWays(t, Design{NodeWeight: &weight}, &whole, &other)
		for k := range about {
			if !strings.Contains(about[k], likelihoodOfKind) || len(unused[k]) > 0 {
				t.Errorf("seed %d, a weight: %q, unused %q", seed, about[k], unused[k])
			}
		}
	}
	if byChance > mostByChance {
		t.Errorf("%d of %d draws use the labels", byChance, draws)
	}
}

const likelihoodOfKind = "likelihood of kind"

// leftOut reports whether the labels are left out, and the reason said.
func leftOut(about []string, unused [][]string) bool {
	for k := range about {
		said := len(unused[k]) == 1 && (unused[k][0] == "the nodes' kind ("+sharesMore+")" || unused[k][0] == "the nodes' kind ("+saysNothing+")")
		if strings.Contains(about[k], likelihoodOfKind) || !said {
			return false
		}
	}
	return true
}

// bothWays returns what is said of two graphs as a problem of affinities, and as an alignment.
func bothWays(t *testing.T, d Design, a, b *graphs.Graph) (about []string, unused [][]string) {
	t.Helper()
	p, err := d.Problem(t.Context(), *a, *b)
	if err != nil {
		t.Fatal(err)
	}
	aligned, err := d.Alignment(t.Context(), *a, *b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return []string{p.About, aligned.About}, [][]string{p.Unused, aligned.Unused}
}

// TestUnusedIsSaid: whatever two graphs have and is not compared is named, with the reason.
func TestUnusedIsSaid(t *testing.T) {
	edges := []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}}
	words := func(name string, values ...string) []graphs.Attribute[string] {
		return []graphs.Attribute[string]{{Name: name, Values: values}}
	}
	for _, c := range []struct {
		left, right graphs.Graph
		want        []string
	}{
		{graphs.Graph{Points: [][]float64{{0, 0}, {1, 0}, {0, 2}}}, graphs.Graph{}, []string{"coordinates of left (right has none)"}},
		{graphs.Graph{Weights: []float64{1, 2}}, graphs.Graph{}, []string{"weights of edges of left (right has none)"}},
		{graphs.Graph{Features: [][]float64{{1}, {2}, {3}}}, graphs.Graph{}, []string{"features of nodes of left (right has none)"}},
		{graphs.Graph{EdgeWords: words("kind", "a", "b")}, graphs.Graph{}, []string{"the edges' kind of left (right has no such words)"}},
		{graphs.Graph{NodeWords: words("kind", "a", "b", "a")}, graphs.Graph{NodeWords: words("kind", "a", "a", "b"), Points: [][]float64{{0}, {1}, {3}}},
			[]string{"coordinates of right (left has none)"}},
		{graphs.Graph{NodeWords: words("kind", "a", "a", "a")}, graphs.Graph{NodeWords: words("kind", "a", "a", "a")}, []string{"the nodes' kind (the same for all)"}},
		{graphs.Graph{NodeWords: words("kind", "a", "b", "c")}, graphs.Graph{NodeWords: words("kind", "", "", "")}, []string{"the nodes' kind (unknown of all nodes of a graph)"}},
		{graphs.Graph{Points: [][]float64{{0}, {1}, {3}}, Weights: []float64{1, 2}}, graphs.Graph{Points: [][]float64{{0}, {1}, {3}}, Weights: []float64{1, 2}},
			[]string{"coordinates (the kernel is weight)"}},
		{graphs.Graph{EdgeNumbers: []graphs.Attribute[float64]{{Name: "ID", Values: []float64{7, 8}}}}, graphs.Graph{}, []string{"the edges' ID of left (each edge has another, as a name)"}},
	} {
		for k, g := range []*graphs.Graph{&c.left, &c.right} {
			g.Name, g.Nodes, g.Edges = []string{"left", "right"}[k], 3, edges
		}
		p, err := Design{}.Problem(t.Context(), c.left, c.right)
		if err != nil || !slices.Equal(p.Unused, c.want) {
			t.Errorf("%q, %v; want %q", p.Unused, err, c.want)
		}
	}
}

// TestRareValues: a word that one node of many has is compared, and graphs of one node, whose edges have
// nothing, are no fault.
func TestRareValues(t *testing.T) {
	const n = 1000
	values := make([]float64, n)
	values[n-3] = 1
	rare := quantity{of1: values, of2: make([]float64, n), isWord: true}
	if !rare.measure() || rare.width <= 0 {
		t.Errorf("a word that one node has is left out, width %v", rare.width)
	}
	point := graphs.Graph{Nodes: 1, Points: [][]float64{{1, 2}}}
	for _, other := range []graphs.Graph{point, {Nodes: 3, Points: [][]float64{{0, 0}, {1, 0}, {0, 2}}}} {
		for _, both := range [][2]graphs.Graph{{point, other}, {other, point}} {
			if _, err := (Design{}).Problem(t.Context(), both[0], both[1]); err != nil {
				t.Error(err)
			}
		}
	}
}

// molecule is a random tree of atoms with some rings, whose edges have an order.
func molecule(rng *rand.Rand, n int) graphs.Graph {
	g := graphs.Graph{Name: "molecule", Nodes: n, NodeWords: []graphs.Attribute[string]{{Name: "element"}}, EdgeNumbers: []graphs.Attribute[float64]{{Name: "order"}}}
	join := func(i, j int) {
		if i != j && !slices.Contains(g.Edges, graphs.Edge{I: i, J: j}) {
			g.Edges = append(g.Edges, graphs.Edge{I: i, J: j})
			g.EdgeNumbers[0].Values = append(g.EdgeNumbers[0].Values, []float64{1, 1, 1.5, 2, 3}[rng.IntN(5)])
		}
	}
	for i := range n {
		g.NodeWords[0].Values = append(g.NodeWords[0].Values, []string{"C", "C", "C", "N", "O"}[rng.IntN(5)])
		if i > 0 {
			join(max(0, i-1-rng.IntN(3)), i)
		}
	}
	for range n / 8 {
		join(rng.IntN(n/2), n/2+rng.IntN(n/2))
	}
	if err := g.Normalise(); err != nil {
		panic(err)
	}
	return g
}

// shuffled returns a graph with its nodes in another order.
func shuffled(g *graphs.Graph, rng *rand.Rand) graphs.Graph {
	place := rng.Perm(g.Nodes)
	h := *g
	h.Edges, h.NodeWords, h.EdgeNumbers = slices.Clone(g.Edges), nil, nil
	for k, e := range g.Edges {
		h.Edges[k] = graphs.Edge{I: place[e.I], J: place[e.J]}
	}
	for _, a := range g.NodeWords {
		values := make([]string, g.Nodes)
		for i, v := range a.Values {
			values[place[i]] = v
		}
		h.NodeWords = append(h.NodeWords, graphs.Attribute[string]{Name: a.Name, Values: values})
	}
	for _, a := range g.EdgeNumbers {
		h.EdgeNumbers = append(h.EdgeNumbers, graphs.Attribute[float64]{Name: a.Name, Values: slices.Clone(a.Values)})
	}
	if err := h.Normalise(); err != nil {
		panic(err)
	}
	return h
}

// disagreeing returns how many edges have no partner, or one of another number.
func disagreeing(g1, g2 *graphs.Graph, m qap.Matching) (n int) {
	numbers := map[graphs.Edge]float64{}
	for k, e := range g2.Edges {
		numbers[e] = g2.EdgeNumbers[0].Values[k]
	}
	for k, e := range g1.Edges {
		i, j := m[e.I], m[e.J]
		if v, found := numbers[graphs.Edge{I: min(i, j), J: max(i, j)}]; !found || v != g1.EdgeNumbers[0].Values[k] {
			n++
		}
	}
	return n
}

// TestBondOrders: the numbers of edges decide between matchings that are alike in everything else.
func TestBondOrders(t *testing.T) {
	wrong, molecules := 0, 40
	for k := range molecules {
		rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
		g := molecule(rng, 8+k%16)
		h := shuffled(&g, rng)
		r, err := match(t.Context(), g, h, matchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Problem.Design.Kernel != KernelFeatures || strings.Contains(fmt.Sprint(r.Problem.Unused), "order") {
			t.Errorf("kernel %s, unused %q", r.Problem.Design.Kernel, r.Problem.Unused)
		}
		if disagreeing(&g, &h, r.Matching) > 0 {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d molecules have wrong orders", wrong, molecules)
	}
}

// TestNumbersInAlignments: an alignment takes numbers that edges share as words, and names those that
// all differ.
func TestNumbersInAlignments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	g := labelled(rng, 60, 120)
	order, length := graphs.Attribute[float64]{Name: "order"}, graphs.Attribute[float64]{Name: "length"}
	for range g.Edges {
		order.Values, length.Values = append(order.Values, float64(1+rng.IntN(3))), append(length.Values, rng.Float64())
	}
	g.EdgeNumbers = []graphs.Attribute[float64]{order, length}
	a, err := Design{}.Alignment(t.Context(), g, g, nil)
	if err != nil || !a.Kinds || !strings.Contains(a.About, "edges by order") {
		t.Errorf("%s, %v", a.About, err)
	}
	if want := []string{"the edges' length (an alignment compares numbers of edges only as their weight)"}; !slices.Equal(a.Unused, want) {
		t.Errorf("unused %q, want %q", a.Unused, want)
	}
	if _, err := align.Solve(t.Context(), &a.Problem, align.Options{Limits: qap.Limits{MaxSteps: 1000}}); err != nil {
		t.Error(err)
	}
}

// TestNamesBesideWords: a piece so small that its labels all differ is compared by them with a graph
// whose labels repeat.
func TestNamesBesideWords(t *testing.T) {
	read := func(name, text string) graphs.Graph {
		g, err := graphs.Read(name, strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	piece := read("piece.gml", `graph [ node [ id 1 label "O" ] node [ id 2 label "C" ] edge [ source 1 target 2 ] ]`)
	whole := read("whole.gml", `graph [ node [ id 1 label "C" ] node [ id 2 label "C" ] node [ id 3 label "O" ] edge [ source 1 target 2 ] edge [ source 2 target 3 ] ]`)
	if Plain(&piece, &whole) {
		t.Error("nothing but edges is compared")
	}
	r, err := match(t.Context(), piece, whole, matchOptions{})
	if err != nil || !slices.Equal(r.Matching, qap.Matching{2, 1}) || len(r.Problem.Unused) > 0 {
		t.Errorf("%v, unused %q, %v", r.Matching, r.Problem.Unused, err)
	}
}
