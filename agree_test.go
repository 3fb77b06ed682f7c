package rgm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
)

// kindred returns a random graph whose nodes have a kind and a size, and whose edges have a bond.
func kindred(n int, rng *rand.Rand) *graphs.Graph {
	g := &graphs.Graph{Name: "kindred", Nodes: n, Edges: []graphs.Edge{}, FeatureNames: []string{"size"}}
	kinds, bonds := make([]string, n), []string{}
	for i := range n {
		kinds[i] = string(rune('a' + rng.IntN(3)))
		g.Features = append(g.Features, []float64{float64(rng.IntN(9))})
		for j := range i {
			if rng.IntN(2) == 0 || j == i-1 {
				g.Edges = append(g.Edges, graphs.Edge{I: j, J: i})
			}
		}
	}
	g.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: kinds}}
	slices.SortFunc(g.Edges, func(x, y graphs.Edge) int { return (x.I-y.I)*n + x.J - y.J })
	for range g.Edges {
		bonds = append(bonds, string(rune('p'+rng.IntN(2))))
	}
	g.EdgeWords = []graphs.Attribute[string]{{Name: "bond", Values: bonds}}
	return g
}

// renumbered returns the graph with its nodes in another order.
func renumbered(g *graphs.Graph, rng *rand.Rand) *graphs.Graph {
	to := rng.Perm(g.Nodes)
	h := &graphs.Graph{Name: "renumbered", Nodes: g.Nodes, FeatureNames: g.FeatureNames, Features: make([][]float64, g.Nodes)}
	kinds := make([]string, g.Nodes)
	for i, at := range to {
		kinds[at], h.Features[at] = g.NodeWords[0].Values[i], g.Features[i]
	}
	order := rng.Perm(len(g.Edges))
	bonds := make([]string, 0, len(order))
	type edge struct {
		graphs.Edge
		bond string
	}
	var all []edge
	for _, k := range order {
		i, j := to[g.Edges[k].I], to[g.Edges[k].J]
		all = append(all, edge{graphs.Edge{I: min(i, j), J: max(i, j)}, g.EdgeWords[0].Values[k]})
	}
	slices.SortFunc(all, func(x, y edge) int { return (x.I-y.I)*g.Nodes + x.J - y.J })
	for _, e := range all {
		h.Edges, bonds = append(h.Edges, e.Edge), append(bonds, e.bond)
	}
	h.NodeWords, h.EdgeWords = []graphs.Attribute[string]{{Name: "kind", Values: kinds}}, []graphs.Attribute[string]{{Name: "bond", Values: bonds}}
	return h
}

// agreement is what must agree of two graphs, by itself.
type agreement struct {
	g1, g2       *graphs.Graph
	nodes, edges bool
}

func (a *agreement) may(i, j int) bool {
	return !a.nodes || a.g1.NodeWords[0].Values[i] == a.g2.NodeWords[0].Values[j]
}

// shared counts the edges that a matching takes to edges that agree; all says whether it does so with every edge, and
// induced whether none comes from no edge.
func (a *agreement) shared(m []int) (shared int, all, induced bool) {
	at := map[graphs.Edge]int{}
	for f, e := range a.g2.Edges {
		at[e] = f
	}
	taken := 0
	for e, x := range a.g1.Edges {
		i, j := m[x.I], m[x.J]
		if i < 0 || j < 0 {
			continue
		}
		if f, is := at[graphs.Edge{I: min(i, j), J: max(i, j)}]; is && (!a.edges || a.g1.EdgeWords[0].Values[e] == a.g2.EdgeWords[0].Values[f]) {
			shared++
		}
	}
	for _, e := range a.g2.Edges {
		if slices.Contains(m, e.I) && slices.Contains(m, e.J) {
			taken++
		}
	}
	return shared, shared == len(a.g1.Edges), taken == shared
}

// each calls f with every matching, the empty one too, whose nodes agree.
func (a *agreement) each(f func(m qap.Matching)) {
	m := qap.NewMatching(a.g1.Nodes)
	taken := make([]bool, a.g2.Nodes)
	var next func(i int)
	next = func(i int) {
		if i == len(m) {
			f(m)
			return
		}
		next(i + 1)
		for j := range taken {
			if !taken[j] && a.may(i, j) {
				m[i], taken[j] = j, true
				next(i + 1)
				m[i], taken[j] = qap.Unmatched, false
			}
		}
	}
	next(0)
}

