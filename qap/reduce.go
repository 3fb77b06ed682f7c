package qap

import "math"

// Reduce returns a matching of at most size of the matches of m: as long as there
// are more, the match whose release leaves the greatest score is released.
func (in *Instance) Reduce(m Matching, size int) Matching {
	reduced := m.Clone()
	left := m.Size()
	if left <= size {
		return reduced
	}
	in.EachReduction(reduced, func(float64) bool {
		left--
		return left > size
	})
	return reduced
}

// EachReduction releases the matches of m, each time the one whose release leaves the
// greatest score, and calls visit with what the score lost, until that returns false or
// no match is left.
func (in *Instance) EachReduction(m Matching, visit func(loss float64) bool) {
	_, n2 := in.Size()
	support := make([]float64, n2*len(m)) // of each vertex: Σ K[p,q] over the other matches q
	for i, a := range m {
		if a != Unmatched {
			in.Affinity.AddRow(support, i*n2+a, 1)
		}
	}
	for range m.Size() {
		weakest, least := 0, math.Inf(1)
		for i, a := range m {
			if a == Unmatched {
				continue
			}
			p := i*n2 + a
			if loss := in.Affinity.At(p, p) + 2*support[p]; loss < least {
				weakest, least = i, loss
			}
		}
		in.Affinity.AddRow(support, weakest*n2+m[weakest], -1)
		m[weakest] = Unmatched
		if !visit(least) {
			return
		}
	}
}

// Reduced returns a result with at most size of its matches: what a method without
// counts of inliers, which matches all nodes, has to say of a count. It ended by
// itself with that count if it ended by itself.
func (in *Instance) Reduced(r Result, size int) Result {
	status := r.Status
	if status == Converged {
		status = Inliers
	}
	now := NewResult(in, in.Reduce(r.Matching, size), status)
	now.Steps, now.Rollouts = r.Steps, r.Rollouts
	return now
}
