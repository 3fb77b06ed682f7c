package graphs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// labelled is a random graph of n nodes and m edges whose nodes have one of eight words.
func labelled(rng *rand.Rand, n, m int) Graph {
	g := Graph{Name: "whole", Nodes: n, NodeWords: []Attribute[string]{{Name: "kind"}}}
	for len(g.Edges) < m {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			g.Edges = append(g.Edges, Edge{i, j})
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
func (g *Graph) piece(rng *rand.Rand, n int) Graph {
	near := make([][]int, g.Nodes)
	for _, e := range g.Edges {
		near[e.I], near[e.J] = append(near[e.I], e.J), append(near[e.J], e.I)
	}
	var nodes []int
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
	p := Graph{Name: "piece", Nodes: n, NodeWords: []Attribute[string]{{Name: g.NodeWords[0].Name}}}
	for _, v := range nodes {
		p.NodeWords[0].Values = append(p.NodeWords[0].Values, g.NodeWords[0].Values[v])
	}
	for _, e := range g.Edges {
		if i, j := slices.Index(nodes, e.I), slices.Index(nodes, e.J); i >= 0 && j >= 0 {
			p.Edges = append(p.Edges, Edge{min(i, j), max(i, j)})
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
		piece := whole.piece(rng, n)
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
// their weight is given.
func TestGivenWeightIsUsed(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	whole := labelled(rng, 150, 600)
	other := whole.piece(rng, 150)
	rng.Shuffle(150, func(i, j int) {
		v := other.NodeWords[0].Values
		v[i], v[j] = v[j], v[i]
	})
	weight := 1.0
	for _, d := range []Design{{}, {NodeWeight: &weight}} {
		given := d.NodeWeight != nil
		p, err := d.Problem(t.Context(), whole, other)
		if err != nil {
			t.Fatal(err)
		}
		a, err := d.Alignment(t.Context(), whole, other, nil)
		if err != nil {
			t.Fatal(err)
		}
		for about, unused := range map[string][]string{p.About: p.Unused, a.About: a.Unused} {
			said := len(unused) == 1 && (unused[0] == "the nodes' kind ("+sharesMore+")" || unused[0] == "the nodes' kind ("+saysNothing+")")
			if strings.Contains(about, "likelihood of kind") != given || said == given || given && len(unused) > 0 {
				t.Errorf("seed %d: %s, unused %q", seed, about, unused)
			}
		}
	}
}

// TestUnusedIsSaid: whatever two graphs have and is not compared is named, with the reason.
func TestUnusedIsSaid(t *testing.T) {
	edges := []Edge{{0, 1}, {1, 2}}
	words := func(name string, values ...string) []Attribute[string] { return []Attribute[string]{{name, values}} }
	for _, c := range []struct {
		left, right Graph
		want        []string
	}{
		{Graph{Points: [][]float64{{0, 0}, {1, 0}, {0, 2}}}, Graph{}, []string{"coordinates of left (right has none)"}},
		{Graph{Weights: []float64{1, 2}}, Graph{}, []string{"weights of edges of left (right has none)"}},
		{Graph{Features: [][]float64{{1}, {2}, {3}}}, Graph{}, []string{"features of nodes of left (right has none)"}},
		{Graph{EdgeWords: words("kind", "a", "b")}, Graph{}, []string{"the edges' kind of left (right has no such words)"}},
		{Graph{NodeWords: words("kind", "a", "b", "a")}, Graph{NodeWords: words("kind", "a", "a", "b"), Points: [][]float64{{0}, {1}, {3}}},
			[]string{"coordinates of right (left has none)"}},
		{Graph{NodeWords: words("kind", "a", "a", "a")}, Graph{NodeWords: words("kind", "a", "a", "a")}, []string{"the nodes' kind (the same for all)"}},
		{Graph{Points: [][]float64{{0}, {1}, {3}}, Weights: []float64{1, 2}}, Graph{Points: [][]float64{{0}, {1}, {3}}, Weights: []float64{1, 2}},
			[]string{"coordinates (the kernel is weight)"}},
		{Graph{EdgeNumbers: []Attribute[float64]{{"ID", []float64{7, 8}}}}, Graph{}, []string{"the edges' ID of left (each edge has another, as a name)"}},
	} {
		for k, g := range []*Graph{&c.left, &c.right} {
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
	point := Graph{Nodes: 1, Points: [][]float64{{1, 2}}}
	for _, other := range []Graph{point, {Nodes: 3, Points: [][]float64{{0, 0}, {1, 0}, {0, 2}}}} {
		for _, both := range [][2]Graph{{point, other}, {other, point}} {
			if _, err := (Design{}).Problem(t.Context(), both[0], both[1]); err != nil {
				t.Error(err)
			}
		}
	}
}

// molecule is a random tree of atoms with some rings, whose edges have an order.
func molecule(rng *rand.Rand, n int) Graph {
	g := Graph{Name: "molecule", Nodes: n, NodeWords: []Attribute[string]{{Name: "element"}}, EdgeNumbers: []Attribute[float64]{{Name: "order"}}}
	join := func(i, j int) {
		if i != j && !slices.Contains(g.Edges, Edge{i, j}) {
			g.Edges = append(g.Edges, Edge{i, j})
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
func (g *Graph) shuffled(rng *rand.Rand) Graph {
	place := rng.Perm(g.Nodes)
	h := *g
	h.Edges, h.NodeWords, h.EdgeNumbers = slices.Clone(g.Edges), nil, nil
	for k, e := range g.Edges {
		h.Edges[k] = Edge{place[e.I], place[e.J]}
	}
	for _, a := range g.NodeWords {
		values := make([]string, g.Nodes)
		for i, v := range a.Values {
			values[place[i]] = v
		}
		h.NodeWords = append(h.NodeWords, Attribute[string]{a.Name, values})
	}
	for _, a := range g.EdgeNumbers {
		h.EdgeNumbers = append(h.EdgeNumbers, Attribute[float64]{a.Name, slices.Clone(a.Values)})
	}
	if err := h.Normalise(); err != nil {
		panic(err)
	}
	return h
}

// disagreeing returns how many edges have no partner, or one of another number.
func disagreeing(g1, g2 *Graph, m qap.Matching) (n int) {
	numbers := map[Edge]float64{}
	for k, e := range g2.Edges {
		numbers[e] = g2.EdgeNumbers[0].Values[k]
	}
	for k, e := range g1.Edges {
		i, j := m[e.I], m[e.J]
		if v, found := numbers[Edge{min(i, j), max(i, j)}]; !found || v != g1.EdgeNumbers[0].Values[k] {
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
		h := g.shuffled(rng)
		r, err := Match(t.Context(), g, h, MatchOptions{})
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
	order, length := Attribute[float64]{Name: "order"}, Attribute[float64]{Name: "length"}
	for range g.Edges {
		order.Values, length.Values = append(order.Values, float64(1+rng.IntN(3))), append(length.Values, rng.Float64())
	}
	g.EdgeNumbers = []Attribute[float64]{order, length}
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

// TestNamesThatRepeat: in every format label, name and id name the nodes where all values differ, and are
// words where they repeat.
func TestNamesThatRepeat(t *testing.T) {
	for file, text := range map[string]string{
		"a.graphml": `<graphml><key id="k" for="node" attr.name="%s" attr.type="string"/><graph edgedefault="undirected"><node id="n0"><data key="k">%s</data></node>` +
			`<node id="n1"><data key="k">%s</data></node><node id="n2"><data key="k">%s</data></node><edge source="n0" target="n1"/></graph></graphml>`,
		"a.gml":  `graph [ node [ id 5 %[1]s "%[2]s" ] node [ id 6 %[1]s "%[3]s" ] node [ id 7 %[1]s "%[4]s" ] edge [ source 5 target 6 ] ]`,
		"a.json": `{"nodes": [{"id": "n0", "%[1]s": "%[2]s"}, {"id": "n1", "%[1]s": "%[3]s"}, {"id": "n2", "%[1]s": "%[4]s"}], "links": [{"source": "n0", "target": "n1"}]}`,
		"a.csv":  "%[1]s,x,y\n%[2]s,0,0\n%[3]s,1,0\n%[4]s,0,2\n",
		"b.csv":  "node,x,%[1]s,y\n1,0,%[2]s,0\n2,1,%[3]s,0\n3,0,%[4]s,2\n",
		"a.gexf": `<gexf><graph><attributes class="node"><attribute id="0" title="%[1]s" type="string"/></attributes><nodes><node id="n0"><attvalues><attvalue for="0" value="%[2]s"/></attvalues></node>` +
			`<node id="n1"><attvalues><attvalue for="0" value="%[3]s"/></attvalues></node><node id="n2"><attvalues><attvalue for="0" value="%[4]s"/></attvalues></node></nodes><edges><edge source="n0" target="n1"/></edges></graph></gexf>`,
	} {
		for _, name := range []string{"label", "name", "Label", "id"} {
			if name == "id" && (file == "a.gml" || file == "a.json") {
				continue // which has to differ
			}
			if file == "a.csv" || file == "b.csv" {
				name = strings.ToLower(name)
			}
			for _, values := range [][]string{{"C", "N", "O"}, {"C", "N", "C"}, {"1", "2", "1"}} {
				filled := fmt.Sprintf(text, name, values[0], values[1], values[2])
				g, err := Read(file, strings.NewReader(filled), int64(len(filled)))
				if err != nil {
					t.Errorf("%s: %v", filled, err)
					continue
				}
				named, isWord := slices.Equal(g.Names, values), slices.Equal(find(g.NodeWords, name), values)
				if repeats := values[0] == values[2]; named == repeats || isWord != repeats {
					t.Errorf("%s with %s %v: names %q, words %v", file, name, values, g.Names, g.NodeWords)
				}
			}
		}
	}
}

// TestNamesBesideWords: a piece so small that its labels all differ is compared by them with a graph
// whose labels repeat.
func TestNamesBesideWords(t *testing.T) {
	read := func(name, text string) Graph {
		g, err := Read(name, strings.NewReader(text), int64(len(text)))
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
	r, err := Match(t.Context(), piece, whole, MatchOptions{})
	if err != nil || !slices.Equal(r.Matching, qap.Matching{2, 1}) || len(r.Problem.Unused) > 0 {
		t.Errorf("%v, unused %q, %v", r.Matching, r.Problem.Unused, err)
	}
}
