package profile

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// search is a walk over the matchings of an instance that keep the seeds. Its
// steps allocate nothing.
type search struct {
	*local.Matched
	dense        *qap.Dense // the affinity, where it is one
	seeds        int        // matches that stay
	without      []float64  // gains once a match is dropped
	free1, free2 []int      // free nodes
	until        []int      // per vertex: the step from which matching it is not tabu

	steps   int
	random  *rand.Rand
	profile qap.Profile
}

func newSearch(in *qap.Instance, seeds qap.Matching, random *rand.Rand) *search {
	n1, n2 := in.Size()
	s := &search{
		Matched: local.NewMatched(in, seeds), seeds: seeds.Size(), random: random,
		without: make([]float64, n1*n2), until: make([]int, n1*n2), free1: make([]int, 0, n1), free2: make([]int, 0, n2),
		profile: make(qap.Profile, min(n1, n2)+1),
	}
	s.dense, _ = in.Affinity.(*qap.Dense)
	for m := range s.profile {
		s.profile[m] = qap.Best{Score: math.Inf(-1), Matching: qap.NewMatching(n1)}
	}
	return s
}

// reset goes to the seeds and those matches of m that do not conflict with them.
func (s *search) reset(seeds, m qap.Matching) {
	s.Reset(seeds)
	for i, a := range m {
		if a == qap.Unmatched || s.Match[i] != qap.Unmatched || s.Inverse[a] != qap.Unmatched {
			continue
		}
		if s.IsOver() {
			return
		}
		s.Add(i, a)
	}
}

// needed returns the change of score above which the matching becomes the best of
// its size, by more than rounding.
func (s *search) needed() float64 {
	best := s.profile[s.Size].Score
	if math.IsInf(best, -1) {
		return best
	}
	return best + rounding*math.Abs(best) - s.Score
}

// rounding is the relative error that sums of gains may gather.
const rounding = 1e-12

// keep enters the matching in the profile if it is the best of its size, and tells
// whether it is.
func (s *search) keep() bool {
	best := &s.profile[s.Size]
	if s.needed() >= 0 {
		return false
	}
	best.Score = s.Score
	copy(best.Matching, s.Match)
	return true
}

// grow makes the best match between free nodes.
func (s *search) grow() {
	s.collectFree()
	best, at := math.Inf(-1), -1
	for _, i := range s.free1 {
		for _, a := range s.free2 {
			if v := i*s.N2 + a; s.Gains[v] > best {
				best, at = s.Gains[v], v
			}
		}
	}
	s.Add(at/s.N2, at%s.N2)
}

// extend makes the best matches until there are size of them, or Over says to stop.
func (s *search) extend(size int) {
	for s.Size < size && !s.IsOver() {
		s.grow()
	}
}

// shrink releases the match that the score misses least.
func (s *search) shrink() {
	least, at := math.Inf(1), -1
	for i, a := range s.Match {
		if a != qap.Unmatched && !s.Seed1[i] && s.Gains[i*s.N2+a] < least {
			least, at = s.Gains[i*s.N2+a], i
		}
	}
	s.Release(at)
}

func (s *search) collectFree() {
	s.free1, s.free2 = s.free1[:0], s.free2[:0]
	for i, a := range s.Match {
		if a == qap.Unmatched {
			s.free1 = append(s.free1, i)
		}
	}
	for a, i := range s.Inverse {
		if i == qap.Unmatched {
			s.free2 = append(s.free2, a)
		}
	}
}