// TestMustAgree: by every route no nodes, and no edges, are matched that differ in what must agree, and what is found is the
// best of all matchings that keep to it, tried one by one.
func TestMustAgree(t *testing.T) {
	solver := rgmtest.Open(t)
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 39))
		g1 := kindred(4+rng.IntN(3), rng)
		g2 := kindred(5+rng.IntN(2), rng)
		if seed%3 == 0 {
			g2 = renumbered(g1, rng)
		}
		for _, names := range [][]string{{"kind"}, {"bond"}, {"kind", "bond"}} {
			a := agreement{g1, g2, slices.Contains(names, "kind"), slices.Contains(names, "bond")}
			check := func(o rgm.Options) (rgm.Result, *rgm.Problem) {
				t.Helper()
				o.MustAgree, o.Threads, o.Seed = names, 1, seed
				told := 0
				o.OnBest = func(i rgm.Incumbent) {
					told++
					for i, j := range i.Matching {
						if j >= 0 && !a.may(i, j) {
							t.Errorf("seed %d, %v, %s: told of %d:%d", seed, names, o.Method, i, j)
						}
					}
				}
				g1, g2 := *g1, *g2
				if o.Method == rgm.MethodGrampa { // which takes no other attributes
					g1.EdgeWords, g2.EdgeWords = nil, nil
				}
				p, err := solver.PrepareMatch(t.Context(), &g1, &g2, o)
				if err != nil {
					t.Fatalf("seed %d, %v, %+v: %v", seed, names, o, err)
				}
				r, err := p.Search(t.Context())
				if err != nil {
					t.Fatalf("seed %d, %v, %s: %v", seed, names, o.Method, err)
				}
				for i, j := range r.Matching {
					if j >= 0 && !a.may(i, j) {
						t.Errorf("seed %d, %v, %s: matches %d:%d of %v", seed, names, o.Method, i, j, r.Matching)
					}
				}
				if r.Aligned == nil {
					if got := p.Instance.Score(r.Matching); math.Abs(got-r.Score) > 1e-9 {
						t.Errorf("seed %d, %v, %s: score %v, recomputed %v", seed, names, o.Method, r.Score, got)
					}
				} else if shared, _, _ := a.shared(r.Matching); shared != r.Aligned.SharedEdges {
					t.Errorf("seed %d, %v, %s: shares %d edges, recomputed %d", seed, names, o.Method, r.Aligned.SharedEdges, shared)
				}
				return r, p
			}
			best := 0
			a.each(func(m qap.Matching) {
				shared, _, _ := a.shared(m)
				best = max(best, shared)
			})
			zero := 0.0
			methods := []string{rgm.MethodAlign, rgm.MethodBeliefPropagation}
			if !a.edges {
				methods = append(methods, rgm.MethodGrampa)
			}
			for _, method := range methods {
				r, _ := check(rgm.Options{Method: method, NodeWeight: &zero})
				if strict := a.edges; strict && r.Aligned.SharedEdges != best || method == rgm.MethodAlign && strict && r.Aligned.SharedBound < best {
					t.Errorf("seed %d, %v, %s: %d edges within %d, want %d", seed, names, method, r.Aligned.SharedEdges, r.Aligned.SharedBound, best)
				}
				check(rgm.Options{Method: method, NodeWeight: &zero, Complete: true})
			}
			r, p := check(rgm.Options{Method: rgm.MethodAlign})
			most := 0.0
			a.each(func(m qap.Matching) { most = max(most, p.Alignment.Objective(m)) })
			if math.Abs(most-r.Objective) > 1e-6 {
				t.Errorf("seed %d, %v, align with attributes: %v, want %v", seed, names, r.Objective, most)
			}
			for method, induced := range map[string]bool{rgm.MethodWithin: false, rgm.MethodInduced: true} {
				testMustAgreeWithin(t, &a, method, induced, names, solver)
			}
			for _, method := range []string{"", rgm.MethodExact, rgm.MethodProfile, rgm.MethodRegrow, "rrwm"} {
				o := rgm.Options{Method: method, Kernel: "features", NodeWeight: &zero}
				if a.edges && method != "" {
					o.Kernel = "binary" // nothing else is left of edges
				}
				if seed%2 == 0 {
					o.NodeWeight = nil
				}
				if a.edges && method == "" {
					o.Kernel, o.Edges = "binary", "given"
				}
				r, p := check(o)
				if p.Instance == nil || method == "rrwm" {
					continue
				}
				most := 0.0
				a.each(func(m qap.Matching) { most = max(most, p.Instance.Score(m)) })
				if math.Abs(most-r.Score) > 1e-9*max(1, most) {
					t.Errorf("seed %d, %v, %q: %v, want %v: %v", seed, names, method, r.Score, most, r.Matching)
				}
				o.Complete = true
				if r, _ = check(o); a.nodes && r.Matched != a.most() {
					t.Errorf("seed %d, %v, %q: complete with %d matches, want %d", seed, names, method, r.Matched, a.most())
				}
			}
		}
	}
}

