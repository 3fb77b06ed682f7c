// Package confidence says how likely each match of a matching is right. docs/MATCHING.md has how far that holds on
// kinds of pairs that had no part in it.
//
// Evidence is looked at in ranks, so that no kernel or unit of affinities counts: how many of random pairs have as
// great an affinity to a match. What a match has of it from the others, beside the best alternative of either node and
// beside chance, and how the whole matching does, is put into one small map, which command lab/calibrate fits.
package confidence

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// Meaningful reports whether an instance has a truth to be right about: graphs that are compared by affinities, not flows
// and distances, of which the cheapest assignment is sought.
func Meaningful(in *qap.Instance) bool {
	switch in.Affinity.(type) {
	case *qap.KoopmansBeckmann, *qap.Mapping:
		return false
	}
	return in.Sense == qap.Maximize
}

// Told is what is known of a match.
type Told struct {
	Right float64 // how likely it is right
	Alone float64 // how likely one of its nodes has no partner in the other graph
}

// Sure is how likely a match is right from which on it is called sure.
const Sure = 0.99

// Sure reports whether the match is called sure.
func (t Told) Sure() bool { return t.Right >= Sure }

// Where matches are fewer than leastMatched, or the mean of Told.Alone is below fewAlone, all nodes of both graphs are taken to have
// partners. Chosen on the pairs of calibrate -cores -seed 77.
const leastMatched, fewAlone = 12, 0.07

// LeftOut returns which matches are left out, given what is told of all: those of which it is likelier that a node has no partner
// than that they are right. None is where few nodes have none: then what is not right is another node's partner.
func LeftOut(told []Told) []bool {
	left, sum, matched := make([]bool, len(told)), 0.0, 0.0
	for _, t := range told {
		if t != (Told{}) {
			sum, matched = sum+t.Alone, matched+1
		}
	}
	if matched < leastMatched || sum < fewAlone*matched {
		return left
	}
	for i, t := range told {
		left[i] = t.Alone > t.Right
	}
	return left
}

// Entries returns how many affinities Of looks at, of a number of matches.
func Entries(in *qap.Instance, matches int) float64 {
	n1, n2 := in.Size()
	return passes * float64(matches) * float64(n1) * float64(n2)
}

// Look is what is known of the matches of an instance.
type Look struct {
	Told     []Told // of each match, zeros of nodes without one
	evidence *evidence
}

// Of looks at matches that were found by the affinities as they are, or by learned ones. It returns nil where the context
// ends, or where the instance is not Meaningful.
func Of(ctx context.Context, in *qap.Instance, m qap.Matching, learned bool) *Look {
	if !Meaningful(in) {
		return nil
	}
	e, rows := gathered(ctx, in, m)
	if rows == nil {
		return nil
	}
	by := &ofAffinities
	if learned {
		by = &ofLearned
	}
	l := &Look{make([]Told, len(m)), e}
	for i, x := range rows {
		if x != nil {
			l.Told[i] = by.At(x)
		}
	}
	return l
}

// OfAlignments returns what is known of a match of two graphs that were aligned, by what package align knows of it.
func OfAlignments(x []float64) Told { return ofAlignments.At(x) }

// A Map takes what is known of a match to how likely it is right, and to how likely it has no partner: a layer of few
// hidden units on inputs over their spread, and a softmax of these two and of what else may be wrong.
type Map struct {
	Mean, Spread []float64   // of each input
	Hidden       [][]float64 // of each unit the weights of the inputs, and a constant
	Right, Alone []float64   // weights of the units, and a constant
}

// widest bounds inputs, in units of their spread: what is further out was never seen.
const widest = 3

// Standard returns an input over its spread.
func (m *Map) Standard(k int, x float64) float64 {
	return min(widest, max(-widest, (x-m.Mean[k])/m.Spread[k]))
}

// At returns what is known of a match, nothing by a map of other inputs.
func (m *Map) At(x []float64) Told {
	units := len(m.Hidden)
	if units == 0 || len(x) != len(m.Mean) {
		return Told{}
	}
	right, alone := m.Right[units], m.Alone[units]
	for u, weights := range m.Hidden {
		h := weights[len(x)]
		for k, v := range x {
			h += weights[k] * m.Standard(k, v)
		}
		h = math.Tanh(h)
		right, alone = right+m.Right[u]*h, alone+m.Alone[u]*h
	}
	most := max(right, alone, 0)
	r, a := math.Exp(right-most), math.Exp(alone-most)
	sum := r + a + math.Exp(-most)
	return Told{rounded(r / sum), rounded(a / sum)}
}

func rounded(share float64) float64 { return math.Round(1e4*share) / 1e4 }
