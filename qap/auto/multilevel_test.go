package auto

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

// nested returns an instance whose nodes come in blocks of three in pairs of blocks, in both matrices
// alike, and a matching of the least cost.
func nested(t *testing.T, rng *rand.Rand) (*qap.Instance, qap.Matching) {
	t.Helper()
	const n = 48
	near := func(i, j int) float64 {
		switch {
		case i/3 == j/3:
			return float64(90 + (i+j)%3)
		case i/6 == j/6:
			return 40
		}
		return float64((i/6 + j/6) % 3)
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

// TestByBlocks: blocks are found, and what brings them together is nearly as good as the best at once.
func TestByBlocks(t *testing.T) {
	for seed := range uint64(5) {
		in, best := nested(t, rand.New(rand.NewPCG(seed, 1)))
		kb := in.Affinity.(*qap.KoopmansBeckmann)
		from, to := blocksOf(kb.A(), kb.B(), 48)
		for _, groups := range [][][]int{from, to} {
			if sizes := func(g []int) bool { return len(g) != 3 }; len(groups) != 16 || slices.ContainsFunc(groups, sizes) {
				t.Fatalf("seed %d: blocks %v, want 16 of 3 nodes", seed, groups)
			}
		}
		m := byBlocks(context.Background(), in, seed, nil)
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
	if m := byBlocks(context.Background(), instances.Generated(t, "uniform", 30, 1), 1, nil); m != nil {
		t.Errorf("blocks where there are none: %v", m)
	}
}

// TestByBlocksTakesTime: a limit that joining nodes would use up leaves them alone.
func TestByBlocksTakesTime(t *testing.T) {
	in, _ := nested(t, rand.New(rand.NewPCG(rand.Uint64(), 1)))
	began := time.Now()
	ctx := qap.WithClock(t.Context(), func() time.Time { return began })
	for limit, want := range map[time.Duration]bool{500 * time.Microsecond: false, time.Second: true} {
		watch := qap.Limits{TimeLimit: limit}.Watch(ctx, in)
		if got := byBlocks(ctx, in, 1, &watch) != nil; got != want {
			t.Errorf("%v: a matching by blocks: %t, want %t", limit, got, want)
		}
	}
}
