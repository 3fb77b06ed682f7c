package exact

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

const (
	roundsPerNode = 10 // local searches for the first solution, for each node of both graphs
	kickSteps     = 3  // random steps from the best solution to where a search starts
)

// findIncumbent looks for a good solution by local search in the revocable
// environment, in turns from a random matching and from near the best.
func (s *search) findIncumbent(start qap.Matching, seed uint64) {
	n1, n2 := s.in.Size()
	rng := rand.New(rand.NewPCG(seed, 0xe8ac7))
	if start == nil || !s.in.IsSolution(start) {
		start = qap.NewMatching(n1)
		if s.in.Complete {
			start = qap.RandomMatching(n1, n2, rng)
		}
	}
	s.accept(start.Clone())
	env := qap.NewEnvironment(s.in, qap.EnvironmentOptions{Release: true, Autofill: true})
	for round := 0; round < roundsPerNode*(n1+n2) && n1*n2 > 0 && !s.stopped(); round++ {
		switch {
		case round == 0:
			env.Reset(start)
		case round%2 == 0:
			env.Reset(qap.RandomMatching(n1, n2, rng))
		default:
			env.Reset(s.best)
			for range kickSteps {
				if v := rng.IntN(n1 * n2); env.Allowed(v) {
					env.Step(v)
				}
			}
		}
		climb(env)
		if env.HasBest() {
			best, _ := env.Best()
			s.accept(best.Clone())
		}
	}
}

// climb takes the best step while there is one that raises the value.
func climb(env *qap.Environment) {
	n1, n2 := env.Size()
	for range 4 * (n1 + n2) {
		best, at := 0.0, -1
		for v, change := range env.ValueChanges() {
			if change > best && env.Allowed(v) {
				best, at = change, v
			}
		}
		if at < 0 {
			return
		}
		env.Step(at)
	}
}
