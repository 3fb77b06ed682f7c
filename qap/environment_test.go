package qap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// forms returns small random instances of every form and shape.
func forms(rng *rand.Rand, integer bool) []*Instance {
	number := func() float64 {
		if integer {
			return float64(rng.IntN(41) - 20)
		}
		return rng.NormFloat64()
	}
	numbers := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = number()
		}
		return v
	}
	symmetric := func(n int) []float64 {
		v := numbers(n * n)
		for i := range n {
			for j := range i {
				v[i*n+j] = v[j*n+i]
			}
		}
		return v
	}
	var instances []*Instance
	add := func(name string, in *Instance, err error) {
		if err != nil {
			panic(err)
		}
		in.Name = name
		instances = append(instances, in)
	}
	for _, size := range [][2]int{{4, 4}, {3, 5}, {5, 3}, {1, 1}, {2, 2}, {1, 3}} {
		n1, n2 := size[0], size[1]
		shape := fmt.Sprintf("%dx%d", n1, n2)
		in, err := NewKoopmansBeckmann(n1, n2, numbers(n1*n1), numbers(n2*n2), numbers(n1*n2), Minimize)
		add("asymmetric "+shape, in, err)
		in, err = NewKoopmansBeckmann(n1, n2, symmetric(n1), numbers(n2*n2), nil, Minimize)
		add("half symmetric "+shape, in, err)
		in, err = NewDense(n1, n2, numbers(n1*n2*n1*n2), Maximize)
		add("dense "+shape, in, err)
		in, err = NewDense(n1, n2, numbers(n1*n2*n1*n2), Minimize)
		in.Complete = true
		add("dense complete "+shape, in, err)
		var entries []Entry
		for range 4 * n1 * n2 {
			entries = append(entries, Entry{rng.IntN(n1 * n2), rng.IntN(n1 * n2), number()})
		}
		in, err = NewSparse(n1, n2, entries, Maximize)
		add("sparse "+shape, in, err)
	}
	return instances
}

var allOptions = []EnvironmentOptions{{}, {Release: true}, {Autofill: true}, {Autofill: true, Release: true}, {Irrevocable: true}}

// randomState returns a random partial matching.
func randomState(in *Instance, rng *rand.Rand) Matching {
	n1, n2 := in.Size()
	m := RandomMatching(n1, n2, rng)
	drop := rng.IntN(3)
	for i := range m {
		if rng.IntN(3) < drop {
			m[i] = Unmatched
		}
	}
	return m
}

// potential returns the mean score of all completions of m, by enumeration.
func potential(in *Instance, m Matching) float64 {
	n1, n2 := in.Size()
	if m.Size() == min(n1, n2) {
		return in.Score(m)
	}
	used := make([]bool, n2)
	for _, a := range m {
		if a != Unmatched {
			used[a] = true
		}
	}
	sum, count := 0.0, 0
	var fill func(i int, m Matching)
	fill = func(i int, m Matching) {
		if m.Size() == min(n1, n2) {
			sum += in.Score(m)
			count++
			return
		}
		if i == n1 {
			return
		}
		if m[i] != Unmatched {
			fill(i+1, m)
			return
		}
		for a := range n2 {
			if !used[a] {
				used[a], m[i] = true, a
				fill(i+1, m)
				used[a], m[i] = false, Unmatched
			}
		}
		fill(i+1, m) // with more nodes in graph 1, some stay free
	}
	fill(0, m.Clone())
	return sum / float64(count)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// TestChangesMatchBruteForce compares the changes that the environment states
// for every action with what the action does, recomputed from scratch.
func TestChangesMatchBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, in := range forms(rng, false) {
		n1, n2 := in.Size()
		_, kb := in.Affinity.(*KoopmansBeckmann)
		value := in.Score
		if kb {
			value = func(m Matching) float64 { return potential(in, m) }
		}
		for _, options := range allOptions {
			t.Run(fmt.Sprintf("%s/%+v", in.Name, options), func(t *testing.T) {
				e, after := NewEnvironment(in, options), NewEnvironment(in, options)
				scoreChanges := make([]float64, n1*n2)
				for range 20 {
					state := randomState(in, rng)
					e.Reset(state)
					if !near(e.Score(), in.Score(state)) {
						t.Fatalf("score %v, want %v", e.Score(), in.Score(state))
					}
					if !near(e.Value(), value(state)) {
						t.Fatalf("%v: value %v, want %v", state, e.Value(), value(state))
					}
					e.ScoreChanges(scoreChanges)
					for v, change := range e.ValueChanges() {
						if !e.Allowed(v) {
							continue
						}
						after.Reset(state)
						got := after.Step(v)
						next := after.Matching()
						if err := in.CheckMatching(next); err != nil {
							t.Fatal(err)
						}
						if want := in.Score(next) - in.Score(state); !near(got, want) || !near(scoreChanges[v], want) {
							t.Fatalf("%v, vertex %d: Step %v, ScoreChanges %v, want %v", state, v, got, scoreChanges[v], want)
						}
						if want := value(next) - value(state); !near(change, want) {
							t.Fatalf("%v → %v, vertex %d: ValueChanges %v, want %v", state, next, v, change, want)
						}
					}
				}
			})
		}
	}
}

