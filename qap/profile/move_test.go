package profile

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// bruteMove returns the largest change of score, recomputed, of all moves from the
// matching of a search that are not tabu.
func bruteMove(in *qap.Instance, s *search, needed float64) (change float64, found bool) {
	change = math.Inf(-1)
	before, n1, n2 := in.Score(s.Match), s.N1, s.N2
	try := func(i, k, v int) {
		m := qap.Matching(s.Match).Clone()
		b := m[i]
		m[i] = qap.Unmatched
		free := s.until[v] <= s.steps
		if k != qap.Unmatched {
			m[k] = b
			free = free || s.until[k*n2+b] <= s.steps
		}
		m[v/n2] = v % n2
		if in.CheckMatching(m) != nil {
			return
		}
		if c := in.Score(m) - before; c > change && (free || c > needed) {
			change, found = c, true
		}
	}
	for i, b := range s.Match {
		if b == qap.Unmatched || s.Seed1[i] {
			continue
		}
		for k := range n1 {
			for a := range n2 {
				if v := k*n2 + a; v != i*n2+b && (k == i || s.Match[k] == qap.Unmatched) && (a == b || s.Inverse[a] == qap.Unmatched) {
					try(i, qap.Unmatched, v)
				}
			}
			if a := s.Match[k]; k < i && a != qap.Unmatched && !s.Seed1[k] {
				try(i, k, i*n2+a)
			}
		}
	}
	return change, found
}

// TestBestMove: the move is the best of those that are not tabu, or that give a better
// matching than any of its size; it keeps the seeds, and the score is that of the matching.
func TestBestMove(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for round := range 60 {
		n1, n2 := 4+round%2, 4+round%3
		k := solvertest.SignedMatrix(rng, n1*n2)
		in := must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
		if round%2 == 1 {
			var entries []qap.Entry
			for p := range n1 * n2 {
				entries = append(entries, qap.Entry{P: p, Q: rng.IntN(n1 * n2), Value: rng.NormFloat64()})
			}
			in = must.Get(qap.NewSparse(n1, n2, entries, qap.Maximize))(t)
		}
		seeds := qap.NewMatching(n1)
		if round%3 == 0 {
			seeds[rng.IntN(n1)] = rng.IntN(n2)
		}
		s := newSearch(in, seeds, rng)
		start := qap.RandomMatching(n1, n2, rng)
		start[rng.IntN(n1)] = qap.Unmatched
		s.reset(seeds, start)
		for range 12 {
			needed := 2 * rng.NormFloat64()
			want, found := bruteMove(in, s, needed)
			m, ok := s.bestMove(needed)
			if ok != found || ok && math.Abs(m.change-want) > 1e-9 {
				t.Fatalf("%v: a move of %v (%v), want one of %v (%v)", s.Match, m.change, ok, want, found)
			}
			if !ok {
				break
			}
			s.make(m)
			s.steps++
			if score := in.Score(s.Match); math.Abs(s.Score-score) > 1e-9 || !holds(s.Match, seeds) {
				t.Fatalf("%v of score %v, kept as %v, seeds %v", s.Match, score, s.Score, seeds)
			}
		}
	}
}
