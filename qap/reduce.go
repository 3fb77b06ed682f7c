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

// ReduceToBest returns a matching with as many of its matches as the score is greatest
// with, at least one, when the weakest are released one after the other.
func (in *Instance) ReduceToBest(m Matching) Matching {
	best, left := m.Clone(), m.Clone()
	score, greatest := 0.0, 0.0 // less that of m
	in.EachReduction(left, func(loss float64) bool {
		if score -= loss; score > greatest && left.Size() > 0 {
			greatest, best = score, left.Clone()
		}
		return true
	})
	return best
}

// Reduced returns a result with the matches that are left of it: what a method which
// matches all nodes has to say once the weakest are released, to a count of inliers or
// without. It ended by itself with that count if it ended by itself.
func (in *Instance) Reduced(r Result, left Matching, counted bool) Result {
	status := r.Status
	if status == Optimal { // of all nodes
		status = Converged
	}
	if status == Converged && counted {
		status = Inliers
	}
	now := NewResult(in, left, status)
	now.Steps, now.Rollouts = r.Steps, r.Rollouts
	return now
}
