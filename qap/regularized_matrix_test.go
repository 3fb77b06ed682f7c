package qap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRegularizedMatrixGivesTheChanges: in every form, xᵀ·K_reg·x changes by an action as
// RegularizedChanges says; K_reg is written out entry by entry.
func TestRegularizedMatrixGivesTheChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	const n1, n2 = 5, 6
	k := make([]float64, n1*n2*n1*n2)
	for p := range k {
		k[p] = rng.NormFloat64()
	}
	in, err := NewDense(n1, n2, k, Maximize)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Regularizer{RegularizeF1, RegularizeF2, RegularizeF3, RegularizeMean(1.3)} {
		for _, release := range []bool{false, true} {
			e := NewEnvironment(in, EnvironmentOptions{Release: release, Goal: Goal{Regularizer: r}})
			for range 40 {
				for _, form := range []RegularizedForm{RegularizedExact, RegularizedSurrogate, RegularizedLiteral} {
					checkMatrix(t, e, r, form)
				}
				e.Step(rng.IntN(n1 * n2))
			}
		}
	}
}

func checkMatrix(t *testing.T, e *Environment, r Regularizer, form RegularizedForm) {
	t.Helper()
	terms, ok := e.RegularizedMatrix(form)
	if !ok {
		if e.size > 1 && form == RegularizedExact {
			t.Fatalf("%s: no matrix of %d matches", r, e.size)
		}
		return
	}
	changes := e.RegularizedChanges(make([]float64, e.n1*e.n2), r, form)
	for v, want := range changes {
		if !e.Allowed(v) {
			continue
		}
		after := NewEnvironment(e.instance, e.options)
		after.Reset(e.Matching())
		after.Step(v)
		if grown := after.Matched() - e.Matched(); grown != e.Growth(v/e.n2, v%e.n2) {
			t.Fatalf("vertex %d grows the matching by %d, Growth says %d", v, grown, e.Growth(v/e.n2, v%e.n2))
		}
		matrix := terms[1+e.Growth(v/e.n2, v%e.n2)]
		got := quadraticForm(e.instance, after.Matching(), matrix) - quadraticForm(e.instance, e.Matching(), matrix)
		if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
			t.Fatalf("%s, %v, %d matches, vertex %d: the matrix gives %v, want %v", r, form, e.Matched(), v, got, want)
		}
	}
}

// quadraticForm is xᵀ·K_reg·x of a matching.
func quadraticForm(in *Instance, m Matching, terms MatrixTerms) (sum float64) {
	_, n2 := in.Size()
	for i, a := range m {
		for j, b := range m {
			if a == Unmatched || b == Unmatched {
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

func TestParseRegularizedForm(t *testing.T) {
	for _, form := range []RegularizedForm{RegularizedExact, RegularizedSurrogate, RegularizedLiteral} {
		if got, err := ParseRegularizedForm(form.String()); err != nil || got != form {
			t.Errorf("%v is read as %v, %v", form, got, err)
		}
	}
	for _, text := range []string{"", "Exact", "none"} {
		if _, err := ParseRegularizedForm(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// TestCountEndsEpisodes: with StopAtInliers a count of inliers leaves nothing to choose.
func TestCountEndsEpisodes(t *testing.T) {
	in, err := NewDense(4, 5, make([]float64, 400), Maximize)
	if err != nil {
		t.Fatal(err)
	}
	for _, stop := range []bool{false, true} {
		e := NewEnvironment(in, EnvironmentOptions{StopAtInliers: stop, Goal: Goal{Inliers: 2}})
		e.Step(0)
		if e.Finished() {
			t.Error("finished before the count is reached")
		}
		e.Step(6)
		if e.Finished() != stop {
			t.Errorf("StopAtInliers %v: Finished is %v at the count", stop, e.Finished())
		}
	}
	if e := NewEnvironment(in, EnvironmentOptions{StopAtInliers: true}); e.Finished() {
		t.Error("finished without a count")
	}
}
