package tabu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

// newTestImprover returns an improver of any element type on any kernel.
func newTestImprover(t testing.TB, in *qap.Instance, k kernels.Set) *Improver {
	t.Helper()
	return must.Get(newImprover(in, 3, nil, k))(t)
}

func randomAssignment(n int, rng *rand.Rand) []int32 {
	p := make([]int32, n)
	for i, c := range rng.Perm(n) {
		p[i] = int32(c)
	}
	return p
}

// thinned returns an instance without most of its flows: potentials are added up otherwise
// then.
func thinned(t testing.TB, in *qap.Instance) *qap.Instance {
	t.Helper()
	n, _ := in.Size()
	a, b, linear := in.Affinity.(*qap.KoopmansBeckmann).Given()
	few := slices.Clone(a)
	for i := range n {
		for j := range n {
			if (i+j)%4 != 0 {
				few[i*n+j] = 0
			}
		}
	}
	return must.Get(qap.NewKoopmansBeckmann(n, n, few, b, linear, in.Sense))(t)
}

// TestRestartsFollowOneTrajectory compares restarts and short searches, with both
// tenures, in all kernels with the one in Go.
func TestRestartsFollowOneTrajectory(t *testing.T) {
	check := func(name string, in *qap.Instance) {
		t.Run(name, func(t *testing.T) {
			n, _ := in.Size()
			want := newTestImprover(t, in, kernels.Go)
			for _, k := range kernels.Supported() {
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
			check(fmt.Sprintf("n=%d/%s/thinned", n, kind), thinned(t, realInstance(t, n, kind, 1)))
		}
	}
	large := randomInstance(t, 20, "both", qap.Minimize, 1)
	for _, factor := range []float64{100, 1e5} { // int32, float64
		a, b, _ := large.Affinity.(*qap.KoopmansBeckmann).Given()
		scaled := slices.Clone(a)
		for k := range scaled {
			scaled[k] *= factor
		}
		in := must.Get(qap.NewKoopmansBeckmann(20, 20, scaled, b, nil, qap.Minimize))(t)
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
			v := newTestImprover(t, in, kernels.Supported()[0])
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
	v := newTestImprover(t, in, kernels.Supported()[0])
	start := randomAssignment(15, rand.New(rand.NewPCG(1, 1)))
	v.Restart(start, ShortTenure, 50)
	if v.Run(1000, v.Cost()) || v.Steps() != 0 {
		t.Errorf("%d swaps from a start that reaches the target", v.Steps())
	}
}

func TestRestartAllocatesNothing(t *testing.T) {
	for _, k := range kernels.Supported() {
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
		for _, k := range kernels.Supported() {
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
	want := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Seed: 6, Initial: start, Limits: qap.Limits{MaxSteps: steps}}))(t)
	w := must.Get(NewWalk(in, start, 6, nil))(t)
	for w.Steps() < steps {
		w.Run(min(steps, w.Steps()+777), math.Inf(-1))
	}
	if !slices.Equal(w.Best(), want.Matching) || w.BestCost() != -want.Score || w.Steps() != want.Steps {
		t.Errorf("a cost of %v, want %v", w.BestCost(), -want.Score)
	}
	if _, err := NewWalk(in, start[:3], 6, nil); err == nil {
		t.Error("a start that is no assignment is accepted")
	}
}

// TestPreparedInParts: rows at a time, as on large graphs, give what all at once do.
func TestPreparedInParts(t *testing.T) {
	for _, kind := range kinds {
		for _, in := range []*qap.Instance{randomInstance(t, 70, kind, qap.Minimize, 2), realInstance(t, 70, kind, 2), thinned(t, realInstance(t, 70, kind, 2))} {
			for _, k := range kernels.Supported() {
				whole, cut := newTestImprover(t, in, k), newTestImprover(t, in, k)
				start := randomAssignment(70, rand.New(rand.NewPCG(1, 2)))
				for _, v := range []*Improver{whole, cut} {
					v.Restart(start, ShortTenure, 100)
				}
				cut.s.cost = 0
				s := cut.t.(interface{ prepareRows(parts, int, int) })
				for _, part := range []parts{potentials, deltas, freePairs} {
					for from := 0; from < 70; from += 9 {
						s.prepareRows(part, from, min(70, from+9))
					}
				}
				if cut.s.cost /= 2; cut.s.cost != whole.s.cost {
					t.Errorf("%s, %s: a cost of %v, want %v", kind, k, cut.s.cost, whole.s.cost)
				}
				for _, v := range []*Improver{whole, cut} {
					v.Run(1000, math.Inf(-1))
				}
				if *cut.s != *whole.s || !slices.Equal(cut.t.assignment(), whole.t.assignment()) {
					t.Errorf("%s, %s: %+v, want %+v", kind, k, *cut.s, *whole.s)
				}
			}
		}
	}
}

// TestWatchEndsGettingReady: a walk and an improver whose time is over before their first swap
// stay where they are, with what that costs.
func TestWatchEndsGettingReady(t *testing.T) {
	const n = 600 // rows are prepared in parts
	in := randomInstance(t, n, "both", qap.Minimize, 1)
	start := qap.RandomMatching(n, n, rand.New(rand.NewPCG(1, 1)))
	for looks := range 12 {
		looks++
		ctx := qap.WithClock(t.Context(), func() time.Time {
			if looks--; looks < 0 {
				return time.Unix(3600, 0)
			}
			return time.Unix(0, 0)
		})
		watch := qap.Limits{TimeLimit: time.Minute}.Watch(ctx, in)
		w := must.Get(NewWalk(in, start, 1, &watch))(t)
		if w.Run(5, math.Inf(-1)); w.Steps() != 0 || w.BestCost() != -in.Score(w.Best()) || !slices.Equal(w.Best(), start) {
			t.Errorf("walk: %d steps, cost %v", w.Steps(), w.BestCost())
		}
		v := must.Get(NewImprover(in, 1, &watch))(t)
		v.Restart(v.Assignment(start), ShortTenure, 10)
		best := make([]int32, n)
		v.Best(best)
		if ended := v.Run(5, math.Inf(-1)); ended || !v.Over() || v.Steps() != 0 || v.Cost() != -in.Score(start) || !slices.Equal(v.Matching(best), start) {
			t.Errorf("improver: ended %t after %d steps, cost %v", ended, v.Steps(), v.Cost())
		}
	}
}
