package rgm_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
)

// cored returns two graphs with a common core of 40 nodes, whose edges have words or weights, and 15 nodes of
// their own each.
func cored(rng *rand.Rand, words, weights bool) (g1, g2 graphs.Graph) {
	const core, all = 40, 55
	of := func(g *graphs.Graph, i, j int) {
		g.Edges = append(g.Edges, graphs.Edge{I: i, J: j})
		if weights {
			g.Weights = append(g.Weights, 1+rng.Float64())
		}
		if words {
			g.EdgeWords[0].Values = append(g.EdgeWords[0].Values, []string{"road", "rail"}[rng.IntN(2)])
		}
	}
	shared := graphs.Graph{Nodes: all}
	if words {
		shared.EdgeWords = []graphs.Attribute[string]{{Name: "kind"}}
	}
	for i := range core {
		of(&shared, i, (i+1)%core)
		of(&shared, i, (i+2+i%5)%core)
	}
	both := [2]graphs.Graph{}
	for k := range both {
		g := &both[k]
		*g = shared
		g.Name, g.Edges, g.Weights = fmt.Sprint("graph ", k+1), slices.Clone(shared.Edges), slices.Clone(shared.Weights)
		if words {
			g.EdgeWords = []graphs.Attribute[string]{{Name: "kind", Values: slices.Clone(shared.EdgeWords[0].Values)}}
		}
		for i := core; i < all; i++ {
			of(g, rng.IntN(i), i)
			of(g, rng.IntN(i), i)
		}
		withoutRepeats(g)
	}
	return both[0], both[1]
}

// withoutRepeats removes edges that come again, with what they have.
func withoutRepeats(g *graphs.Graph) {
	seen := map[graphs.Edge]bool{}
	var edges []graphs.Edge
	var weights []float64
	var kinds []string
	for k, e := range g.Edges {
		e = graphs.Edge{I: min(e.I, e.J), J: max(e.I, e.J)}
		if seen[e] {
			continue
		}
		seen[e] = true
		edges = append(edges, e)
		if g.Weights != nil {
			weights = append(weights, g.Weights[k])
		}
		if g.EdgeWords != nil {
			kinds = append(kinds, g.EdgeWords[0].Values[k])
		}
	}
	g.Edges, g.Weights = edges, weights
	if g.EdgeWords != nil {
		g.EdgeWords = []graphs.Attribute[string]{{Name: g.EdgeWords[0].Name, Values: kinds}}
	}
	if err := g.Normalise(); err != nil {
		panic(err)
	}
}

// TestLearnedWhereItWasNotTrained: of graphs whose edges have no numbers the search is the default's, and the
// result says why; edges with weights are searched by learned affinities.
func TestLearnedWhereItWasNotTrained(t *testing.T) {
	s := rgmtest.Open(t)
	for _, c := range []struct {
		words, weights bool
	}{{}, {words: true}, {weights: true}} {
		g1, g2 := cored(rand.New(rand.NewPCG(3, 4)), c.words, c.weights)
		asked := must.Get(s.Match(t.Context(), &g1, &g2, rgm.Options{Affinity: rgm.AffinityLearned, Threads: 1}))(t)
		if c.weights {
			if asked.AffinityUsed != rgm.AffinityLearned || asked.Matched == 0 {
				t.Errorf("weights: %s affinities, %q, %d matches", asked.AffinityUsed, asked.AffinityReason, asked.Matched)
			}
			continue
		}
		given := must.Get(s.Match(t.Context(), &g1, &g2, rgm.Options{Threads: 1}))(t)
		if !slices.Equal(asked.Matching, given.Matching) || asked.Matched == 0 || asked.Method != given.Method {
			t.Errorf("words %v: %d matches by %s, the default %d by %s", c.words, asked.Matched, asked.Method, given.Matched, given.Method)
		}
		if asked.AffinityUsed != rgm.AffinityGiven || !strings.Contains(asked.AffinityReason, "was trained on edges that have lengths") || asked.Affinity != rgm.ModelAffinity {
			t.Errorf("words %v: affinity %q, used %q, %q", c.words, asked.Affinity, asked.AffinityUsed, asked.AffinityReason)
		}
	}
}

// TestLearnedFindNothing: where learned affinities leave nothing to match, the given ones are searched by.
func TestLearnedFindNothing(t *testing.T) {
	g1, g2 := cored(rand.New(rand.NewPCG(5, 6)), false, false)
	problem := must.Get(compare.Design{}.Problem(t.Context(), g1, g2))(t)
	s := rgmtest.Open(t)
	r := must.Get(s.Solve(t.Context(), problem.Instance, rgm.Options{Affinity: rgm.AffinityLearned, Method: "regrow", MaxSteps: 2000}))(t)
	given := must.Get(s.Solve(t.Context(), problem.Instance, rgm.Options{Method: "regrow", MaxSteps: 2000}))(t)
	if r.Matched != given.Matched || r.Matched == 0 || r.AffinityUsed != rgm.AffinityGiven || r.AffinityReason == "" || r.Affinity != rgm.ModelAffinity {
		t.Errorf("%d matches, %d by given affinities; %s, %q", r.Matched, given.Matched, r.AffinityUsed, r.AffinityReason)
	}
}

