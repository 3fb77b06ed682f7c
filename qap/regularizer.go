package qap

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Regularizer is the factor f(m) by which the score of a matching of m nodes is
// multiplied so that matching outliers does not pay (paper, §4.3.2):
//
//	J_reg(X) = J(X)·f(|X|)
//
// The zero value is no regularisation, f = 1.
type Regularizer struct {
	name    string
	f       func(m, n1, n2 int) float64
	unknown bool // f is yet to be measured on an instance
}

// The paper's regularizers, f1 = (3N−m)/3N, f2 = (1+m)/(1+3m), f3 = 1/m², with N = max(n1, n2).
var (
	RegularizeF1 = NewRegularizer("f1", func(m, n1, n2 int) float64 { return 1 - float64(m)/float64(3*max(n1, n2)) })
	RegularizeF2 = NewRegularizer("f2", func(m, _, _ int) float64 { return float64(1+m) / float64(1+3*m) })
	RegularizeF3 = NewRegularizer("f3", func(m, _, _ int) float64 { return 1 / float64(m*m) })
)

// RegularizeNull is f(m) = 1/J0(m), J0(m) being the best score of m matches by chance, so
// that J·f says how far a matching stands out. Every instance has its own J0: infer/portfolio
// measures it (reweigh.ByChance, RegularizeChance); searches refuse a goal with RegularizeNull itself.
var RegularizeNull = Regularizer{nullName, func(_, _, _ int) float64 { return 1 }, true}

const nullName = "null"

// RegularizeChance returns f(m) = 1/J0(m) for the best scores J0 by chance of 0, 1, … matches.
// Where a score is not above 0, that of the next greater size that is counts; where none is, f is 1.
func RegularizeChance(scores []float64) Regularizer {
	factors, last := make([]float64, len(scores)), 1.0
	for m := len(scores) - 1; m >= 0; m-- {
		if scores[m] > 0 {
			last = 1 / scores[m]
		}
		factors[m] = last
	}
	return NewRegularizer(nullName, func(m, _, _ int) float64 { return factors[m] })
}

// RegularizeMean returns f(m) = 1/m^p: with p = 1 the score a match. Where all
// affinities are alike, J grows as m², so p < 2 matches everything that fits
// together, and a greater p asks each match for more. p must be finite.
func RegularizeMean(p float64) Regularizer {
	name := "mean"
	if p != 1 {
		name += ":" + strconv.FormatFloat(p, 'g', -1, 64)
	}
	return NewRegularizer(name, func(m, _, _ int) float64 { return math.Pow(float64(m), -p) })
}

// NewRegularizer returns a regularizer of one's own. f is called with m in
// 1..min(n1,n2) and must be finite and positive there.
func NewRegularizer(name string, f func(m, n1, n2 int) float64) Regularizer {
	return Regularizer{name: name, f: f}
}

// ParseRegularizer reads none, f1, f2, f3, mean, mean:p or null, as String writes them.
func ParseRegularizer(text string) (Regularizer, error) {
	switch text {
	case "none":
		return Regularizer{}, nil
	case "f1":
		return RegularizeF1, nil
	case "f2":
		return RegularizeF2, nil
	case "f3":
		return RegularizeF3, nil
	case "mean":
		return RegularizeMean(1), nil
	case nullName:
		return RegularizeNull, nil
	}
	if exponent, ok := strings.CutPrefix(text, "mean:"); ok {
		p, err := strconv.ParseFloat(exponent, 64)
		if err != nil || math.Abs(p) > 100 || math.IsNaN(p) {
			return Regularizer{}, fmt.Errorf("qap: regularizer %q: want a number from -100 to 100 after the colon", text)
		}
		return RegularizeMean(p), nil
	}
	return Regularizer{}, fmt.Errorf("qap: regularizer %q: want none, f1, f2, f3, mean, mean:p or null", text)
}

// String returns the name.
func (r Regularizer) String() string {
	if r.f == nil {
		return "none"
	}
	return r.name
}

// None reports whether nothing is regularised.
func (r Regularizer) None() bool { return r.f == nil }

// Unknown reports whether f is yet to be measured on an instance, as that of RegularizeNull.
func (r Regularizer) Unknown() bool { return r.unknown }

// Factor returns f(m). The score of the empty matching is 0 whatever its factor,
// which is 1.
func (r Regularizer) Factor(m, n1, n2 int) float64 {
	if r.f == nil || m == 0 {
		return 1
	}
	return r.f(m, n1, n2)
}

// Quadratic is the polynomial A·n² + B·n + C.
type Quadratic struct{ A, B, C float64 }

