package qap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

var regularizers = []Regularizer{
	{}, RegularizeF1, RegularizeF2, RegularizeF3, RegularizeMean(1), RegularizeMean(1.6),
	NewRegularizer("exp", func(m, n1, n2 int) float64 { return math.Exp(-float64(m) / float64(n1+n2)) }),
}

// surrogate returns xᵀ(factor·K − aJ·1 − bJ·I)x for the matching of e and the
// matrix of the given m and J, entry by entry.
func surrogate(in *Instance, x Matching, factor float64, g Quadratic, score float64) float64 {
	_, n2 := in.Size()
	sum := 0.0
	for i, a := range x {
		for j, b := range x {
			if a == Unmatched || b == Unmatched {
				continue
			}
			entry := factor*in.Affinity.At(i*n2+a, j*n2+b) - g.A*score
			if i == j {
				entry -= g.B * score
			}
			sum += entry
		}
	}
	return sum
}

// TestRegularizedChanges compares every change with the definition, evaluated
// before and after the action, on instances of every form and shape.
func TestRegularizedChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, in := range forms(rng, false) {
		n1, n2 := in.Size()
		for _, options := range []EnvironmentOptions{{}, {Release: true}, {Autofill: true}} {
			e := NewEnvironment(in, options)
			for range 12 {
				for _, r := range regularizers {
					for form := RegularizedExact; form <= RegularizedLiteral; form++ {
						changes := e.RegularizedChanges(make([]float64, n1*n2), r, form)
						for v, got := range changes {
							if want := bruteChange(e, v, r, form); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
								t.Fatalf("%s %v %s form %d, vertex %d: change %v, want %v", in.Name, e.match, r, form, v, got, want)
							}
						}
					}
				}
				e.Step(rng.IntN(n1 * n2))
			}
		}
	}
}

// bruteChange evaluates the definition before and after choosing v.
func bruteChange(e *Environment, v int, r Regularizer, form RegularizedForm) float64 {
	in, n1, n2 := e.instance, e.n1, e.n2
	after := NewEnvironment(in, e.options)
	after.Reset(e.Matching())
	after.Step(v)
	x, y := e.Matching(), after.Matching()
	jx, jy := in.Score(x), in.Score(y)
	g, fits := r.Fit(x.Size(), n1, n2)
	switch {
	case x.Size() <= 1 || form != RegularizedExact && !fits:
		return jy - jx
	case form == RegularizedExact:
		return jy*r.Factor(y.Size(), n1, n2) - jx*r.Factor(x.Size(), n1, n2)
	}
	factor := 1.0
	if form == RegularizedSurrogate {
		factor = r.Factor(x.Size(), n1, n2)
	}
	return surrogate(in, y, factor, g, jx) - surrogate(in, x, factor, g, jx)
}

// TestSurrogateFollowsTheExactScore: the sign before b and the factor f(m) are
// those of the exact objective. Where all affinities are alike, the surrogate is off
// by less than half the exact change, which is the curvature of one whole match; the
// literal form is always farther off.
func TestSurrogateFollowsTheExactScore(t *testing.T) {
	const n = 12
	k := make([]float64, n*n*n*n)
	for p := range k {
		k[p] = 1
	}
	in := must.Get(NewDense(n, n, k, Maximize))(t)
	e := NewEnvironment(in, EnvironmentOptions{Release: true})
	for i := range n / 2 {
		e.Step(i*n + i)
	}
	for _, r := range []Regularizer{RegularizeF1, RegularizeF2, RegularizeMean(1)} {
		change := func(form RegularizedForm, v int) float64 {
			return e.RegularizedChanges(make([]float64, n*n), r, form)[v]
		}
		for _, v := range []int{0, n*n - 1} { // release, add
			exact := change(RegularizedExact, v)
			ours, literal := change(RegularizedSurrogate, v), change(RegularizedLiteral, v)
			if math.Abs(ours-exact) >= math.Abs(literal-exact) || math.Abs(ours-exact) > math.Abs(exact)/2 {
				t.Errorf("%s, vertex %d: exact %.3f, surrogate %.3f, literal %.3f", r, v, exact, ours, literal)
			}
		}
	}
}

func TestRegularizerFit(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-12 }
	// f1 is linear: the fit is f1 itself.
	g, ok := RegularizeF1.Fit(5, 10, 12)
	if !ok || !near(g.A, 0) || !near(g.B, 1./36) || !near(g.C, 0) {
		t.Errorf("f1: %+v, %v", g, ok)
	}
	// Three sizes are interpolated: 1−1/n² at 1, 2, 3.
	g, ok = RegularizeF3.Fit(2, 3, 9)
	if !ok || !near(g.At(1), 0) || !near(g.At(2), 3./4) || !near(g.At(3), 8./9) {
		t.Errorf("f3: %+v, %v", g, ok)
	}
	// Five sizes: the residual is orthogonal to 1, n and n².
	for _, r := range regularizers[1:] {
		g, ok = r.Fit(6, 9, 9)
		moments := [3]float64{}
		for n := 4.0; n <= 8; n++ {
			residual := 1 - r.Factor(int(n), 9, 9) - g.At(n)
			for k := range moments {
				moments[k] += residual * math.Pow(n, float64(k))
			}
		}
		if !ok || slices.ContainsFunc(moments[:], func(m float64) bool { return math.Abs(m) > 1e-10 }) {
			t.Errorf("%s: moments %v", r, moments)
		}
	}
	for _, c := range []struct{ m, n1, n2 int }{{0, 9, 9}, {1, 9, 9}, {2, 2, 9}, {5, 0, 0}} {
		if g, ok := RegularizeF3.Fit(c.m, c.n1, c.n2); ok {
			t.Errorf("%+v: fitted %+v", c, g)
		}
	}
	if _, ok := (Regularizer{}).Fit(5, 9, 9); ok {
		t.Error("none is fitted")
	}
}

func TestParseRegularizer(t *testing.T) {
	for text, want := range map[string]float64{
		"none": 1, "f1": 1 - 4./30, "f2": 5. / 13, "f3": 1. / 16, "mean": 1. / 4, "mean:0.5": .5, "mean:2": 1. / 16,
	} {
		r, err := ParseRegularizer(text)
		if err != nil || r.String() != text || math.Abs(r.Factor(4, 8, 10)-want) > 1e-15 || r.Factor(0, 8, 10) != 1 {
			t.Errorf("%s: %v, f(4) = %v, %v", text, r, r.Factor(4, 8, 10), err)
		}
	}
	for _, text := range []string{"", "f4", "mean:", "mean:x", "mean:NaN", "mean:1e9", "MEAN"} {
		if _, err := ParseRegularizer(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
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
	in := must.Get(NewDense(4, 5, make([]float64, 400), Maximize))(t)
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
