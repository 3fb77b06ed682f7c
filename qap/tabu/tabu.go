// Package tabu solves quadratic assignment by robust tabu search over swaps.
//
// It serves instances of Koopmans–Beckmann form with graphs of one size. One
// trajectory runs from a random assignment (or Options.Initial) without
// restarts. Inside the package costs are minimised.
//
// The rule: every step takes the best swap that is not tabu, at random among equal
// ones. A swap is tabu while both facilities were lately where it puts them, for a
// random tenure. Leading to a new best, or putting facilities where they have not
// been for long (aspiration), overrides that, and such swaps come first.
//
// The steps are made by a C kernel in the widest vector instructions at hand, or
// without cgo in Go; a seed and a number of steps give the same result in all.
//
// Sources: Taillard, Parallel Computing 17 (1991), doi:10.1016/S0167-8191(05)80147-4,
// for the rule; Frieze, Yadegar, El-Horbaty, Parkinson, Parallel Computing 11
// (1989), doi:10.1016/0167-8191(89)90038-8, for updating the deltas in O(1) each.
package tabu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

// Solver is tabu search; its zero value is ready for use. Limits.MaxSteps counts
// swaps and defaults to StepsPerNode·n where no limit is given.
type Solver struct{}

// StepsPerNode is the default number of swaps, for each node of a graph.
const StepsPerNode = 1000

// clockLimit leaves room in an int32 for tenures and portions.
const clockLimit = 1 << 30

// Serves reports whether Solve takes an instance: one of Koopmans–Beckmann form
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
	if err := checkServed(in); err != nil {
		return qap.Result{}, err
	}
	n, _ := in.Size()
	rng := rand.New(rand.NewPCG(o.Seed, 0x7ab0))
	start := o.Initial
	if start == nil {
		start = qap.RandomMatching(n, n, rng)
	} else if err := CheckInitial(in, start); err != nil {
		return qap.Result{}, err
	}
	if n < 2 {
		return qap.NewResult(in, start.Clone(), qap.Converged), nil // no swap exists
	}
	if o.MaxSteps == 0 && o.TimeLimit == 0 && o.Patience == 0 {
		o.MaxSteps = StepsPerNode * n
	}
	watch := o.Watch(ctx, in)
	if watch.Over() {
		return watch.AtStart(in, start), nil
	}
	p := newProblem(in, in.Affinity.(*qap.KoopmansBeckmann))
	t := newTrajectory(&p, p.element(), kernels.Supported()[0], p.assignment(start), -in.Score(start), rng)
	if !t.begin(rng, &watch) {
		return watch.AtStart(in, start), nil
	}
	setLimits(t.state(), in, o.Limits)
	var tell func()
	if o.OnBest != nil {
		tell = func() {
			s := t.state()
			o.OnBest(qap.NewIncumbent(in, p.assignment(t.best()), -s.best, int(s.bestStep)))
		}
	}
	status := run(t, &watch, o.Limits, tell)
	result := qap.NewResult(in, p.assignment(t.best()), status)
	result.Steps = int(t.state().step)
	return result, nil
}

// AtStart returns the result of a search over swaps whose watch ended it before the first one:
// Options.Initial, or else a random assignment. It returns an error if Initial is not a
// complete one.
func AtStart(watch *qap.Watch, in *qap.Instance, o qap.Options) (qap.Result, error) {
	start := o.Initial
	if start == nil {
		n, _ := in.Size()
		start = qap.RandomMatching(n, n, rand.New(rand.NewPCG(o.Seed, 0x7ab0)))
	} else if err := CheckInitial(in, start); err != nil {
		return qap.Result{}, err
	}
	return watch.AtStart(in, start), nil
}

func checkServed(in *qap.Instance) error {
	if !Serves(in) {
		return fmt.Errorf("tabu: search over swaps needs a Koopmans–Beckmann instance with two graphs of one size: %w", qap.ErrUnsupported)
	}
	return nil
}

// CheckInitial returns an error unless a matching is a complete assignment.
func CheckInitial(in *qap.Instance, m qap.Matching) error {
	if err := in.CheckMatching(m); err != nil {
		return err
	}
	if n, _ := in.Size(); m.Size() != n {
		return fmt.Errorf("tabu: initial matching has %d of %d nodes matched: want all", m.Size(), n)
	}
	return nil
}

// setLimits has the kernel stop by itself where a limit may be reached.
func setLimits(s *state, in *qap.Instance, l qap.Limits) {
	s.target = -l.TargetScore(in)
	s.patience = math.MaxInt64
	if l.Patience > 0 {
		s.patience = int64(l.Patience)
	}
}

// run searches in portions until a limit is reached. After a portion with a new best,
// it calls tell, if there is one.
func run(t trajectory, watch *qap.Watch, l qap.Limits, tell func()) qap.Status {
	s := t.state()
	pace := NewPace(int(s.n), watch)
	for {
		if status, stop := watch.Reached(int(s.step), int(s.step-s.bestStep), -s.best); stop {
			return status
		}
		if status, stop := watch.Expired(); stop {
			return status
		}
		best := s.bestStep
		s.until = int64(pace.Until(int(s.step)))
		if l.MaxSteps > 0 {
			s.until = min(s.until, int64(l.MaxSteps))
		}
		if s.clock > clockLimit {
			t.rebase()
		}
		t.run()
		if tell != nil && s.bestStep > best {
			tell()
		}
	}
}
