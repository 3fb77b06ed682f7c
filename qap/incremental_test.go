package qap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// bothForms returns instances on Rows with a share of entries, and the same instances with
// dense affinities.
func bothForms(t testing.TB, rng *rand.Rand) (sparse, dense []*Instance) {
	t.Helper()
	for _, size := range [][2]int{{6, 6}, {5, 8}, {9, 4}, {1, 3}, {12, 12}} {
		n := size[0] * size[1]
		for _, share := range []float64{.02, .2, .8} {
			k := make([]float64, n*n)
			var entries []Entry
			for p := range n {
				for q := range p + 1 {
					if rng.Float64() < share {
						v := rng.NormFloat64()
						k[p*n+q], k[q*n+p] = v, v
						entries = append(entries, Entry{p, q, v})
						if p != q {
							entries = append(entries, Entry{q, p, v})
						}
					}
				}
			}
			for _, complete := range []bool{false, true} {
				s := must.Get(NewSparse(size[0], size[1], entries, Maximize))(t)
				d := must.Get(NewDense(size[0], size[1], append([]float64{}, k...), Maximize))(t)
				s.Complete, d.Complete = complete, complete
				sparse, dense = append(sparse, s), append(dense, d)
			}
		}
	}
	return sparse, dense
}

// TestSparseIsDenseBitForBit follows random and best actions on sparse affinities and
// on the same ones, dense: every number and every choice is the same.
func TestSparseIsDenseBitForBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	sparse, dense := bothForms(t, rng)
	for k, in := range sparse {
		for _, goal := range append(goalsOf(in), Goal{}) {
			for _, options := range allOptions {
				options.Goal = goal
				compareEpisodes(t, NewEnvironment(in, options), NewEnvironment(dense[k], options), rng)
			}
		}
	}
}

func compareEpisodes(t *testing.T, e, dense *Environment, rng *rand.Rand) {
	t.Helper()
	n1, n2 := e.Size()
	other := NewEnvironment(e.Instance(), e.Options())
	for step := range 60 {
		if step%25 == 0 {
			m := randomState(e.Instance(), rng)
			e.Reset(m)
			dense.Reset(m)
		}
		v := rng.IntN(n1 * n2)
		switch barred := rng.IntN(2) == 0; rng.IntN(8) {
		case 0:
			other.CopyFrom(e)
			e.Step(v)
			dense.Step(v)
			e.CopyFrom(other)
			dense.Restore(e.Snapshot())
			e.Restore(e.Snapshot())
		case 1, 2:
			e.Bar(v, barred)
			dense.Bar(v, barred)
		case 3, 4:
			if e.Allowed(v) {
				e.Step(v)
				dense.Step(v)
			}
		default:
			v, change, ok := e.BestAction()
			if w, c, found := dense.BestAction(); v != w || change != c || ok != found {
				t.Fatalf("%v %+v: best action %d (%v, %v), dense %d (%v, %v)", e.match, e.options, v, change, ok, w, c, found)
			}
			if ok {
				e.Step(v)
				dense.Step(v)
			}
		}
		if rng.IntN(4) == 0 {
			compareStates(t, e, dense)
		}
	}
}

func compareStates(t *testing.T, e, dense *Environment) {
	t.Helper()
	if e.Score() != dense.Score() || e.Value() != dense.Value() || e.BestValue() != dense.BestValue() {
		t.Fatalf("score %v, value %v, best %v; dense %v, %v, %v", e.Score(), e.Value(), e.BestValue(), dense.Score(), dense.Value(), dense.BestValue())
	}
	changes, scores := e.ValueChanges(), e.ScoreChanges(make([]float64, len(e.gains)))
	denseScores := dense.ScoreChanges(make([]float64, len(e.gains)))
	for v, change := range dense.ValueChanges() {
		if changes[v] != change || scores[v] != denseScores[v] || e.Gains()[v] != dense.Gains()[v] {
			t.Fatalf("vertex %d: change %v, of the score %v; dense %v, %v", v, changes[v], scores[v], change, denseScores[v])
		}
	}
}

func TestSparseStepsAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	sparse, _ := bothForms(t, rng)
	e := NewEnvironment(sparse[len(sparse)-6], EnvironmentOptions{Release: true})
	allocated := testing.AllocsPerRun(100, func() {
		e.Step(rng.IntN(144))
		v, _, _ := e.BestAction()
		e.Bar(v, true)
		e.Bar(v, false)
	})
	if allocated > 0 {
		t.Errorf("%v allocations a step", allocated)
	}
}

// TestMultiplyMatching: the product with a matching has the bits of that with its 0/1
// vector; by pairs of edges sums come in another order.
func TestMultiplyMatching(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 3))
	sparse, dense := bothForms(t, rng)
	pairs, _, _ := edgePairTriplet(t, rng, 6, 7, .5, Maximize)
	for _, in := range append(append(sparse, dense...), pairs) {
		n1, n2 := in.Size()
		m := randomState(in, rng)
		x, want, got := make([]float64, n1*n2), make([]float64, n1*n2), make([]float64, n1*n2)
		for i, a := range m {
			if a != Unmatched {
				x[i*n2+a] = 1
			}
		}
		in.Affinity.Multiply(want, x)
		in.Affinity.(interface {
			MultiplyMatching(dst []float64, m Matching)
		}).MultiplyMatching(got, m)
		for p := range want {
			if got[p] != want[p] && (in != pairs || math.Abs(got[p]-want[p]) > 1e-12) {
				t.Fatalf("%T %d×%d: %v at %d, want %v", in.Affinity, n1, n2, got[p], p, want[p])
			}
		}
	}
}
