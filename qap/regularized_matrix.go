package qap

import "fmt"

// MatrixTerms say how a regularised affinity matrix follows from K:
//
//	K_reg[p,q] = Factor·K[p,q] + All + Diagonal·[p = q]
type MatrixTerms struct{ Factor, All, Diagonal float64 }

// RegularizedMatrix is K_reg of the present matching (paper, §4.3.2 and Algorithm 1), by
// what an action does to its size: one match fewer, as many, one more. The change of
// xᵀ·K_reg·x by an action is what RegularizedChanges gives for it in the same form.
//
// In the forms RegularizedLiteral and RegularizedSurrogate the matrix is one for all
// actions. No single matrix gives the exact changes: there, of m matches that become m′,
//
//	K_reg = f(m′)·K + J·(f(m′) − f(m))/(m′² − m²)·1
//
// so that row p belongs to the action p. ok is false where K stays as it is: see
// RegularizedChanges.
func (e *Environment) RegularizedMatrix(form RegularizedForm) (terms [3]MatrixTerms, ok bool) {
	r := e.options.Goal.Regularizer
	if r.None() || e.size <= 1 {
		return terms, false
	}
	if form == RegularizedExact {
		return e.exactTerms(r), true
	}
	g, fits := r.Fit(e.size, e.n1, e.n2)
	if !fits {
		return terms, false
	}
	one := MatrixTerms{1, -g.A * e.score, -g.B * e.score}
	if form == RegularizedSurrogate {
		one.Factor = r.Factor(e.size, e.n1, e.n2)
	}
	return [3]MatrixTerms{one, one, one}, true
}

func (e *Environment) exactTerms(r Regularizer) (terms [3]MatrixTerms) {
	m := float64(e.size)
	f := r.Factor(e.size, e.n1, e.n2)
	for k := range terms {
		grown := float64(k - 1)
		factor := f
		if size := e.size + k - 1; grown != 0 && size <= min(e.n1, e.n2) {
			factor = r.Factor(size, e.n1, e.n2)
		}
		terms[k].Factor = factor
		if grown != 0 {
			terms[k].All = e.score * (factor - f) / (grown * (2*m + grown))
		}
	}
	return terms
}

// Growth returns by how many matches the matching grows when (i,a) is chosen: −1, 0 or 1,
// and 0 where it is matched and choosing it does nothing. What Autofill adds is not
// counted.
func (e *Environment) Growth(i, a int) int {
	b, k := e.match[i], e.inverse[a]
	switch {
	case b == a && e.options.Release:
		return -1
	case b == a:
		return 0
	case b == Unmatched && k == Unmatched:
		return 1
	case b == Unmatched || k == Unmatched:
		return 0
	}
	return -1
}

// The names of the forms, as configurations and models state them.
var formNames = map[RegularizedForm]string{
	RegularizedExact: "exact", RegularizedSurrogate: "corrected", RegularizedLiteral: "literal",
}

func (f RegularizedForm) String() string { return formNames[f] }

// ParseRegularizedForm reads literal, corrected or exact.
func ParseRegularizedForm(text string) (RegularizedForm, error) {
	for form, name := range formNames {
		if name == text {
			return form, nil
		}
	}
	return 0, fmt.Errorf("qap: form %q of the regularised matrix: want literal, corrected or exact", text)
}
