package align

import (
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/confidence"
)

// tellConfidence fills in how likely each match is right, where there was time to walk or to compare colours.
func (e *engine) tellConfidence(a *Assessment, m matching, unlike []bool, w walked) {
	rows := e.inputs(a, m, unlike, w)
	for i, x := range rows {
		if x == nil {
			continue
		}
		a.Matches[i].Confidence = confidence.OfAlignments(x)
		if e.fixed1[i] == m[i] {
			a.Matches[i].Confidence = 1
		}
	}
	a.inputs = rows
}

// Inputs returns what is known of each match, as the map of package confidence takes it, nil of nodes without one.
func (a *Assessment) Inputs() [][]float64 { return a.inputs }

// WithoutWalk returns what is known of a match where time was up before the walk.
func WithoutWalk(x []float64) []float64 {
	without := slices.Clone(x)
	for _, k := range []int{5, 6, 8, 9, 10, 12, 13} {
		without[k] = 0
	}
	return without
}

// inputs returns what is known of each match, nil of nodes without one.
func (e *engine) inputs(a *Assessment, m matching, unlike []bool, w walked) [][]float64 {
	rows := make([][]float64, len(m))
	groups := make([]float64, len(m))
	for _, set := range a.Groups {
		for _, i := range set {
			groups[i] = math.Log(float64(len(set)))
		}
	}
	n1, n2 := float64(e.a.Nodes()), float64(e.b.Nodes())
	m1, m2 := float64(e.a.Edges()), float64(e.b.Edges())
	var matched, stay, agree, sure float64
	for i, j := range m {
		if j == none {
			continue
		}
		matched++
		agree += ratio(a.Matches[i].Witnesses, max(e.a.Degree(i), e.b.Degree(int(j))))
		if w.share != nil {
			stay += w.share[i]
		}
		if a.Matches[i].Sure {
			sure++
		}
	}
	if matched == 0 {
		return rows
	}
	unit := e.unit()
	for i, j := range m {
		if j == none {
			continue
		}
		match, d1, d2 := a.Matches[i], e.a.Degree(i), e.b.Degree(int(j))
		x := []float64{
			ratio(match.Witnesses, max(d1, d2)), ratio(match.Witnesses, min(d1, d2)), math.Log1p(float64(match.Witnesses)),
			float64(min(4, max(-4, match.Margin))), ratio(match.Margin, max(d1, d2)), number(match.Sure),
			number(unlike != nil && unlike[i]), groups[i], 0, 0, 0,
			agree / matched, stay / matched, sure / matched, float64(a.Shared) / max(1, min(m1, m2)), float64(a.Shared) / max(1, max(m1, m2)),
			math.Log(max(n1, n2)), min(n1, n2) / max(n1, n2), math.Log(max(m1, m2, 1) / max(n1, n2)), e.supported(i, a, m), 0,
		}
		if w.share != nil {
			x[8], x[9], x[10] = w.share[i], number(w.rival[i]), 1
		}
		if e.hasTerms() {
			x[20] = min(5, max(-5, e.term(i, int(j))/unit))
		}
		rows[i] = x
	}
	return rows
}

// supported returns the mean share of edges kept by the matched neighbours of a node.
func (e *engine) supported(i int, a *Assessment, m matching) float64 {
	sum, count := 0.0, 0.0
	for _, k := range e.a.Neighbours(i) {
		if j := m[k]; j != none {
			sum += ratio(a.Matches[k].Witnesses, max(e.a.Degree(int(k)), e.b.Degree(int(j))))
		}
		count++
	}
	return sum / max(1, count)
}

func ratio(x, of int) float64 { return float64(x) / float64(max(1, of)) }

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// oneOfOrbit says of each match of an isomorphism that any node of its orbit could be meant as well.
func (a *Assessment) oneOfOrbit(m qap.Matching) {
	for i := range a.Matches {
		if m[i] != qap.Unmatched {
			a.Matches[i].Confidence = 1
		}
	}
	for _, set := range a.Groups {
		for _, i := range set {
			a.Matches[i].Confidence = 1 / float64(len(set))
		}
	}
}
