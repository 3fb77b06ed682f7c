// Package tabu solves quadratic assignment by robust tabu search over swaps.
//
// It serves instances of Koopmans–Beckmann form with graphs of one size. One
// trajectory runs from a random assignment (or Options.Initial) without
// restarts; every step takes the best swap that is not tabu. Inside the package
// costs are minimised.
//
// Sources: Taillard, Parallel Computing 17 (1991), doi:10.1016/S0167-8191(05)80147-4,
// for the rule; Frieze, Yadegar, El-Horbaty, Parkinson, Parallel Computing 11
// (1989), doi:10.1016/0167-8191(89)90038-8, for updating the deltas in O(1) each.
package tabu

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Solver is tabu search; its zero value is ready for use. Limits.MaxSteps counts
// swaps and defaults to StepsPerNode·n where no limit is given.
type Solver struct{}

// StepsPerNode is the default number of swaps, for each node of a graph.
const StepsPerNode = 1000

// The schedule: a short, even tenure finds good assignments soon; the later one,
// with its long tail, keeps finding better ones.
const (
	earlySteps        = 20_000 // swaps made under the first tenure
	earlyAspiration   = 3      // ·n² swaps without a match force it
	lateAspiration    = 5
	lateTenureFactor  = 4 // tenure is this ·n·u³, u uniform
	earlyTenureSpread = 0.1
)

// clockEvery is how much work, in deltas, passes between looks at the clock.
const clockEvery = 32768

// Serves tells whether Solve takes an instance: one of Koopmans–Beckmann form
// with n1 = n2.
func Serves(in *qap.Instance) bool {
	n1, n2 := in.Size()
	_, ok := in.Affinity.(*qap.KoopmansBeckmann)
	return ok && n1 == n2
}

// Solve searches until a limit. It returns an error wrapping qap.ErrUnsupported
// unless it Serves the instance, and an error if Options.Initial is not a complete
// assignment.
func (Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if !Serves(in) {
		return qap.Result{}, fmt.Errorf("tabu: search over swaps needs a Koopmans–Beckmann instance with two graphs of one size: %w", qap.ErrUnsupported)
	}
	n, _ := in.Size()
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	rng := rand.New(rand.NewPCG(o.Seed, 0x7ab0))
	start := o.Initial
	if start == nil {
		start = qap.RandomMatching(n, n, rng)
	} else if err := checkInitial(in, start); err != nil {
		return qap.Result{}, err
	}
	if o.MaxSteps == 0 && o.TimeLimit == 0 && o.Patience == 0 {
		o.MaxSteps = StepsPerNode * n
	}
	watch := o.Watch(ctx, in)
	s := newSearch(in, kb, start, rng)
	status := s.run(&watch)
	result := qap.NewResult(in, s.best, status)
	result.Steps = s.step
	return result, nil
}

func checkInitial(in *qap.Instance, m qap.Matching) error {
	if err := in.CheckMatching(m); err != nil {
		return err
	}
	if n, _ := in.Size(); m.Size() != n {
		return fmt.Errorf("tabu: initial matching has %d of %d nodes matched: want all", m.Size(), n)
	}
	return nil
}

// run is the search.
func (s *search) run(watch *qap.Watch) qap.Status {
	untilClock := 0
	for {
		if status, stop := watch.Reached(s.step, s.step-s.bestStep, -s.bestCost); stop {
			return status
		}
		if untilClock--; untilClock <= 0 {
			untilClock = 1 + clockEvery/(s.n*s.n+1)
			if status, stop := watch.Expired(); stop {
				return status
			}
		}
		i, j, ok := s.choose()
		if !ok {
			return qap.Converged // no swap exists
		}
		s.swap(i, j)
	}
}
