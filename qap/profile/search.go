package profile

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// search is a walk over the matchings of an instance that keep the seeds. Its
// steps allocate nothing.
type search struct {
	affinity qap.Affinity
	dense    *qap.Dense // the affinity, where it is one
	n1, n2   int

	match, inverse []int
	seeds          int    // matches that stay
	seed1, seed2   []bool // their nodes
	size           int
	score          float64
	gains          []float64 // see qap.Environment.Gains
	without        []float64 // gains once a match is dropped
	free1, free2   []int     // free nodes
	until          []int     // per vertex: the step from which matching it is not tabu

	steps   int
	random  *rand.Rand
	profile qap.Profile
}

func newSearch(in *qap.Instance, seeds qap.Matching, random *rand.Rand) *search {
	n1, n2 := in.Size()
	s := &search{
		affinity: in.Affinity, n1: n1, n2: n2, random: random,
		match: make([]int, n1), inverse: make([]int, n2), seed1: make([]bool, n1), seed2: make([]bool, n2),
		gains: make([]float64, n1*n2), without: make([]float64, n1*n2), until: make([]int, n1*n2),
		free1: make([]int, 0, n1), free2: make([]int, 0, n2),
		profile: make(qap.Profile, min(n1, n2)+1),
	}
	s.dense, _ = in.Affinity.(*qap.Dense)
	for m := range s.profile {
		s.profile[m] = qap.Best{Score: math.Inf(-1), Matching: qap.NewMatching(n1)}
	}
	for i, a := range seeds {
		if a != qap.Unmatched {
			s.seed1[i], s.seed2[a] = true, true
			s.seeds++
		}
	}
	return s
}

// reset goes to the seeds and those matches of m that do not conflict with them.
func (s *search) reset(seeds, m qap.Matching) {
	for i := range s.match {
		s.match[i] = qap.Unmatched
	}
	for a := range s.inverse {
		s.inverse[a] = qap.Unmatched
	}
	s.size, s.score = 0, 0
	s.affinity.Diagonal(s.gains)
	for i, a := range seeds {
		if a != qap.Unmatched {
			s.add(i, a)
		}
	}
	for i, a := range m {
		if a != qap.Unmatched && s.match[i] == qap.Unmatched && s.inverse[a] == qap.Unmatched {
			s.add(i, a)
		}
	}
}

func (s *search) add(i, a int) {
	v := i*s.n2 + a
	s.score += s.gains[v]
	s.affinity.AddRow(s.gains, v, 2)
	s.match[i], s.inverse[a] = a, i
	s.size++
}

func (s *search) release(i int) {
	a := s.match[i]
	v := i*s.n2 + a
	s.score -= s.gains[v]
	s.affinity.AddRow(s.gains, v, -2)
	s.match[i], s.inverse[a] = qap.Unmatched, qap.Unmatched
	s.size--
}

// needed returns the change of score above which the matching becomes the best of
// its size, by more than rounding.
func (s *search) needed() float64 {
	best := s.profile[s.size].Score
	if math.IsInf(best, -1) {
		return best
	}
	return best + rounding*math.Abs(best) - s.score
}

// rounding is the relative error that sums of gains may gather.
const rounding = 1e-12

// keep enters the matching in the profile if it is the best of its size, and tells
// whether it is.
func (s *search) keep() bool {
	best := &s.profile[s.size]
	if s.needed() >= 0 {
		return false
	}
	best.Score = s.score
	copy(best.Matching, s.match)
	return true
}

// grow makes the best match between free nodes.
func (s *search) grow() {
	s.collectFree()
	best, at := math.Inf(-1), -1
	for _, i := range s.free1 {
		for _, a := range s.free2 {
			if v := i*s.n2 + a; s.gains[v] > best {
				best, at = s.gains[v], v
			}
		}
	}
	s.add(at/s.n2, at%s.n2)
}

// extend makes the best matches until there are size of them.
func (s *search) extend(size int) {
	for s.size < size {
		s.grow()
	}
}

// shrink releases the match that the score misses least.
func (s *search) shrink() {
	least, at := math.Inf(1), -1
	for i, a := range s.match {
		if a != qap.Unmatched && !s.seed1[i] && s.gains[i*s.n2+a] < least {
			least, at = s.gains[i*s.n2+a], i
		}
	}
	s.release(at)
}

func (s *search) collectFree() {
	s.free1, s.free2 = s.free1[:0], s.free2[:0]
	for i, a := range s.match {
		if a == qap.Unmatched {
			s.free1 = append(s.free1, i)
		}
	}
	for a, i := range s.inverse {
		if i == qap.Unmatched {
			s.free2 = append(s.free2, a)
		}
	}
}
