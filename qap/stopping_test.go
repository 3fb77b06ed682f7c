package qap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestProductsCanBeStopped: products of all forms ask several times whether to stop, give the same
// numbers where nobody says so, and stop at once where somebody does.
func TestProductsCanBeStopped(t *testing.T) {
	const n1, n2 = 60, 50
	rng := rand.New(rand.NewPCG(9, 1))
	numbers := func(n int) []float64 {
		v := make([]float64, n)
		for k := range v {
			v[k] = rng.NormFloat64()
		}
		return v
	}
	edges := func(n int) (all [][2]int) {
		for i := range n {
			for j := range i {
				all = append(all, [2]int{i, j})
			}
		}
		return all
	}
	var entries []Entry
	for range 400_000 {
		entries = append(entries, Entry{rng.IntN(n1 * n2), rng.IntN(n1 * n2), rng.NormFloat64()})
	}
	product, err1 := NewKoopmansBeckmann(n1, n2, numbers(n1*n1), numbers(n2*n2), numbers(n1*n2), Minimize)
	dense, err2 := NewDense(n1, n2, numbers(n1*n2*n1*n2), Maximize)
	sparse, err3 := NewSparse(n1, n2, entries, Maximize)
	pairs, err4 := NewEdgePairs(n1, n2, edges(n1), edges(n2), numbers(n1*n2), func(int, int, bool) float64 { return rng.NormFloat64() }, Maximize)
	for k, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatal(k, err)
		}
	}
	x := numbers(n1 * n2)
	for _, in := range []*Instance{product, dense, sparse, pairs} {
		k, ok := in.Affinity.(Interruptible)
		if !ok {
			t.Fatalf("%T cannot be stopped", in.Affinity)
		}
		want, have := make([]float64, len(x)), make([]float64, len(x))
		k.Multiply(want, x)
		asked := 0
		if whole := k.MultiplyUntil(have, x, func() bool { asked++; return false }); !whole || !slices.Equal(want, have) {
			t.Errorf("%T: whole %t, or another product", k, whole)
		}
		if asked < 3 {
			t.Errorf("%T: asked %d times", k, asked)
		}
		left := asked / 2
		if whole := k.MultiplyUntil(have, x, func() bool { left--; return left < 0 }); whole || left != -1 {
			t.Errorf("%T: whole %t, asked %d times after it was told to stop", k, whole, -left-1)
		}
	}
}

// TestSolutionAtOnce: what is made at once is a solution with the seeds and as much of the
// matching as can be, and takes the greatest gains where solutions lack matches.
func TestSolutionAtOnce(t *testing.T) {
	complete := must.Get(NewKoopmansBeckmann(3, 3, make([]float64, 9), make([]float64, 9), nil, Minimize))(t)
	partial := must.Get(NewSparse(3, 4, nil, Maximize))(t)
	const u = Unmatched
	for _, c := range []struct {
		in    *Instance
		goal  Goal
		m     Matching
		gains []float64
		want  Matching
	}{
		{complete, Goal{}, nil, nil, Matching{0, 1, 2}},
		{complete, Goal{}, Matching{u, 0, u}, []float64{9, 1, 2, 0, 0, 0, 0, 3, 0}, Matching{2, 0, 1}},
		{complete, Goal{Fixed: Matching{u, u, 0}}, Matching{0, 2, u}, nil, Matching{1, 2, 0}},
		{partial, Goal{}, nil, nil, Matching{u, u, u}},
		{partial, Goal{}, Matching{3, u, 1}, nil, Matching{3, u, 1}},
		{partial, Goal{Inliers: 1}, Matching{3, u, 1}, nil, Matching{3, u, u}},
		{partial, Goal{Inliers: 2, Fixed: Matching{u, u, 1}}, Matching{3, 1, u}, nil, Matching{3, u, 1}},
		{partial, Goal{Inliers: 2}, nil, []float64{0, 0, 0, 5, 0, 0, 1, 6, 9, 9, 9, 9}, Matching{3, 2, u}},
	} {
		have := c.goal.Solution(c.in, c.m, c.gains)
		if !slices.Equal(have, c.want) || !c.goal.Admits(c.in, have) {
			t.Errorf("%+v, %v: %v, want %v", c.goal, c.m, have, c.want)
		}
	}
	if (Goal{}).Admits(complete, nil) || (Goal{Inliers: 1}).Admits(partial, Matching{0, 1, u}) || (Goal{Fixed: Matching{1, u, u}}).Admits(partial, Matching{0, u, u}) {
		t.Error("what is no solution is admitted")
	}
}

// TestResetUntil: an episode that was stopped on the way to its start has exact gains of what is
// matched.
func TestResetUntil(t *testing.T) {
	in, err := NewKoopmansBeckmann(4, 4, []float64{0, 1, 2, 3, 1, 0, 4, 5, 2, 4, 0, 6, 3, 5, 6, 0}, []float64{0, 7, 1, 2, 7, 0, 3, 4, 1, 3, 0, 5, 2, 4, 5, 0}, nil, Minimize)
	if err != nil {
		t.Fatal(err)
	}
	e, left := NewEnvironment(in, EnvironmentOptions{}), 2
	if whole := e.ResetUntil(Matching{3, 2, 1, 0}, func() bool { left--; return left < 0 }); whole || !slices.Equal(e.Matching(), Matching{3, 2, Unmatched, Unmatched}) {
		t.Errorf("whole %t, at %v", whole, e.Matching())
	}
	fresh := NewEnvironment(in, EnvironmentOptions{})
	fresh.Reset(e.Matching())
	if !slices.Equal(e.Gains(), fresh.Gains()) || e.Score() != in.Score(e.Matching()) {
		t.Errorf("gains %v and score %v, want %v and %v", e.Gains(), e.Score(), fresh.Gains(), in.Score(e.Matching()))
	}
	if !e.ResetUntil(Matching{3, 2, 1, 0}, nil) || e.Matched() != 4 {
		t.Errorf("not whole, at %v", e.Matching())
	}
}
