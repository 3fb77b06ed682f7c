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

// Entries returns how many affinities Of looks at.
func Entries(in *qap.Instance, m qap.Matching) float64 {
	n1, n2 := in.Size()
	return passes * float64(m.Size()) * float64(n1) * float64(n2)
}

// Of returns how likely each match is right, 0 of nodes without one. It returns nil where the context ends, or where the
// instance is not Meaningful.
func Of(ctx context.Context, in *qap.Instance, m qap.Matching) []float64 {
	if !Meaningful(in) {
		return nil
	}
	rows := Evidence(ctx, in, m)
	if rows == nil {
		return nil
	}
	all := make([]float64, len(m))
	for i, x := range rows {
		if x != nil {
			all[i] = ofAffinities.At(x)
		}
	}
	return all
}

// OfAlignments returns how likely a match of two graphs that were aligned is right, by what package align knows of it.
func OfAlignments(x []float64) float64 { return ofAlignments.At(x) }

// A Map takes what is known of a match to how likely it is right: a layer of few hidden units on
// inputs over their spread.
type Map struct {
	Mean, Spread []float64   // of each input
	Hidden       [][]float64 // of each unit the weights of the inputs, and a constant
	Out          []float64   // weights of the units, and a constant
}

// widest bounds inputs, in units of their spread: what is further out was never seen.
const widest = 3

// Standard returns an input over its spread.
func (m *Map) Standard(k int, x float64) float64 {
	return min(widest, max(-widest, (x-m.Mean[k])/m.Spread[k]))
}

// At returns how likely a match is right.
func (m *Map) At(x []float64) float64 {
	units := len(m.Hidden)
	if units == 0 {
		return 0
	}
	sum := m.Out[units]
	for u, weights := range m.Hidden {
		h := weights[len(x)]
		for k, v := range x {
			h += weights[k] * m.Standard(k, v)
		}
		sum += m.Out[u] * math.Tanh(h)
	}
	return math.Round(1e4/(1+math.Exp(-sum))) / 1e4
}
