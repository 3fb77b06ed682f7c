package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

// nested returns an instance whose nodes come in blocks of one size in pairs of blocks, in both matrices
// alike, and a matching of the least cost.
func nested(t *testing.T, blocks, size int, rng *rand.Rand) (*qap.Instance, qap.Matching) {
	t.Helper()
	n, pair := blocks*size, 2*size
	near := func(i, j int) float64 {
		switch {
		case i/size == j/size:
			return float64(90 + (i+j)%3)
		case i/pair == j/pair:
			return 40
		}
		return float64((i/pair + j/pair) % 3)
	}
	to := rng.Perm(n)
	a, b, best := make([]float64, n*n), make([]float64, n*n), qap.NewMatching(n)
	for i := range n {
		best[i] = to[i]
		for j := range n {
			if i != j {
				a[i*n+j], b[to[i]*n+to[j]] = near(i, j), 100-near(i, j)
			}
		}
	}
	return must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t), best
}

// inClearBlocks returns an instance in whose features blocks show, so that the search matches them, and the best.
func inClearBlocks(t *testing.T) (*qap.Instance, qap.Matching) {
	t.Helper()
	in, best := nested(t, 12, 5, rand.New(rand.NewPCG(1, 1)))
	if f := structure(in); !f.blocks() {
		t.Fatalf("likeness %v is not that of blocks, or they are taken for copies: %t", f.Likeness, f.Copies)
	}
	return in, best
}

// TestByBlocks: blocks are found, and what brings them together is nearly as good as the best at once.
func TestByBlocks(t *testing.T) {
	for seed := range uint64(5) {
		size := 3 + 6*int(seed%2)
		in, best := nested(t, 16, size, rand.New(rand.NewPCG(seed, 1)))
		kb := in.Affinity.(*qap.KoopmansBeckmann)
		from, to := blocksOf(kb.A(), kb.B(), 16*size)
		for _, groups := range [][][]int{from, to} {
			if sizes := func(g []int) bool { return len(g) != size }; len(groups) != 16 || slices.ContainsFunc(groups, sizes) {
				t.Fatalf("seed %d: blocks %v, want 16 of %d nodes", seed, groups, size)
			}
		}
		m, _ := byBlocks(context.Background(), in, seed, 0, nil)
		if m == nil {
			t.Fatalf("seed %d: no matching by blocks", seed)
		}
		if err := in.CheckMatching(m); err != nil {
			t.Fatal(err)
		}
		if got, want := -in.Score(m), -in.Score(best); got > 1.01*want {
			t.Errorf("seed %d: cost %v, the best is at most %v", seed, got, want)
		}
	}
	if m, _ := byBlocks(context.Background(), instances.Generated(t, "uniform", 30, 1), 1, 0, nil); m != nil {
		t.Errorf("blocks where there are none: %v", m)
	}
}

// TestByBlocksTakesTime: a limit that joining nodes would use up leaves them alone.
func TestByBlocksTakesTime(t *testing.T) {
	in, _ := nested(t, 16, 3, rand.New(rand.NewPCG(rand.Uint64(), 1)))
	began := time.Now()
	ctx := qap.WithClock(t.Context(), func() time.Time { return began })
	for limit, want := range map[time.Duration]bool{500 * time.Microsecond: false, time.Second: true} {
		watch := qap.Limits{TimeLimit: limit}.Watch(ctx, in)
		m, _ := byBlocks(ctx, in, 1, 0, &watch)
		if got := m != nil; got != want {
			t.Errorf("%v: a matching by blocks: %t, want %t", limit, got, want)
		}
	}
}

// TestByBlocksCounts: swaps of blocks are steps as well, so that a limit of steps is kept, and more steps find no less.
func TestByBlocksCounts(t *testing.T) {
	in, _ := inClearBlocks(t)
	recalled := qap.RandomMatching(60, 60, rand.New(rand.NewPCG(2, 1)))
	for _, solver := range []Solver{{}, {Threads: 2}, {Recalled: recalled}} {
		last := math.Inf(-1)
		for _, most := range []int{1, 100, 5000, 64_000, 64_001, 100_000} {
			r := must.Get(solver.Solve(t.Context(), in, qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: most}}))(t)
			if r.Steps != most || in.CheckMatching(r.Matching) != nil || !in.IsSolution(r.Matching) || r.Score < last {
				t.Errorf("%+v: %d steps of %d, score %v after %v", solver, r.Steps, most, r.Score, last)
			}
			last = r.Score
		}
	}
}

// TestBestOfBlocksAndRecalled: where matching blocks takes all steps, the better one of that and what is recalled is the result; so
// it is where annealing, which begins elsewhere, comes first.
func TestBestOfBlocksAndRecalled(t *testing.T) {
	in, best := inClearBlocks(t)
	poor := qap.RandomMatching(60, 60, rand.New(rand.NewPCG(2, 1)))
	for _, most := range []int{1, 100, 500} {
		o := qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: most}}
		alone := must.Get(Solver{}.Solve(t.Context(), in, o))(t)
		if alone.Score <= in.Score(poor) {
			t.Fatalf("%d steps: blocks have %v, which is no better than %v", most, alone.Score, in.Score(poor))
		}
		if r := must.Get(Solver{Recalled: poor}.Solve(t.Context(), in, o))(t); r.Score < alone.Score || r.FoundBy == ByRecalled {
			t.Errorf("%d steps: %v by %s beside something poor, without it %v", most, r.Score, r.FoundBy, alone.Score)
		}
		if r := must.Get(Solver{Recalled: best}.Solve(t.Context(), in, o))(t); r.Score < in.Score(best) || r.FoundBy != ByRecalled {
			t.Errorf("%d steps: %v by %s, %v was recalled", most, r.Score, r.FoundBy, in.Score(best))
		}
	}
	large := instances.Generated(t, "grid", largeFrom, 1)
	o := qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: 5000}}
	found := must.Get(Solver{}.Solve(t.Context(), large, o))(t)
	o.MaxSteps = 10
	if r := must.Get(Solver{Recalled: found.Matching}.Solve(t.Context(), large, o))(t); r.Score < found.Score || r.FoundBy != ByRecalled {
		t.Errorf("%v by %s, %v was recalled", r.Score, r.FoundBy, found.Score)
	}
}
