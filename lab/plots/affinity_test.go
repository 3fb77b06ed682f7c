package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// randomAffinity is symmetric with entries of both signs.
func randomAffinity(t *testing.T, n1, n2 int) *qap.Instance {
	t.Helper()
	rng, n := rand.New(rand.NewPCG(7, 7)), n1*n2
	k := make([]float64, n*n)
	for p := range n {
		for q := range p + 1 {
			k[p*n+q] = rng.NormFloat64()
			k[q*n+p] = k[p*n+q]
		}
	}
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestRegularizedMatrixGivesTheSurrogate: the change of xᵀMx by every action is what
// package qap reckons without the matrix.
func TestRegularizedMatrixGivesTheSurrogate(t *testing.T) {
	in := randomAffinity(t, 4, 5)
	m := qap.Matching{2, 0, qap.Unmatched, 4}
	form := func(row func([]float64, int), m qap.Matching) float64 {
		sum, entries := 0.0, make([]float64, 20)
		for i, a := range m {
			if a == qap.Unmatched {
				continue
			}
			row(entries, i*5+a)
			for j, b := range m {
				if b != qap.Unmatched {
					sum += entries[j*5+b]
				}
			}
		}
		return sum
	}
	for _, literal := range []bool{false, true} {
		kind := qap.RegularizedSurrogate
		if literal {
			kind = qap.RegularizedLiteral
		}
		row := regularizedRows(in, qap.RegularizeF3, m, literal)
		e := qap.NewEnvironment(in, qap.EnvironmentOptions{Release: true})
		e.Reset(m)
		for v, want := range e.RegularizedChanges(make([]float64, 20), qap.RegularizeF3, kind) {
			after := qap.NewEnvironment(in, qap.EnvironmentOptions{Release: true})
			after.Reset(m)
			after.Step(v)
			now := qap.NewMatching(4)
			for i := range now {
				now[i] = after.Match(i)
			}
			if have := form(row, now) - form(row, m); math.Abs(have-want) > 1e-9 {
				t.Errorf("literal %v, vertex %d: change %v, want %v", literal, v, have, want)
			}
		}
	}
	row := regularizedRows(in, qap.RegularizeF1, qap.Matching{0, -1, -1, -1}, false)
	if have, want := form(row, m), in.Score(m); math.Abs(have-want) > 1e-9 {
		t.Errorf("without a fit the matrix scores %v, K %v", have, want)
	}
}
