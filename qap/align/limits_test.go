package align_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/confidence"
)

// TestLimitsOnThreads: a number of steps, or of steps without a better matching, gives one
// result on any number of threads, and is not exceeded.
func TestLimitsOnThreads(t *testing.T) {
	p, _ := generated(t, "erdos-renyi", 200, 4, networks.Noise{Seed: 2})
	other, _ := generated(t, "erdos-renyi", 200, 4, networks.Noise{Seed: 3})
	p.B = other.B // not all edges can be shared
	for _, limits := range []qap.Limits{{MaxSteps: 20_001}, {Patience: 3001}} {
		want := solve(t, p, align.Options{Limits: limits})
		if limits.MaxSteps > 0 && (want.Steps != limits.MaxSteps || want.Status != qap.MaxSteps) || limits.Patience > 0 && want.Status != qap.Patience {
			t.Errorf("%+v: %s after %d steps", limits, want.Status, want.Steps)
		}
		for _, threads := range []int{2, 3} {
			if have := solve(t, p, align.Options{Limits: limits, Threads: threads}); !reflect.DeepEqual(have, want) {
				t.Errorf("%+v: %d threads shared %d edges in %d steps, one %d in %d", limits, threads, have.Shared, have.Steps, want.Shared, want.Steps)
			}
		}
	}
}

// TestThreadsUnderALimit: threads that anneal side by side until a limit of time share one best
// matching, whose shared edges are what is counted anew, and each incumbent is better than the last.
func TestThreadsUnderALimit(t *testing.T) {
	p, _ := generated(t, "erdos-renyi", 200, 4, networks.Noise{Seed: 2})
	other, _ := generated(t, "erdos-renyi", 200, 4, networks.Noise{Seed: 3})
	p.B = other.B // not all edges can be shared
	last := math.Inf(-1)
	r := solve(t, p, align.Options{Limits: qap.Limits{TimeLimit: 300 * time.Millisecond}, Threads: 2, OnBest: func(b qap.Incumbent) {
		if b.Score <= last {
			t.Errorf("told of %v after %v", b.Score, last)
		}
		last = b.Score
	}})
	if shared := p.SharedEdges(r.Matching); r.Status != qap.TimeLimit || r.Shared != shared || r.Objective != last {
		t.Errorf("%s: %d edges said, %d shared; objective %v, told %v", r.Status, r.Shared, shared, r.Objective, last)
	}
}

// TestUnitOfWeights: the unit of weights is of no account, and a similarity counts as many
// edges in any.
func TestUnitOfWeights(t *testing.T) {
	for _, similar := range [][]align.Similar{nil, {{Pair: align.Pair{I: 3, J: 5}, Score: 1}, {Pair: align.Pair{I: 7, J: 2}, Score: 0.5}}} {
		var matching qap.Matching
		for _, unit := range []float64{1, 0x1p-30, 0x1p30} {
			rng := rand.New(rand.NewPCG(6, 0))
			graph := func() *align.Graph {
				ends, weights := make([][2]int, 150), make([]float64, 150)
				for k := range ends {
					ends[k], weights[k] = [2]int{rng.IntN(50), rng.IntN(50)}, unit*float64(1+rng.IntN(4))
				}
				g, err := align.NewGraph(50, len(ends), func(k int) (i, j int) { return ends[k][0], ends[k][1] }, weights, false)
				if err != nil {
					t.Fatal(err)
				}
				return g
			}
			r := solve(t, &align.Problem{A: graph(), B: graph(), Similar: similar, NodeWeight: 2}, steps(50_000))
			if r.FoundBy != align.BySwaps {
				t.Errorf("weights in units of %g: found by %s", unit, r.FoundBy)
			}
			if matching == nil {
				matching = r.Matching
			}
			if !slices.Equal(r.Matching, matching) {
				t.Errorf("weights in units of %g have another matching", unit)
			}
		}
	}
	if _, err := align.NewGraph(2, 1, func(int) (i, j int) { return 0, 1 }, []float64{1e-50}, false); err == nil {
		t.Error("an edge whose weight is too small for 32 bits was left out")
	}
}

