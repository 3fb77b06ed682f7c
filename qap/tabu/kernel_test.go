package tabu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

var elements = map[string]element{"float32": elementFloat32, "int32": elementInt32, "float64": elementFloat64}

// newTestTrajectory starts a search that only until ends.
func newTestTrajectory(in *qap.Instance, e element, k kernels.Set, seed uint64) (problem, trajectory) {
	n, _ := in.Size()
	rng := rand.New(rand.NewPCG(seed, 1))
	p := newProblem(in, in.Affinity.(*qap.KoopmansBeckmann))
	m := qap.RandomMatching(n, n, rng)
	t := newTrajectory(&p, e, k, p.assignment(m), -in.Score(m), rng)
	t.begin(rng, nil)
	setLimits(t.state(), in, qap.Limits{})
	t.state().earlySteps = earlySteps // both tenures, also where all is dense
	return p, t
}

func advance(t trajectory, steps int) {
	t.state().until = t.state().step + int64(steps)
	t.run()
}

// realInstance has entries that are no integers.
func realInstance(t testing.TB, n int, kind string, seed uint64) *qap.Instance {
	in := randomInstance(t, n, kind, qap.Minimize, seed)
	a, b, linear := in.Affinity.(*qap.KoopmansBeckmann).Given()
	matrices := [][]float64{slices.Clone(a), slices.Clone(b), slices.Clone(linear)}
	for _, m := range matrices {
		for k := range m {
			m[k] = math.Sqrt(math.Abs(m[k])) - 1
		}
	}
	in = must.Get(qap.NewKoopmansBeckmann(n, n, matrices[0], matrices[1], matrices[2], qap.Minimize))(t)
	return in
}

// TestKernelsFollowOneTrajectory compares all of the state, in which the random
// numbers tell apart even trajectories that meet again, and the assignments.
func TestKernelsFollowOneTrajectory(t *testing.T) {
	check := func(name string, in *qap.Instance, e element) {
		t.Run(name, func(t *testing.T) {
			_, want := newTestTrajectory(in, e, kernels.Go, 5)
			var others []trajectory
			for _, k := range kernels.Supported() {
				_, other := newTestTrajectory(in, e, k, 5)
				others = append(others, other)
			}
			for _, steps := range []int{1, 1, 7, 500, 1000} {
				advance(want, steps)
				for k, other := range others {
					advance(other, steps)
					if *other.state() != *want.state() {
						t.Fatalf("%s: %+v, want %+v", kernels.Supported()[k], *other.state(), *want.state())
					}
					if !slices.Equal(other.assignment(), want.assignment()) || !slices.Equal(other.best(), want.best()) {
						t.Fatalf("%s: another assignment", kernels.Supported()[k])
					}
				}
			}
		})
	}
	for _, n := range []int{2, 3, 7, 12, 16, 17, 32, 45, 64, 70} {
		for _, kind := range kinds {
			in := randomInstance(t, n, kind, qap.Minimize, uint64(n))
			for name, e := range elements {
				if p := newProblem(in, in.Affinity.(*qap.KoopmansBeckmann)); e >= p.element() {
					check(fmt.Sprintf("n=%d/%s/%s", n, kind, name), in, e)
				}
			}
			check(fmt.Sprintf("n=%d/%s/real", n, kind), realInstance(t, n, kind, 1), elementFloat64)
		}
	}
}

// TestLateScheduleAndRebase runs the kernels past the first tenure, the Go one
// with its clock set back on the way.
func TestLateScheduleAndRebase(t *testing.T) {
	for _, kind := range kinds {
		in := randomInstance(t, 9, kind, qap.Minimize, 4)
		_, want := newTestTrajectory(in, elementFloat32, kernels.Supported()[0], 1)
		_, other := newTestTrajectory(in, elementFloat32, kernels.Go, 1)
		for range 30 {
			advance(want, 1000)
			advance(other, 1000)
			other.rebase()
		}
		want.rebase()
		if *other.state() != *want.state() || !slices.Equal(other.assignment(), want.assignment()) {
			t.Fatalf("%s: rebased %+v, want %+v", kind, *other.state(), *want.state())
		}
	}
}

