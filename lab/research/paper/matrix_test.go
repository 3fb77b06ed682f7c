package paper

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// TestMatrixGivesTheChanges: in every form, xᵀ·K_reg·x changes by an action as
// RegularizedChanges says; K_reg is written out entry by entry.
func TestMatrixGivesTheChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	const n1, n2 = 5, 6
	k := solvertest.SignedMatrix(rng, n1*n2)
	in := must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
	for _, r := range []qap.Regularizer{qap.RegularizeF1, qap.RegularizeF2, qap.RegularizeF3, qap.RegularizeMean(1.3)} {
		for _, release := range []bool{false, true} {
			e := qap.NewEnvironment(in, qap.EnvironmentOptions{Release: release, Goal: qap.Goal{Regularizer: r}})
			for range 40 {
				for _, form := range []qap.RegularizedForm{qap.RegularizedExact, qap.RegularizedSurrogate, qap.RegularizedLiteral} {
					checkMatrix(t, e, r, form)
				}
				e.Step(rng.IntN(n1 * n2))
			}
		}
	}
}

func checkMatrix(t *testing.T, e *qap.Environment, r qap.Regularizer, form qap.RegularizedForm) {
	t.Helper()
	terms, ok := regularizedMatrix(e, form)
	if !ok {
		if e.Matched() > 1 && form == qap.RegularizedExact {
			t.Fatalf("%s: no matrix of %d matches", r, e.Matched())
		}
		return
	}
	n1, n2 := e.Size()
	changes := e.RegularizedChanges(make([]float64, n1*n2), r, form)
	for v, want := range changes {
		if !e.Allowed(v) {
			continue
		}
		after := qap.NewEnvironment(e.Instance(), e.Options())
		after.Reset(e.Matching())
		after.Step(v)
		if grown := after.Matched() - e.Matched(); grown != growth(e, v/n2, v%n2) {
			t.Fatalf("vertex %d grows the matching by %d, Growth says %d", v, grown, growth(e, v/n2, v%n2))
		}
		matrix := terms[1+growth(e, v/n2, v%n2)]
		got := quadraticForm(e.Instance(), after.Matching(), matrix) - quadraticForm(e.Instance(), e.Matching(), matrix)
		if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
			t.Fatalf("%s, %v, %d matches, vertex %d: the matrix gives %v, want %v", r, form, e.Matched(), v, got, want)
		}
	}
}

// quadraticForm is xᵀ·K_reg·x of a matching.
func quadraticForm(in *qap.Instance, m qap.Matching, terms matrixTerms) (sum float64) {
	_, n2 := in.Size()
	for i, a := range m {
		for j, b := range m {
			if a == qap.Unmatched || b == qap.Unmatched {
				continue
			}
			sum += terms.Factor*in.Affinity.At(i*n2+a, j*n2+b) + terms.All
			if i == j {
				sum += terms.Diagonal
			}
		}
	}
	return sum
}