// TestAssessHubs: leaves of a hub have no margin, and only the hub is sure.
func TestAssessHubs(t *testing.T) {
	const n = 3000
	star, err := align.NewGraph(n, n-1, func(k int) (i, j int) { return 0, k + 1 }, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	m := make(qap.Matching, n)
	for i := range m {
		m[i] = i
	}
	a := align.Assess(t.Context(), &align.Problem{A: star, B: star}, m)
	a.Matches[n-1].Told = confidence.Told{}
	if a.Sure != 1 || !a.Matches[0].Sure() || a.Matches[n-1] != (align.Match{Witnesses: 1}) {
		t.Errorf("%d sure, the hub %+v, a leaf %+v", a.Sure, a.Matches[0], a.Matches[n-1])
	}
}

// TestEndsByItself: without a limit a search ends once nothing has come for as long as it took to come
// there, of what is easy after a fraction of the steps.
func TestEndsByItself(t *testing.T) {
	const n = 200
	for seed := range uint64(3) {
		for _, removed := range []float64{0, 0.3} {
			p, _ := generated(t, "erdos-renyi", n, 4, networks.Noise{Seed: seed, Removed: removed})
			p.Similar = []align.Similar{{Score: 1}} // with which no bound says that all edges are shared
			last := 0
			r := solve(t, p, align.Options{OnBest: func(b qap.Incumbent) { last = b.Steps }})
			switch {
			case r.Status == qap.Converged && last > r.Steps/2:
				t.Errorf("seed %d, %g removed: it ended after %d steps, though something came after %d", seed, removed, r.Steps, last)
			case r.Status == qap.MaxSteps && last <= r.Steps/8 || r.Status != qap.Converged && r.Status != qap.MaxSteps:
				t.Errorf("seed %d, %g removed: %s after %d steps, the best after %d", seed, removed, r.Status, r.Steps, last)
			case removed == 0 && r.Steps > align.DefaultSteps*n/4:
				t.Errorf("seed %d: %d steps for what the start found", seed, r.Steps)
			}
		}
	}
}

// TestTwinsWithoutPartner: a match is not sure where a node that nobody has could as well be one of it, and is less
// likely right than not where that has no more edges than the match explains.
func TestTwinsWithoutPartner(t *testing.T) {
	const n, edges = 80, 240
	graph := func(nodes int, of [][2]int) *align.Graph {
		return must.Get(align.NewGraph(nodes, len(of), func(k int) (i, j int) { return of[k][0], of[k][1] }, nil, false))(t)
	}
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var of1, of2 [][2]int
		taken := map[[2]int]bool{}
		for len(of1) < edges {
			e := [2]int{rng.IntN(n), rng.IntN(n)}
			if e[0] < e[1] && !taken[e] {
				taken[e], of1 = true, append(of1, e)
			}
		}
		node := of1[0][0]
		of2 = of1[1:] // it loses its first edge
		for _, e := range of2 {
			for k, end := range e {
				if end == node { // which its twin, node n of the first graph, does not have
					of1 = append(of1, [2]int{e[1-k], n})
				}
			}
		}
		a := graph(n+1, of1)
		p := align.Problem{A: a, B: graph(n, of2)}
		m := make(qap.Matching, n+1)
		for i := range n {
			m[i] = i
		}
		m[n] = qap.Unmatched
		if told := align.Assess(t.Context(), &p, m).Matches[node]; told.Right > 0.5 {
			t.Errorf("seed %d: a node whose twin explains all: right by %v", seed, told.Right)
		}
		m[node], m[n] = qap.Unmatched, node
		if told := align.Assess(t.Context(), &p, m).Matches[n]; told.Sure() {
			t.Errorf("seed %d: the twin itself: right by %v", seed, told.Right)
		}
	}
}
