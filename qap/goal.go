package qap

import "fmt"

// Goal says which matching is sought where some nodes have no true partner. The
// zero value seeks the best score.
type Goal struct {
	Inliers     int         // matches of a solution (0: any number, or all where the instance says so)
	Regularizer Regularizer // J·f(m) decides between matchings of different sizes (J)
	Fixed       Matching    // seeds: matches that every solution has (none)
}

// Check returns an error unless some matching of the instance is a solution.
func (g Goal) Check(in *Instance) error {
	n1, n2 := in.Size()
	most := min(n1, n2)
	switch {
	case g.Inliers < 0:
		return fmt.Errorf("qap: %d inliers: want 1 or more, or 0 for any number", g.Inliers)
	case g.Inliers > most:
		return fmt.Errorf("qap: %d inliers, but graphs of %d and %d nodes have at most %d", g.Inliers, n1, n2, most)
	case g.Inliers > 0 && g.Inliers < most && in.Complete:
		return fmt.Errorf("qap: %d inliers, but every solution of this instance has %d matches", g.Inliers, most)
	case g.Fixed == nil:
		return nil
	}
	if err := in.CheckMatching(g.Fixed); err != nil {
		return fmt.Errorf("%w, as seeds", err)
	}
	if seeds := g.Fixed.Size(); g.Inliers > 0 && seeds > g.Inliers {
		return fmt.Errorf("qap: %d seeds, but %d inliers", seeds, g.Inliers)
	}
	return nil
}

// CheckStart is Check, and returns an error too unless a matching to start from, where one is
// given, is one of the instance, or where the regularizer is yet to be measured.
func (g Goal) CheckStart(in *Instance, initial Matching) error {
	if g.Regularizer.Unknown() {
		return fmt.Errorf("qap: the regularizer %s is yet to be measured on the instance: package infer/portfolio does so, or reweigh.ByChance", g.Regularizer)
	}
	if err := g.Check(in); err != nil || initial == nil {
		return err
	}
	return in.CheckMatching(initial)
}

// Sizes returns the least and the most matches that a solution has.
func (g Goal) Sizes(in *Instance) (least, most int) {
	n1, n2 := in.Size()
	most = min(n1, n2)
	switch {
	case in.Complete:
		return most, most
	case g.Inliers > 0:
		return g.Inliers, g.Inliers
	}
	return g.Fixed.Size(), most
}

// Admits reports whether a matching of the instance is a solution, which nil is not.
func (g Goal) Admits(in *Instance, m Matching) bool {
	least, most := g.Sizes(in)
	if m == nil || m.Size() < least || m.Size() > most {
		return false
	}
	for i, a := range g.Fixed {
		if a != Unmatched && m[i] != a {
			return false
		}
	}
	return true
}

// Better returns what passes on to tell those of a search's solutions that are better, by
// more than the rounding of their sums, than all it was given before.
func (g Goal) Better(in *Instance, tell func(Incumbent)) func(Incumbent) {
	const rounding = 1e-12 // relative
	told, best := false, 0.0
	least, most := g.Sizes(in)
	return func(found Incumbent) {
		m := found.Matching.Size()
		value := g.Value(in, found.Score, m)
		if m < least || m > most || told && value <= best+rounding*max(value, -value) {
			return
		}
		told, best = true, value
		tell(found)
	}
}

// Solution returns a solution that is made at once, for searches whose time is up: the seeds,
// as many matches of m as can be, and, while there are too few, free nodes in their order, each
// with the free one of the greatest gain (one number a vertex, nil where none is known).
func (g Goal) Solution(in *Instance, m Matching, gains []float64) Matching {
	n1, n2 := in.Size()
	least, most := g.Sizes(in)
	s, taken, size := NewMatching(n1), make([]bool, n2), 0
	match := func(i, a, most int) {
		if a != Unmatched && size < most && s[i] == Unmatched && !taken[a] {
			s[i], taken[a], size = a, true, size+1
		}
	}
	for _, matches := range []Matching{g.Fixed, m} {
		for i, a := range matches {
			match(i, a, most)
		}
	}
	for i := 0; i < n1 && size < least; i++ {
		if s[i] != Unmatched {
			continue
		}
		best := Unmatched
		for a := range n2 {
			if !taken[a] && (best == Unmatched || gains != nil && gains[i*n2+a] > gains[i*n2+best]) {
				best = a
			}
		}
		match(i, best, least)
	}
	return s
}

// Value returns what decides between solutions: the regularised score of a
// matching of m nodes whose score is J.
func (g Goal) Value(in *Instance, score float64, m int) float64 {
	n1, n2 := in.Size()
	return score * g.Regularizer.Factor(m, n1, n2)
}

// EndStatus is the status of a search that ended by itself.
func (g Goal) EndStatus() Status {
	if g.Inliers > 0 {
		return Inliers
	}
	return Converged
}

// Profile is the best matching found of every size, by its size m in
// 0..min(n1,n2). A size that was not reached has no matching.
type Profile []Best

// Best is the best matching found of a size.
type Best struct {
	Score    float64 // J, −Inf where there is no matching
	Matching Matching
}

// Choose returns the size of the best solution in the profile, the smallest of
// equal ones; false where the profile has no solution.
func (g Goal) Choose(in *Instance, p Profile) (m int, ok bool) {
	least, most := g.Sizes(in)
	value := 0.0
	for size := least; size <= most; size++ {
		if p[size].Matching == nil {
			continue
		}
		if v := g.Value(in, p[size].Score, size); !ok || v > value {
			m, value, ok = size, v, true
		}
	}
	return m, ok
}
