package anneal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// shaken returns an instance with numbers that are no integers, a linear term and, if
// wanted, two asymmetric matrices.
func shaken(t testing.TB, in *qap.Instance, asymmetric bool, sense qap.Sense) *qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	n, _ := in.Size()
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	a, b, linear := slices.Clone(kb.A()), slices.Clone(kb.B()), make([]float64, n*n)
	for i := range n {
		for j := range n {
			linear[i*n+j] = 30 * rng.Float64()
			if a[i*n+j] != 0 && asymmetric {
				a[i*n+j] += rng.Float64()
			}
			if b[i*n+j] != 0 && asymmetric {
				b[i*n+j] += rng.Float64()
			}
		}
	}
	return must.Get(qap.NewKoopmansBeckmann(n, n, a, b, linear, sense))(t)
}

// variants are instances of all kinds that the memory distinguishes.
func variants(t testing.TB, n int) map[string]*qap.Instance {
	grid, mapping := instances.Generated(t, "grid", n, 1), instances.Generated(t, "mapping", n, 1)
	return map[string]*qap.Instance{
		"grid": grid, "mapping": mapping, "levels": instances.Generated(t, "levels", n, 1), "clusters": instances.Generated(t, "clusters", n, 1),
		"linear": shaken(t, mapping, false, qap.Minimize), "asymmetric": shaken(t, grid, true, qap.Minimize),
		"maximised": shaken(t, mapping, true, qap.Maximize),
	}
}

// TestKernelsAgree: every kernel makes the very trials of the Go one, with lists and
// without, in both types of numbers.
func TestKernelsAgree(t *testing.T) {
	for _, n := range []int{2, 3, 31, 32, 33, 70} {
		for name, in := range variants(t, n) {
			view := must.Get(tabu.NewView(in))(t)
			start := qap.RandomMatching(n, n, rand.New(rand.NewPCG(5, 5)))
			for _, lists := range []bool{false, view.Symmetric}[:1+min(1, btoi(view.Symmetric))] {
				for e := elementFor(view, lists); e <= float64Element; e++ {
					var want *Search
					for _, k := range slices.Backward(kernels()) {
						s := newSearchOf(view, e, lists, view.Assignment(start), -in.Score(start), 7, k)
						s.length = 120
						s.Run(300, math.Inf(-1))
						if want == nil {
							want = s
							continue
						}
						what := fmt.Sprintf("%s, n = %d, element %d, lists %t, %v", name, n, e, lists, k)
						if *s.s != *want.s || !slices.Equal(s.Best(), want.Best()) {
							t.Errorf("%s: %+v, want %+v", what, *s.s, *want.s)
						}
					}
					if got, cost := want.BestCost(), -in.Score(want.Best()); math.Abs(got-cost) > 1e-9*math.Abs(cost) {
						t.Errorf("%s, n = %d, element %d, lists %t: best cost %v, recomputed %v", name, n, e, lists, got, cost)
					}
				}
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestDeltas: the change of cost of every swap is that of the recomputed cost.
func TestDeltas(t *testing.T) {
	const n = 12
	for name, in := range variants(t, n) {
		view := must.Get(tabu.NewView(in))(t)
		start := qap.RandomMatching(n, n, rand.New(rand.NewPCG(5, 6)))
		for _, lists := range []bool{false, view.Symmetric} {
			s := newSearchOf(view, float64Element, lists, view.Assignment(start), -in.Score(start), 7, goKernel)
			e := s.trials.(*compiled[float64, float64]).engine
			for i := range n {
				for j := range n {
					if i == j {
						continue
					}
					swapped := view.Assignment(start)
					swapped[i], swapped[j] = swapped[j], swapped[i]
					want := -in.Score(view.Assignment(swapped)) + in.Score(start)
					if got := e.delta(i, j); math.Abs(got-want) > 1e-9*math.Abs(in.Score(start)) {
						t.Fatalf("%s, lists %t: swapping %d and %d changes the cost by %v, want %v", name, lists, i, j, got, want)
					}
				}
			}
		}
	}
}

// BenchmarkTrials reports trials a second.
func BenchmarkTrials(b *testing.B) {
	for _, n := range []int{343, 1000} {
		for _, family := range []string{"grid", "mapping", "clusters"} {
			in := instances.Generated(b, family, n, 1)
			view := must.Get(tabu.NewView(in))(b)
			start := qap.RandomMatching(n, n, rand.New(rand.NewPCG(5, 5)))
			for _, k := range kernels() {
				b.Run(fmt.Sprintf("%s-%d/%v", family, n, k), func(b *testing.B) {
					s := newSearch(view, view.Assignment(start), -in.Score(start), 7, k)
					s.length = 2000
					s.Run(1000, math.Inf(-1)) // at medium temperature
					b.ReportAllocs()
					b.ResetTimer()
					for range b.N {
						s.begin, s.length = s.Steps()-1000, 2000
						s.Run(s.Steps()+1, math.Inf(-1))
					}
					b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "trials/s")
				})
			}
		}
	}
}