// most is how many nodes can be matched.
func (a *agreement) most() (most int) {
	a.each(func(m qap.Matching) { most = max(most, m.Size()) })
	return most
}

// testMustAgreeWithin: the smaller graph is found in the larger one where some matching that agrees takes it there.
func testMustAgreeWithin(t *testing.T, a *agreement, method string, induced bool, names []string, solver *rgm.Solver) {
	t.Helper()
	// Nodes and edges have other attributes, which an embedding keeps: only what must agree is left.
	bare := func(g *graphs.Graph) *graphs.Graph {
		h := *g
		h.Features, h.FeatureNames = nil, nil
		if !a.nodes {
			h.NodeWords = nil
		}
		if !a.edges {
			h.EdgeWords = nil
		}
		return &h
	}
	piece := *bare(a.g1)
	piece.Nodes = 4
	piece.NodeWords, piece.EdgeWords, piece.Edges = nil, nil, nil
	if a.nodes {
		piece.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: a.g1.NodeWords[0].Values[:4]}}
	}
	var bonds []string
	for k, e := range a.g1.Edges {
		if e.J < 4 {
			piece.Edges, bonds = append(piece.Edges, e), append(bonds, a.g1.EdgeWords[0].Values[k])
		}
	}
	piece.EdgeWords = []graphs.Attribute[string]{{Name: "bond", Values: bonds}}
	b := agreement{&piece, a.g2, a.nodes, a.edges}
	want := false
	b.each(func(m qap.Matching) {
		_, all, exactly := b.shared(m)
		want = want || m.Size() == 4 && all && (exactly || !induced)
	})
	if !a.edges {
		piece.EdgeWords = nil
	}
	r, err := solver.Match(t.Context(), &piece, bare(a.g2), rgm.Options{Method: method, MustAgree: names})
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Matched == 4; found != want || r.Status != qap.Optimal {
		t.Errorf("%s, %v: found %v, want %v: %v %s", method, names, found, want, r.Matching, r.Status)
	}
}

// TestMustAgreeErrors: what no graph has, one graph alone has, or methods cannot keep to is an error that says so.
func TestMustAgreeErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	g1, g2 := kindred(5, rng), kindred(6, rng)
	g2.NodeWords[0].Name = "type"
	for _, c := range []struct {
		o    rgm.Options
		want []string
	}{
		{rgm.Options{MustAgree: []string{"colour"}}, []string{`"colour"`, "kind", "type", "size", "bond"}},
		{rgm.Options{MustAgree: []string{"kind"}}, []string{`"kind"`, "type"}},
		{rgm.Options{MustAgree: []string{"bond"}, Method: rgm.MethodTabu}, []string{"method align"}},
		{rgm.Options{MustAgree: []string{"size"}, Profile: true}, []string{"leave"}},
		{rgm.Options{MustAgree: []string{"size"}, Fix: []string{conflicting(g1, g2)}}, []string{"do not agree in size"}},
		{rgm.Options{MustAgree: []string{"bond"}, Edges: "complete"}, []string{"bond", "given"}},
	} {
		g := *g1
		if c.o.Edges != "" {
			g.Points, g2.Points = points(g1.Nodes), points(g2.Nodes)
		}
		_, err := rgm.Match(t.Context(), &g, g2, c.o)
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%+v: %v, want %q", c.o, err, part)
			}
		}
	}
}

func conflicting(g1, g2 *graphs.Graph) string {
	for i, v := range g1.Features {
		for j, w := range g2.Features {
			if v[0] != w[0] {
				return fmt.Sprintf("%d:%d", i, j)
			}
		}
	}
	return ""
}

func points(n int) (p [][]float64) {
	for i := range n {
		p = append(p, []float64{float64(i * i), float64(i)})
	}
	return p
}