// At returns the value at n.
func (q Quadratic) At(n float64) float64 { return (q.A*n+q.B)*n + q.C }

// fitReach is how far from m the fit looks (paper, appendix: S = [m−2, m+2]).
const fitReach = 2

// Fit returns the quadratic g that is nearest to 1−f, by least squares, on the
// sizes m−2..m+2 within 1..min(n1,n2). There is none, and ok is false, without
// regularisation, at m ≤ 1, where J may be 0 and would forbid all growth, and with
// fewer than three sizes to fit.
func (r Regularizer) Fit(m, n1, n2 int) (g Quadratic, ok bool) {
	lo, hi := max(m-fitReach, 1), min(m+fitReach, n1, n2)
	if r.f == nil || m <= 1 || hi-lo < 2 {
		return Quadratic{}, false
	}
	// About the centre the powers 0, 1 and 2 decouple but for 0 and 2.
	centre := float64(lo+hi) / 2
	var s0, s2, s4, y0, y1, y2 float64
	for n := lo; n <= hi; n++ {
		t, y := float64(n)-centre, 1-r.f(n, n1, n2)
		s0, s2, s4 = s0+1, s2+t*t, s4+t*t*t*t
		y0, y1, y2 = y0+y, y1+t*y, y2+t*t*y
	}
	a := (s0*y2 - s2*y0) / (s0*s4 - s2*s2)
	b := y1 / s2
	c := (y0 - a*s2) / s0
	return Quadratic{A: a, B: b - 2*a*centre, C: (a*centre-b)*centre + c}, true
}

// RegularizedForm says how the change of the regularised score by an action is
// reckoned.
type RegularizedForm int

const (
	// RegularizedExact is the change of J·f(m) itself.
	RegularizedExact RegularizedForm = iota
	// RegularizedSurrogate is the change of xᵀ(f(m)·K − aJ·1 − bJ·I)x, with m, J
	// and the fit g(n) = an²+bn+c of the present matching held fixed. To first
	// order it is the change of J·f(m).
	RegularizedSurrogate
	// RegularizedLiteral is the change of xᵀ(K − aJ·1 − bJ·I)x, the paper's: it
	// leaves the factor f(m) of the product rule out.
	RegularizedLiteral
)

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

// RegularizedChanges writes into dst the change of the regularised score by
// every action, one number a vertex, and returns dst; 0 for matched vertices
// unless they can be released. It costs O(n1·n2). At m ≤ 1, and for the two
// surrogates wherever Regularizer.Fit has no fit, it is the change of the plain
// score.
func (e *Environment) RegularizedChanges(dst []float64, r Regularizer, form RegularizedForm) []float64 {
	dst = e.ScoreChanges(dst)
	if !r.None() && e.size > 1 {
		e.regularize(dst, r, form)
	}
	return dst
}

// regularize turns changes of the score into changes of the regularised one.
func (e *Environment) regularize(changes []float64, r Regularizer, form RegularizedForm) {
	// factor·ΔJ + offset, by the size after the action: −1, 0, +1 or, where Autofill
	// makes a forced match too, +2 matches.
	var factor, offset [4]float64
	m := float64(e.size)
	g, fits := r.Fit(e.size, e.n1, e.n2)
	f := r.Factor(e.size, e.n1, e.n2)
	for k := range factor {
		size := e.size + k - 1
		switch {
		case form == RegularizedExact:
			if size <= min(e.n1, e.n2) {
				factor[k] = r.Factor(size, e.n1, e.n2)
				offset[k] = (factor[k] - f) * e.score
			}
		case !fits:
			return
		default:
			n := float64(size)
			factor[k] = 1
			if form == RegularizedSurrogate {
				factor[k] = f
			}
			offset[k] = -e.score * (g.A*(n*n-m*m) + g.B*(n-m))
		}
	}
	for i, b := range e.match {
		row := changes[i*e.n2 : (i+1)*e.n2]
		for a, k := range e.inverse {
			if b == a && !e.options.Release {
				continue
			}
			after := e.sizeChange(b, a, k) + 1
			row[a] = factor[after]*row[a] + offset[after]
		}
	}
}

// sizeChange returns by how many matches the matching grows, from −1 to 2, when a
// node whose partner is b chooses the node a, whose partner is k.
func (e *Environment) sizeChange(b, a, k int) int {
	change := 1
	if b == a {
		return -1
	}
	if b != Unmatched {
		change--
	}
	if k != Unmatched {
		change--
	}
	if e.options.Autofill && e.n1 == e.n2 && e.size+change == e.n1-1 {
		change++
	}
	return change
}