// TestStepReleasesConflicts checks paper §4.2: at most two conflicting matches
// are released, then the vertex is matched.
func TestStepReleasesConflicts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	in := forms(rng, false)[2]
	_, n2 := in.Size()
	e := NewEnvironment(in, EnvironmentOptions{})
	for range 500 {
		before := e.Matching()
		v := rng.IntN(len(e.Gains()))
		i, a := v/n2, v%n2
		e.Step(v)
		for j, b := range before {
			want := b
			if j == i {
				want = a
			} else if b == a {
				want = Unmatched
			}
			if e.Match(j) != want {
				t.Fatalf("%v, vertex %d: node %d matches %d, want %d", before, v, j, e.Match(j), want)
			}
		}
		if len(e.Released()) > 2 {
			t.Fatalf("released %v", e.Released())
		}
	}
}

// TestNoDrift takes 10,000 random steps on integer data: the incremental score
// and the best must equal the recomputed ones exactly (DESIGN: sums of integers
// below 2⁵³ are exact in float64).
func TestNoDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, in := range forms(rng, true) {
		for _, options := range []EnvironmentOptions{{}, {Autofill: true, Release: true}} {
			e := NewEnvironment(in, options)
			gains := make([]float64, len(e.Gains()))
			for range 10000 {
				e.Step(rng.IntN(len(gains)))
			}
			if got, want := e.Score(), in.Score(e.Matching()); got != want {
				t.Errorf("%s %+v: score %v after 10000 steps, want %v", in.Name, options, got, want)
			}
			if best, score := e.Best(); score != in.Score(best) || !in.IsSolution(best) {
				t.Errorf("%s %+v: best %v scores %v, stated %v", in.Name, options, best, in.Score(best), score)
			}
			copy(gains, e.Gains())
			e.Reset(e.Matching())
			for v, g := range e.Gains() {
				if g != gains[v] {
					t.Fatalf("%s: gain of vertex %d drifted from %v to %v", in.Name, v, g, gains[v])
				}
			}
		}
	}
}

// TestScoreIsLawlers compares Score with vec(X)ᵀ·K·vec(X).
func TestScoreIsLawlers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const n1, n2 = 3, 4
	n := n1 * n2
	k := make([]float64, n*n)
	for i := range k {
		k[i] = rng.NormFloat64()
	}
	original := append([]float64(nil), k...)
	for _, sense := range []Sense{Maximize, Minimize} {
		in := must.Get(NewDense(n1, n2, append([]float64(nil), original...), sense))(t)
		for range 50 {
			m := randomState(in, rng)
			want := 0.0
			for i, a := range m {
				for j, b := range m {
					if a != Unmatched && b != Unmatched {
						want += original[(i*n2+a)*n+j*n2+b]
					}
				}
			}
			if got := in.Objective(in.Score(m)); !near(got, want) {
				t.Fatalf("%v, %v: objective %v, want %v", sense, m, got, want)
			}
		}
	}
}

