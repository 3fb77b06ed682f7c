package qap

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestRenewedIsNew: whatever an environment was used for before, once renewed it does
// bit for bit what a new one does, and renewing for the same sizes allocates nothing.
func TestRenewedIsNew(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	var instances []*Instance
	for _, size := range [][2]int{{5, 7}, {6, 6}, {3, 2}, {6, 6}, {9, 4}} {
		instances = append(instances, renewable(t, size[0], size[1], rng)...)
	}
	old := &Environment{}
	for round := range 40 {
		in := instances[rng.IntN(len(instances))]
		n1, n2 := in.Size()
		options := EnvironmentOptions{Autofill: round%2 == 0, Release: round%3 == 0}
		if round%5 == 0 && !in.Complete {
			options.Goal.Inliers = 2
		}
		old.Renew(in, options)
		fresh := NewEnvironment(in, options)
		start := RandomMatching(n1, n2, rng)
		for _, e := range []*Environment{old, fresh} {
			e.Reset(start)
			e.Bar(0, true)
		}
		for step := range 20 {
			v, change, ok := old.BestAction()
			w, other, too := fresh.BestAction()
			if v != w || change != other || ok != too || !reflect.DeepEqual(old.ValueChanges(), fresh.ValueChanges()) {
				t.Fatalf("round %d, step %d: action %d (%v, %v), of a new one %d (%v, %v)", round, step, v, change, ok, w, other, too)
			}
			if !ok {
				break
			}
			if old.Step(v) != fresh.Step(v) || old.BestValue() != fresh.BestValue() || !reflect.DeepEqual(old.Gains(), fresh.Gains()) {
				t.Fatalf("round %d, step %d: another state", round, step)
			}
		}
		if allocs := testing.AllocsPerRun(3, func() { old.Renew(in, options) }); allocs > 0 {
			t.Errorf("renewing allocates %v times", allocs)
		}
	}
}

// renewable returns an instance of every form.
func renewable(t *testing.T, n1, n2 int, rng *rand.Rand) []*Instance {
	t.Helper()
	matrix := func(n int) []float64 {
		m := make([]float64, n)
		for k := range m {
			m[k] = float64(rng.IntN(10))
		}
		return m
	}
	product := must.Get(NewKoopmansBeckmann(n1, n2, matrix(n1*n1), matrix(n2*n2), nil, Minimize))(t)
	dense := must.Get(NewDense(n1, n2, matrix(n1*n2*n1*n2), Maximize))(t)
	var entries []Entry
	for range 8 * n1 * n2 {
		entries = append(entries, Entry{rng.IntN(n1 * n2), rng.IntN(n1 * n2), rng.NormFloat64()})
	}
	sparse := must.Get(NewSparse(n1, n2, entries, Maximize))(t)
	return []*Instance{product, dense, sparse}
}
