package exact

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

const (
	roundsPerNode = 10 // local searches for the first solution, for each node of both graphs
	kickSteps     = 3  // random steps from the best solution to where a search starts

	tabuStepsPerNode = 500 // swaps of tabu search, for each node of a graph
	tabuShare        = 10  // tabu search takes at most one in so many parts of the time limit
)

// findIncumbent looks for a good solution: by tabu search where that serves the
// instance, and by local search in the revocable environment, in turns from a
// random matching and from near the best. A start that is a solution is kept as one.
func (s *search) findIncumbent(ctx context.Context, start qap.Matching, seed uint64) error {
	n1, n2 := s.in.Size()
	rng := rand.New(rand.NewPCG(seed, 0xe8ac7))
	if start == nil || !s.in.IsSolution(start) {
		start = qap.NewMatching(n1)
		if s.in.Complete {
			start = qap.RandomMatching(n1, n2, rng)
		}
	}
	s.accept(start.Clone())
	if tabu.Serves(s.in) && !s.stopped() {
		limits := qap.Limits{MaxSteps: tabuStepsPerNode * n1, TimeLimit: s.timeLimit / tabuShare}
		result, err := tabu.Solver{}.Solve(ctx, s.in, qap.Options{Limits: limits, Seed: seed})
		if err != nil {
			return err
		}
		s.accept(result.Matching)
	}
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
		climb(env, s.stopped)
		if env.HasBest() {
			best, _ := env.Best()
			s.accept(best.Clone())
		}
	}
	return nil
}

// stepsBetweenLooks are those of a climb between two looks at the clock.
const stepsBetweenLooks = 16

// climb takes the best step while there is one that raises the value.
func climb(env *qap.Environment, stopped func() bool) {
	n1, n2 := env.Size()
	for k := range 4 * (n1 + n2) {
		if k%stepsBetweenLooks == stepsBetweenLooks-1 && stopped() {
			return
		}
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
