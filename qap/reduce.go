package qap

import "math"

// Reduce returns a matching of at most size of the matches of m: as long as there
// are more, the match whose release leaves the greatest score is released.
func (in *Instance) Reduce(m Matching, size int) Matching {
	_, n2 := in.Size()
	reduced := m.Clone()
	support := make([]float64, n2*len(m)) // of each vertex: Σ K[p,q] over the other matches q
	for i, a := range m {
		if a != Unmatched {
			in.Affinity.AddRow(support, i*n2+a, 1)
		}
	}
	for left := m.Size(); left > size; left-- {
		weakest, least := 0, math.Inf(1)
		for i, a := range reduced {
			if a == Unmatched {
				continue
			}
			p := i*n2 + a
			if loss := in.Affinity.At(p, p) + 2*support[p]; loss < least {
				weakest, least = i, loss
			}
		}
		in.Affinity.AddRow(support, weakest*n2+reduced[weakest], -1)
		reduced[weakest] = Unmatched
	}
	return reduced
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
