package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/qap"
)

// mapped returns neighbours of a line, under other names, for the places of a topology.
func mapped(t testing.TB, topology string, n1 int) *qap.Instance {
	places := must.Get(qap.ParseTopology(topology))(t)
	if n1 == 0 {
		n1 = places.Places()
	}
	name := rand.New(rand.NewPCG(4, 4)).Perm(n1)
	var flows []qap.Entry
	for i := range n1 {
		for by, weight := range []float64{5, 2, 1} {
			if j := i + by + 1; j < n1 {
				flows = append(flows, qap.Entry{P: name[i], Q: name[j], Value: weight})
			}
		}
	}
	return must.Get(qap.NewMapping(n1, flows, places, qap.Minimize))(t)
}

// TestMappedCosts: the cost that a search keeps is that of its matching, with empty places too, and
// a number of steps gives the same result however it is cut up.
func TestMappedCosts(t *testing.T) {
	for _, topology := range []string{"grid:8x9", "torus:4x4x5", "hierarchy:4:5:4/1:10:100", "hypercube:6"} {
		for _, empty := range []int{0, 7} {
			in := mapped(t, topology, 0)
			if n, _ := in.Size(); empty > 0 {
				in = mapped(t, topology, n-empty)
			}
			n1, n2 := in.Size()
			start := qap.RandomMatching(n1, n2, rand.New(rand.NewPCG(1, 1)))
			s, other := NewMapped(in, start, false, 3, 60), NewMapped(in, start, false, 3, 60)
			for k := range 60 {
				s.Run(k+1, math.Inf(-1))
				if cost := -in.Score(s.Best()); in.CheckMatching(s.Best()) != nil || math.Abs(cost-s.BestCost()) > 1e-6*cost {
					t.Fatalf("%s: %v is the cost, %v is kept", topology, cost, s.BestCost())
				}
			}
			other.Run(60, math.Inf(-1))
			if !slices.Equal(s.Best(), other.Best()) {
				t.Errorf("%s: other matchings when cut up", topology)
			}
			if before := -in.Score(start); s.BestCost() > 0.6*before {
				t.Errorf("%s: from %v only to %v", topology, before, s.BestCost())
			}
		}
	}
}

// TestMappedLine: a line is folded into a grid without a gap.
func TestMappedLine(t *testing.T) {
	places := must.Get(qap.ParseTopology("grid:6x6"))(t)
	var flows []qap.Entry
	for i := range 35 {
		flows = append(flows, qap.Entry{P: i, Q: i + 1, Value: 1})
	}
	in := must.Get(qap.NewMapping(36, flows, places, qap.Minimize))(t)
	best := math.Inf(1)
	for seed := range uint64(4) {
		r := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Seed: seed, Limits: qap.Limits{MaxSteps: 4000}}))(t)
		best = min(best, r.Objective)
	}
	if best != 35 {
		t.Errorf("length %v, want 35", best)
	}
}

// TestMappedMemory: of 4,096 places and their partners a search keeps some hundred numbers each, no
// matrix, and all that its bisections take on the way is less than half of one.
func TestMappedMemory(t *testing.T) {
	in := mapped(t, "torus:64x64", 0)
	usage.AtMost(t, 4*4096*4096, func() {
		if _, err := (Solver{}).Solve(context.Background(), in, qap.Options{Limits: qap.Limits{MaxSteps: 2}}); err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkMapped counts trials.
func BenchmarkMapped(b *testing.B) {
	for _, topology := range []string{"torus:64x64", "hierarchy:4:8:8:16/1:5:10:100"} {
		b.Run(topology, func(b *testing.B) {
			in := mapped(b, topology, 0)
			n1, n2 := in.Size()
			s := NewMapped(in, qap.RandomMatching(n1, n2, rand.New(rand.NewPCG(1, 1))), false, 1, 1000)
			for b.Loop() {
				s.Run(s.Steps()+1, math.Inf(-1))
			}
			b.ReportMetric(float64(n2)*float64(b.N)/b.Elapsed().Seconds(), "trials/s")
		})
	}
}