// TestCostsStayExact recomputes the cost after each of many swaps, and every delta
// that is kept; integers must agree exactly, whatever they are stored in.
func TestCostsStayExact(t *testing.T) {
	const n = 19
	for _, kind := range kinds {
		for _, sense := range []qap.Sense{qap.Minimize, qap.Maximize} {
			in := randomInstance(t, n, kind, sense, 3)
			p, s := newTestTrajectory(in, elementFloat32, kernels.Supported()[0], 1)
			cost := func(assignment qap.Matching) float64 { return -in.Score(p.assignment(assignment)) }
			for range 200 {
				advance(s, 1)
				if got, want := s.state().cost, cost(s.assignment()); got != want {
					t.Fatalf("%s: cost %v, want %v", kind, got, want)
				}
				if got, want := s.state().best, cost(s.best()); got != want {
					t.Fatalf("%s: best %v, want %v", kind, got, want)
				}
			}
			checkDeltas(t, s.(*search[float32, int32]), cost)
		}
	}
}

func checkDeltas(t *testing.T, s *search[float32, int32], cost func(qap.Matching) float64) {
	t.Helper()
	s.updateDeltas() // the swap that is pending
	width := int(s.s.width)
	for j := range s.assignment() {
		for i := range j {
			m := s.assignment()
			m[i], m[j] = m[j], m[i]
			if got, want := float64(s.delta[i*width+j]), cost(m)-s.s.cost; got != want {
				t.Fatalf("delta (%d,%d) is %v, want %v", i, j, got, want)
			}
			if got, want := s.pairUntil[i*width+j], min(s.until[i*width+m[i]], s.until[j*width+m[j]]); got != want {
				t.Fatalf("pair (%d,%d) is tabu until %d, want %d", i, j, got, want)
			}
		}
	}
}

// TestElement takes data to the edge of each type.
func TestElement(t *testing.T) {
	for want, largest := range map[element]float64{elementFloat32: 1 << 8, elementInt32: 1 << 12, elementFloat64: 1 << 20} {
		a := []float64{0, largest, largest, 0}
		in := must.Get(qap.NewKoopmansBeckmann(2, 2, a, a, nil, qap.Minimize))(t)
		p := newProblem(in, in.Affinity.(*qap.KoopmansBeckmann))
		if got := p.element(); got != want {
			t.Errorf("entries up to %v take element %d, want %d", largest, got, want)
		}
	}
}

// TestDenseProblemsSkipTheFirstTenure thins one matrix out.
func TestDenseProblemsSkipTheFirstTenure(t *testing.T) {
	const n = 10
	for want, thin := range map[int64]bool{0: false, earlySteps: true} {
		a, b := make([]float64, n*n), make([]float64, n*n)
		for k := range a {
			if k/n != k%n {
				a[k], b[k] = 1, 2
			}
			if thin && k%3 == 0 {
				b[k] = 0
			}
		}
		in := must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t)
		p := newProblem(in, in.Affinity.(*qap.KoopmansBeckmann))
		if got := newState(&p, 0, rand.New(rand.NewPCG(1, 1))).earlySteps; got != want {
			t.Errorf("thinned %v: %d steps under the first tenure, want %d", thin, got, want)
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	for _, k := range kernels.Supported() {
		_, s := newTestTrajectory(randomInstance(t, 20, "both", qap.Minimize, 1), elementFloat32, k, 1)
		if allocations := testing.AllocsPerRun(20, func() { advance(s, 100) }); allocations != 0 {
			t.Errorf("%s: 100 steps allocate %v times", k, allocations)
		}
	}
}

func BenchmarkSwap(b *testing.B) {
	for _, n := range []int{12, 30, 64, 100, 256} {
		for _, kind := range []string{"both", "neither"} {
			in := randomInstance(b, n, kind, qap.Minimize, 1)
			for _, k := range kernels.Supported() {
				b.Run(fmt.Sprintf("n=%d/%s/%s", n, kind, k), func(b *testing.B) {
					p := newProblem(in, in.Affinity.(*qap.KoopmansBeckmann))
					_, s := newTestTrajectory(in, p.element(), k, 1)
					portion := 16 * int(leastSteps(n))
					b.ReportAllocs()
					b.ResetTimer()
					for done := 0; done < b.N; done += portion {
						advance(s, portion)
					}
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "swaps/s")
				})
			}
		}
	}
}
