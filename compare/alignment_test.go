package compare_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// TestWordsOfFewEdges: where words lead and edges are few, the search goes on from the alignment that
// words were weighed by, and making that takes a part of a time limit.
func TestWordsOfFewEdges(t *testing.T) {
	const nodes, limit = 1000, 400 * time.Millisecond
	g1, err := networks.Generate("barabasi-albert", nodes, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	g2, truth := networks.Noise{Removed: .4, Seed: 2}.Copy(g1)
	rng := rand.New(rand.NewPCG(2, 1))
	giveWords(&g1, &g2, truth, func(int) (of, copied int) {
		of, copied = rng.IntN(5), rng.IntN(5)
		if rng.IntN(10) > 0 {
			copied = of
		}
		return of, copied
	})
	p, err := compare.Design{}.Alignment(t.Context(), g1, g2, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := align.Solve(t.Context(), &p.Problem, align.Options{Limits: qap.Limits{MaxSteps: 100 * nodes}})
	if err != nil {
		t.Fatal(err)
	}
	if right := r.Matching.Right(truth); right < 800 { // measured: 836, 605 where the search begins without
		t.Errorf("%d of 1000 nodes are right", right)
	}
	ctx := qap.WithTimeLimit(solvertest.Clocked(), limit)
	if _, err := (compare.Design{}).Alignment(ctx, g1, g2, nil); err != nil {
		t.Fatal(err)
	}
	if left, _ := qap.Remaining(ctx); left < limit/2 {
		t.Errorf("of %v, %v are left for the search", limit, left)
	}
}

// giveWords gives each node of a graph, and its copy, a word.
func giveWords(g1, g2 *graphs.Graph, truth qap.Matching, word func(i int) (of, copied int)) {
	words1, words2 := make([]string, g1.Nodes), make([]string, g2.Nodes)
	for i, a := range truth {
		of, copied := word(i)
		words1[i], words2[a] = strconv.Itoa(of), strconv.Itoa(copied)
	}
	g1.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: words1}}
	g2.NodeWords = []graphs.Attribute[string]{{Name: "kind", Values: words2}}
}

// TestWordsAlign: of a noisy copy that edges alone do not find, five words whose nodes are many
// find nearly all; words that say nothing do no harm, and are said to say nothing.
func TestWordsAlign(t *testing.T) {
	g, err := networks.Generate("erdos-renyi", 600, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	right := func(removed float64, word func(i int) (of, copied int)) (int, string) {
		g1 := g
		g2, truth := networks.Noise{Removed: removed, Seed: 1}.Copy(g)
		if word != nil {
			giveWords(&g1, &g2, truth, word)
		}
		p, err := compare.Design{}.Alignment(t.Context(), g1, g2, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := align.Solve(t.Context(), &p.Problem, align.Options{Limits: qap.Limits{MaxSteps: 60_000}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Matching.Right(truth), p.About
	}
	rng := rand.New(rand.NewPCG(1, 1))
	five := func(int) (of, copied int) {
		of, copied = rng.IntN(5), rng.IntN(5)
		if rng.IntN(10) > 0 {
			copied = of
		}
		return of, copied
	}
	if alone, _ := right(.4, nil); alone > 100 {
		t.Errorf("edges alone find %d nodes: want a harder pair", alone)
	}
	if with, _ := right(.4, five); with < 500 { // measured: 539 of 600
		t.Errorf("with five words %d of 600 nodes are right", with)
	}
	alone, _ := right(.2, nil)
	for name, word := range map[string]func(int) (int, int){
		"random": func(int) (int, int) { return rng.IntN(10), rng.IntN(10) }, "constant": func(int) (int, int) { return 0, 0 },
	} {
		if with, about := right(.2, word); with < alone || strings.Contains(about, "edges a match") {
			t.Errorf("%s words: %d nodes are right, %d by edges alone; %s", name, with, alone, about)
		}
	}
}

// TestKindsOfEdgesCount: words of edges tell nodes apart in a large graph, and words that say nothing do
// no harm.
func TestKindsOfEdgesCount(t *testing.T) {
	g, err := networks.Generate("geometric", 600, 5, 3)
	if err != nil {
		t.Fatal(err)
	}
	h, truth := networks.Noise{Removed: 0.25, Seed: 4}.Copy(g)
	back := qap.NewMatching(h.Nodes)
	for i, j := range truth {
		back[j] = i
	}
	const kinds = 5
	rng := rand.New(rand.NewPCG(5, 0))
	words := func(g *graphs.Graph, kind func(e graphs.Edge) int) {
		a := graphs.Attribute[string]{Name: "type"}
		for _, e := range g.Edges {
			a.Values = append(a.Values, string(rune('a'+kind(e))))
		}
		g.EdgeWords = []graphs.Attribute[string]{a}
	}
	of := map[graphs.Edge]int{}
	words(&g, func(e graphs.Edge) int { of[e] = rng.IntN(kinds); return of[e] })
	right := func(g, h graphs.Graph) (int, compare.Alignment) {
		a, err := compare.Design{}.Alignment(t.Context(), g, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := align.Solve(t.Context(), &a.Problem, align.Options{Limits: qap.Limits{MaxSteps: 600_000}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Matching.Right(truth), a
	}
	plain, _ := right(graphs.Graph{Nodes: g.Nodes, Edges: g.Edges}, h)
	words(&h, func(e graphs.Edge) int {
		i, j := back[e.I], back[e.J]
		if rng.IntN(10) == 0 {
			return rng.IntN(kinds)
		}
		return of[graphs.Edge{I: min(i, j), J: max(i, j)}]
	})
	with, a := right(g, h)
	if !a.Kinds || a.Unlike <= 0 || a.Unlike >= 1 || len(a.Unused) > 0 || with < plain+50 {
		t.Errorf("%d nodes are right by words, %d without; %s, unused %q", with, plain, a.About, a.Unused)
	}
	words(&h, func(graphs.Edge) int { return rng.IntN(kinds) })
	if without, a := right(g, h); a.Kinds || without < plain-50 {
		t.Errorf("by words that say nothing %d nodes are right, %d without; %s", without, plain, a.About)
	}
}
