package reweigh_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// TestGateEnds: choosing keeps to the deadline of its context and leaves the instance as
// given where that is too near.
func TestGateEnds(t *testing.T) {
	a := newAffinity(t, logRatio(9))
	in := randomPointsPair(t, 40, graphs.PaperSynthetic)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, d, err := reweigh.Rule().Choose(cancelled, a, in, qap.Goal{}, false); err != nil || !d.AsGiven() || d.Reason != reweigh.ReasonCancelled {
		t.Errorf("cancelled: decision %+v, error %v", d, err)
	}
	clock := solvertest.Clock()
	for _, limit := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 300 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		start := clock()
		now, d, err := newGate(t, wants(true, .7)).Choose(ctx, a, in, qap.Goal{}, false)
		cancel()
		if err != nil || now == nil || !d.Learned && d.Reason != reweigh.ReasonTime {
			t.Fatalf("%v: decision %+v, error %v", limit, d, err)
		}
		// The deadline is the wall's; that it does not go on is told by the processor's time.
		if took := clock().Sub(start); took > limit+limit/20+500*time.Millisecond {
			t.Errorf("%v took %v", limit, took)
		}
	}
}

// TestGateEndsAnywhere: whenever the context ends, the instance is as it was given, or
// the choice is made.
func TestGateEndsAnywhere(t *testing.T) {
	a, g := newAffinity(t, logRatio(9)), newGate(t, wants(true, .7))
	const n = 8
	rng := rand.New(rand.NewPCG(1, 2))
	k := make([]float64, n*n*n*n)
	for p := range n * n {
		for q := range p {
			if rng.IntN(3) > 0 {
				k[p*n*n+q] = rng.Float64()
				k[q*n*n+p] = k[p*n*n+q]
			}
		}
	}
	in, err := qap.NewDense(n, n, k, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	for asked := range 400 {
		now, d, err := g.Choose(solvertest.EndsAfter(t.Context(), asked), a, in, qap.Goal{}, false)
		if err != nil || now == nil {
			t.Fatalf("after %d looks at the context: decision %+v, error %v", asked, d, err)
		}
	}
}
