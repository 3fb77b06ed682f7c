package align

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// askKinds are graphs with symmetries by their edges.
var askKinds = map[string]func(rng *rand.Rand) (nodes int, edges [][2]int){
	"ring": func(*rand.Rand) (int, [][2]int) {
		var edges [][2]int
		for i := range 40 {
			edges = append(edges, [2]int{i, (i + 1) % 40})
		}
		return 40, edges
	},
	"grid": func(*rand.Rand) (int, [][2]int) {
		const side = 9
		var edges [][2]int
		for x := range side {
			for y := range side {
				if x > 0 {
					edges = append(edges, [2]int{(x-1)*side + y, x*side + y})
				}
				if y > 0 {
					edges = append(edges, [2]int{x*side + y - 1, x*side + y})
				}
			}
		}
		return side * side, edges
	},
	"tree": func(*rand.Rand) (int, [][2]int) { // two subtrees of a root are alike, and theirs
		var edges [][2]int
		for i := 1; i < 63; i++ {
			edges = append(edges, [2]int{(i - 1) / 2, i})
		}
		return 63, edges
	},
	"random tree": func(rng *rand.Rand) (int, [][2]int) {
		var edges [][2]int
		for i := 1; i < 60; i++ {
			edges = append(edges, [2]int{rng.IntN(i), i})
		}
		return 60, edges
	},
}

// TestAskedPairsSettleMost: of copies without some edges, more nodes are right where the partners of those are known of which
// the result says to ask than where those of three random nodes are.
func TestAskedPairsSettleMost(t *testing.T) {
	const seeds, lost = 8, 2
	for kind, of := range askKinds {
		asked, random, without := 0, 0, 0
		for seed := range uint64(seeds) {
			rng := rand.New(rand.NewPCG(seed, 6))
			n, edges := of(rng)
			truth := rng.Perm(n)
			gone := rng.Perm(len(edges))[:lost]
			var kept [][2]int
			for k, e := range edges {
				if k != gone[0] && k != gone[1] {
					kept = append(kept, [2]int{truth[e[0]], truth[e[1]]})
				}
			}
			a, err1 := NewGraph(n, len(edges), func(k int) (i, j int) { return edges[k][0], edges[k][1] }, nil, false)
			b, err2 := NewGraph(n, len(kept), func(k int) (i, j int) { return kept[k][0], kept[k][1] }, nil, false)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			solve := func(nodes []int) (qap.Matching, int) {
				p := &Problem{A: a, B: b}
				for _, i := range nodes {
					p.Known = append(p.Known, Pair{i, truth[i]})
				}
				r, err := Solve(t.Context(), p, Options{Limits: qap.Limits{MaxSteps: 60_000}, Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				return r.Matching, r.Matching.Right(truth)
			}
			m, right := solve(nil)
			without += right
			known := Assess(t.Context(), &Problem{A: a, B: b}, m)
			ask := known.Questions(t.Context(), &Problem{A: a, B: b}, m)
			if len(ask) > mostQuestions {
				t.Fatalf("%s: asks of %v", kind, ask)
			}
			questions := mostQuestions
			if kind == "grid" {
				questions = 1 // any three settle all of it
			}
			_, right = solve(ask[:min(questions, len(ask))])
			asked += right
			_, right = solve(rng.Perm(n)[:questions])
			random += right
		}
		t.Logf("%s: right of %d: %d where nothing is known, %d of as many random nodes, %d of those asked of", kind, seeds, without, random, asked)
		if asked <= random && kind != "ring" { // of which any three are as good
			t.Errorf("%s: %d right with the pairs asked of, %d with random ones, %d with none", kind, asked, random, without)
		}
	}
}

// TestNothingToAsk: no node is asked of that is sure, or known, and none where all are.
func TestNothingToAsk(t *testing.T) {
	all := 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 7))
		const n = 60
		var edges, kept [][2]int
		truth := rng.Perm(n)
		for i := range n {
			for j := range i {
				if rng.IntN(5) > 0 {
					continue
				}
				if edges = append(edges, [2]int{i, j}); len(edges)%60 > 0 {
					kept = append(kept, [2]int{truth[i], truth[j]})
				}
			}
		}
		a, err1 := NewGraph(n, len(edges), func(k int) (i, j int) { return edges[k][0], edges[k][1] }, nil, false)
		b, err2 := NewGraph(n, len(kept), func(k int) (i, j int) { return kept[k][0], kept[k][1] }, nil, false)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for _, known := range []int{0, n} {
			p := &Problem{A: a, B: b}
			for i := range known {
				p.Known = append(p.Known, Pair{i, truth[i]})
			}
			assessed := Assess(t.Context(), p, truth)
			asked := assessed.Questions(t.Context(), p, truth)
			for _, i := range asked {
				if assessed.Matches[i].Sure() {
					t.Errorf("seed %d: node %d is asked of, and sure", seed, i)
				}
			}
			if assessed.Sure == n {
				if all++; len(asked) > 0 {
					t.Errorf("seed %d: %v are asked of, and all are sure", seed, asked)
				}
			}
		}
	}
	if all < 6 {
		t.Errorf("all matches of %d problems of 6 whose pairs are known are sure", all)
	}
}
