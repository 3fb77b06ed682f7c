package tabu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// newTestImprover returns an improver of any element type on any kernel.
func newTestImprover(t testing.TB, in *qap.Instance, k kernel) *Improver {
	t.Helper()
	v, err := newImprover(in, 3, k)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func randomAssignment(n int, rng *rand.Rand) []int32 {
	p := make([]int32, n)
	for i, c := range rng.Perm(n) {
		p[i] = int32(c)
	}
	return p
}

// TestRestartsFollowOneTrajectory compares restarts and short searches, with both
// tenures, in all kernels with the one in Go.
func TestRestartsFollowOneTrajectory(t *testing.T) {
	check := func(name string, in *qap.Instance) {
		t.Run(name, func(t *testing.T) {
			n, _ := in.Size()
			want := newTestImprover(t, in, goKernel)
			for _, k := range kernels() {
				rng, other := rand.New(rand.NewPCG(1, 2)), newTestImprover(t, in, k)
				*want.s = *other.s
				for round := range 6 {
					start := randomAssignment(n, rng)
					for _, v := range []*Improver{want, other} {
						v.Restart(start, Tenure(round%2), 3*n)
						for v.Steps() < 400*(round+1) && !v.Run(v.Steps()+17, math.Inf(-1)) {
						}
					}
					if *other.s != *want.s {
						t.Fatalf("%s: %+v, want %+v", k, *other.s, *want.s)
					}
					if !slices.Equal(other.t.assignment(), want.t.assignment()) || !slices.Equal(other.t.best(), want.t.best()) {
						t.Fatalf("%s: another assignment", k)
					}
				}
			}
		})
	}
	for _, n := range []int{2, 3, 7, 16, 17, 32, 45, 70} {
		for _, kind := range kinds {
			check(fmt.Sprintf("n=%d/%s", n, kind), randomInstance(t, n, kind, qap.Minimize, uint64(n)))
			check(fmt.Sprintf("n=%d/%s/real", n, kind), realInstance(t, n, kind, 1))
		}
	}
	large := randomInstance(t, 20, "both", qap.Minimize, 1)
	for _, factor := range []float64{100, 1e5} { // int32, float64
		a, b, _ := large.Affinity.(*qap.KoopmansBeckmann).Given()
		scaled := slices.Clone(a)
		for k := range scaled {
			scaled[k] *= factor
		}
		in, err := qap.NewKoopmansBeckmann(20, 20, scaled, b, nil, qap.Minimize)
		if err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("times %v", factor), in)
	}
}

// TestRestartCosts recomputes the cost of what each search starts from and finds.
func TestRestartCosts(t *testing.T) {
	const n = 19
	rng := rand.New(rand.NewPCG(4, 4))
	for _, kind := range kinds {
		for _, sense := range []qap.Sense{qap.Minimize, qap.Maximize} {
			in := randomInstance(t, n, kind, sense, 8)
			v := newTestImprover(t, in, kernels()[0])
			for range 5 {
				start := randomAssignment(n, rng)
				v.Restart(start, ShortTenure, n)
				if got, want := v.Cost(), -in.Score(v.Matching(start)); got != want {
					t.Fatalf("%s: a start of cost %v, want %v", kind, got, want)
				}
				for !v.Run(v.Steps()+100, math.Inf(-1)) {
				}
				best := make([]int32, n)
				v.Best(best)
				if got, want := v.Cost(), -in.Score(v.Matching(best)); got != want {
					t.Fatalf("%s: found a cost of %v, want %v", kind, got, want)
				}
				if !slices.Equal(v.Assignment(v.Matching(best)), best) {
					t.Fatalf("%s: a matching and back is another assignment", kind)
				}
				if v.BestStep() > v.Steps() || v.Steps()-v.BestStep() != n {
					t.Fatalf("%s: ended %d swaps after the best, want %d", kind, v.Steps()-v.BestStep(), n)
				}
			}
			checkDeltas(t, v.t.(*search[float32, int32]), func(m qap.Matching) float64 { return -in.Score(v.problem.assignment(m)) })
		}
	}
}

// TestImproverStopsAtItsTarget: a search that reaches a cost makes no more swaps.
func TestImproverStopsAtItsTarget(t *testing.T) {
	in := randomInstance(t, 15, "both", qap.Minimize, 2)
	v := newTestImprover(t, in, kernels()[0])
	start := randomAssignment(15, rand.New(rand.NewPCG(1, 1)))
	v.Restart(start, ShortTenure, 50)
	if v.Run(1000, v.Cost()) || v.Steps() != 0 {
		t.Errorf("%d swaps from a start that reaches the target", v.Steps())
	}
}

func TestRestartAllocatesNothing(t *testing.T) {
	for _, k := range kernels() {
		v := newTestImprover(t, randomInstance(t, 20, "both", qap.Minimize, 1), k)
		start := randomAssignment(20, rand.New(rand.NewPCG(1, 1)))
		if allocations := testing.AllocsPerRun(20, func() {
			v.Restart(start, LongTenure, 10)
			v.Run(v.Steps()+50, math.Inf(-1))
			v.Best(start)
		}); allocations != 0 {
			t.Errorf("%s: a search allocates %v times", k, allocations)
		}
	}
}

// BenchmarkRestart times what a search costs before its first swap, in swaps.
func BenchmarkRestart(b *testing.B) {
	for _, n := range []int{30, 75, 256} {
		for _, k := range kernels() {
			b.Run(fmt.Sprintf("n=%d/%s", n, k), func(b *testing.B) {
				v := newTestImprover(b, randomInstance(b, n, "both", qap.Minimize, 1), k)
				start := randomAssignment(n, rand.New(rand.NewPCG(1, 1)))
				b.ReportAllocs()
				for range b.N {
					v.Restart(start, ShortTenure, n)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "restarts/s")
			})
		}
	}
}

// TestWalkIsTheTrajectory of Solver, however it is cut up.
func TestWalkIsTheTrajectory(t *testing.T) {
	const steps = 5000
	in := randomInstance(t, 17, "both", qap.Minimize, 1)
	start := qap.RandomMatching(17, 17, rand.New(rand.NewPCG(2, 2)))
	want, err := Solver{}.Solve(context.Background(), in, qap.Options{Seed: 6, Initial: start, Limits: qap.Limits{MaxSteps: steps}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWalk(in, start, 6)
	if err != nil {
		t.Fatal(err)
	}
	for w.Steps() < steps {
		w.Run(min(steps, w.Steps()+777), math.Inf(-1))
	}
	if !slices.Equal(w.Best(), want.Matching) || w.BestCost() != -want.Score || w.Steps() != want.Steps {
		t.Errorf("a cost of %v, want %v", w.BestCost(), -want.Score)
	}
	if _, err := NewWalk(in, start[:3], 6); err == nil {
		t.Error("a start that is no assignment is accepted")
	}
}
