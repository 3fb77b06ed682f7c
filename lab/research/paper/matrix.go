package paper

import "github.com/rgm-go/rgm/qap"

// matrixTerms say how a regularised affinity matrix follows from K:
//
//	K_reg[p,q] = Factor·K[p,q] + All + Diagonal·[p = q]
type matrixTerms struct{ Factor, All, Diagonal float64 }

// regularizedMatrix is K_reg of the present matching (paper, §4.3.2 and Algorithm 1), by
// what an action does to its size: one match fewer, as many, one more. The change of
// xᵀ·K_reg·x by an action is what Environment.RegularizedChanges gives for it in the same form.
//
// In the forms qap.RegularizedLiteral and qap.RegularizedSurrogate the matrix is one for all
// actions. No single matrix gives the exact changes: there, of m matches that become m′,
//
//	K_reg = f(m′)·K + J·(f(m′) − f(m))/(m′² − m²)·1
//
// so that row p belongs to the action p. ok is false where K stays as it is: see
// Environment.RegularizedChanges.
func regularizedMatrix(e *qap.Environment, form qap.RegularizedForm) (terms [3]matrixTerms, ok bool) {
	r := e.Options().Goal.Regularizer
	n1, n2 := e.Size()
	if r.None() || e.Matched() <= 1 {
		return terms, false
	}
	if form == qap.RegularizedExact {
		return exactTerms(e, r), true
	}
	g, fits := r.Fit(e.Matched(), n1, n2)
	if !fits {
		return terms, false
	}
	one := matrixTerms{1, -g.A * e.Score(), -g.B * e.Score()}
	if form == qap.RegularizedSurrogate {
		one.Factor = r.Factor(e.Matched(), n1, n2)
	}
	return [3]matrixTerms{one, one, one}, true
}

func exactTerms(e *qap.Environment, r qap.Regularizer) (terms [3]matrixTerms) {
	n1, n2 := e.Size()
	m := float64(e.Matched())
	f := r.Factor(e.Matched(), n1, n2)
	for k := range terms {
		grown := float64(k - 1)
		factor := f
		if size := e.Matched() + k - 1; grown != 0 && size <= min(n1, n2) {
			factor = r.Factor(size, n1, n2)
		}
		terms[k].Factor = factor
		if grown != 0 {
			terms[k].All = e.Score() * (factor - f) / (grown * (2*m + grown))
		}
	}
	return terms
}

// growth returns by how many matches the matching grows when (i,a) is chosen: −1, 0 or 1,
// and 0 where it is matched and choosing it does nothing. What Autofill adds is not
// counted.
func growth(e *qap.Environment, i, a int) int {
	b, k := e.Match(i), e.Inverse(a)
	switch {
	case b == a && e.Options().Release:
		return -1
	case b == a:
		return 0
	case b == qap.Unmatched && k == qap.Unmatched:
		return 1
	case b == qap.Unmatched || k == qap.Unmatched:
		return 0
	}
	return -1
}