// TestIrrevocable checks the available set of the paper's equation 2.
func TestIrrevocable(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	in := forms(rng, false)[6]
	n1, n2 := in.Size()
	e := NewEnvironment(in, EnvironmentOptions{Irrevocable: true})
	for !e.Finished() {
		var available []int
		for v := range n1 * n2 {
			want := e.Match(v/n2) == Unmatched && e.Inverse(v%n2) == Unmatched
			if e.Allowed(v) != want {
				t.Fatalf("vertex %d: Allowed %v, want %v", v, e.Allowed(v), want)
			}
			if want {
				available = append(available, v)
			}
		}
		e.Step(available[rng.IntN(len(available))])
	}
	if e.Matched() != min(n1, n2) || e.Steps() != min(n1, n2) {
		t.Fatalf("%d matches after %d steps, want %d", e.Matched(), e.Steps(), min(n1, n2))
	}
}

// TestRestoreReturnsToAState goes on from a restored state as from the original.
func TestRestoreReturnsToAState(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, in := range forms(rng, true) {
		e, other := NewEnvironment(in, EnvironmentOptions{}), NewEnvironment(in, EnvironmentOptions{})
		for range 20 {
			for range rng.IntN(6) {
				e.Step(rng.IntN(len(e.Gains())))
			}
			other.Restore(e.Snapshot())
			best, score := e.Best()
			otherBest, otherScore := other.Best()
			if !slices.Equal(e.Matching(), other.Matching()) || e.Score() != other.Score() || e.Steps() != other.Steps() ||
				score != otherScore || e.BestStep() != other.BestStep() || e.HasBest() && !slices.Equal(best, otherBest) ||
				!slices.Equal(e.Gains(), other.Gains()) {
				t.Fatalf("%s: restored state differs", in.Name)
			}
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, in := range forms(rng, false) {
		n1, n2 := in.Size()
		e := NewEnvironment(in, EnvironmentOptions{Autofill: true})
		v := 0
		if allocs := testing.AllocsPerRun(100, func() {
			e.Step(v % (n1 * n2))
			v += 7
			e.ValueChanges()
		}); allocs != 0 {
			t.Errorf("%s: %v allocations a step", in.Name, allocs)
		}
	}
}

func TestEmptyInstance(t *testing.T) {
	in := must.Get(NewKoopmansBeckmann(0, 3, nil, make([]float64, 9), nil, Minimize))(t)
	e := NewEnvironment(in, EnvironmentOptions{Autofill: true})
	if !e.Finished() || !e.HasBest() || len(e.ValueChanges()) != 0 {
		t.Fatal("an instance without vertices should be solved by the empty matching")
	}
}

func BenchmarkStep(b *testing.B) {
	for _, n := range []int{10, 30, 64} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			matrix := func() []float64 {
				m := make([]float64, n*n)
				for i := range m {
					m[i] = float64(rng.IntN(100))
				}
				return m
			}
			in, _ := NewKoopmansBeckmann(n, n, matrix(), matrix(), nil, Minimize)
			e := NewEnvironment(in, EnvironmentOptions{Autofill: true})
			e.Reset(RandomMatching(n, n, rng))
			b.ReportAllocs()
			for b.Loop() {
				e.Step(rng.IntN(n * n))
				e.ValueChanges()
			}
			b.ReportMetric(float64(b.N)*float64(n*n)/b.Elapsed().Seconds(), "vertices/s")
		})
	}
}