// TestTooManyToCompare: what an error advises is not refused.
func TestTooManyToCompare(t *testing.T) {
	s := rgmtest.Open(t)
	rng := rand.New(rand.NewPCG(7, 8))
	plain := func(name string) *graphs.Graph {
		g := &graphs.Graph{Name: name, Nodes: 1000}
		for range 5000 {
			if i, j := rng.IntN(1000), rng.IntN(1000); i != j {
				g.Edges = append(g.Edges, graphs.Edge{I: i, J: j})
			}
		}
		if err := g.Normalise(); err != nil {
			t.Fatal(err)
		}
		return g
	}
	g1, g2 := plain("one"), plain("other")
	for option, o := range map[string]rgm.Options{"Inliers": {Inliers: 900}, "Regularize": {Regularize: "f1"}} {
		_, err := s.Match(t.Context(), g1, g2, o)
		var wrong *rgm.OptionError
		if !errors.As(err, &wrong) || wrong.Option != option || !strings.Contains(wrong.Reason, "without it they are aligned") {
			t.Errorf("%s: %v", option, err)
		}
	}
	if _, err := s.Match(t.Context(), g1, g2, rgm.Options{MaxSteps: 1}); err != nil {
		t.Errorf("without options: %v", err)
	}
	points := func(n int) *graphs.Graph {
		g := &graphs.Graph{Name: "points", Nodes: n}
		for range n {
			g.Points = append(g.Points, []float64{rng.Float64(), rng.Float64()})
		}
		return g
	}
	g1, g2 = points(1500), points(1400)
	if r, err := s.Match(t.Context(), g1, g2, rgm.Options{MaxSteps: 1}); err != nil || !strings.Contains(r.Why, "each is joined with its 6 nearest") {
		t.Errorf("points that no transform takes to each other: %q, %v", r.Why, err)
	}
	_, err := s.Match(t.Context(), g1, g2, rgm.Options{Edges: "delaunay"}) // which only affinities have
	if err == nil || !strings.Contains(err.Error(), "join each point with its 2 nearest at most (knn:2)") {
		t.Fatal(err)
	}
	joins := must.Get(compare.ParseJoins("knn:2"))(t)
	if _, err := (compare.Design{Joins: joins}).Problem(t.Context(), *g1, *g2); err != nil {
		t.Errorf("what is advised: %v", err)
	}
	_, err = s.Match(t.Context(), points(5000), points(5000), rgm.Options{Edges: "delaunay"})
	if err == nil || !strings.Contains(err.Error(), "compare fewer points") {
		t.Error(err)
	}
	for _, o := range []rgm.Options{{Method: rgm.MethodAlign}, {Method: rgm.MethodAlign, Edges: "delaunay"}} {
		if _, err := s.Match(t.Context(), points(9), points(9), o); err == nil || !strings.Contains(err.Error(), "to compare points") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestWeightAndSimilarity: an attribute of edges becomes their weight, and rows say how alike nodes are; what
// is wrong with them is said, and the graphs stay as they were.
func TestWeightAndSimilarity(t *testing.T) {
	s := rgmtest.Open(t)
	ring := func(lengths ...float64) *graphs.Graph {
		g := &graphs.Graph{Name: "ring", Nodes: len(lengths), EdgeNumbers: []graphs.Attribute[float64]{{Name: "length", Values: lengths}, {Name: "age", Values: make([]float64, len(lengths))}}}
		for k := range lengths {
			g.Edges = append(g.Edges, graphs.Edge{I: k, J: (k + 1) % len(lengths)})
		}
		if err := g.Normalise(); err != nil {
			t.Fatal(err)
		}
		return g
	}
	g1, g2 := ring(1, 2, 3, 4, 5), ring(3, 4, 5, 1, 2)
	r := must.Get(s.Match(t.Context(), g1, g2, rgm.Options{Weight: "length", Kernel: "weight"}))(t)
	if want := (qap.Matching{3, 4, 0, 1, 2}); !slices.Equal(r.Matching, want) || g1.Weights != nil {
		t.Errorf("by lengths %v, want %v; weights %v", r.Matching, want, g1.Weights)
	}
	same := ring(1, 1, 1, 1, 1)
	rows := [][]float64{{0, 2, 1}, {1, 3, 1}}
	r = must.Get(s.Match(t.Context(), same, same, rgm.Options{Similarity: rows}))(t)
	if want := (qap.Matching{2, 3, 4, 0, 1}); !slices.Equal(r.Matching, want) {
		t.Errorf("by similarities %v, want %v", r.Matching, want)
	}
	for want, o := range map[string]rgm.Options{
		`no edge has a number "girth": edges have length, age`: {Weight: "girth"},
		"row 1, [0 1]: want three numbers":                     {Similarity: [][]float64{{0, 1, 1}, {0, 1}}},
		"want two nodes":                                       {Similarity: [][]float64{{0.5, 1, 1}}},
		"have no nodes 0 and 5":                                {Similarity: [][]float64{{0, 5, 1}}},
		"want a number above 0":                                {Similarity: [][]float64{{0, 1, -1}}},
	} {
		var wrong *rgm.OptionError
		if _, err := s.Match(t.Context(), g1, g2, o); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}
