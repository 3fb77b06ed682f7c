package population

import (
	"context"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Solver is the search; its zero value is ready for use. Limits.MaxSteps counts
// swaps, with several threads those of each, and defaults to StepsPerNode·n where no
// limit is given.
type Solver struct {
	Settings Settings // the zero value stands for Short()
	Threads  int      // searches side by side, which exchange their best (1)
}

// StepsPerNode is the default number of swaps, for each node of a graph.
const StepsPerNode = 4000

// Solve searches until a limit. It returns an error wrapping qap.ErrUnsupported
// unless tabu.Serves the instance, and an error if Options.Initial is not a complete
// assignment.
func (s Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if n, _ := in.Size(); n < 2 || !tabu.Serves(in) {
		return tabu.Solver{}.Solve(ctx, in, o) // nothing to search, or the error
	}
	n, _ := in.Size()
	if o.MaxSteps == 0 && o.TimeLimit == 0 && o.Patience == 0 {
		o.MaxSteps = StepsPerNode * n
	}
	settings := s.Settings
	if settings == (Settings{}) {
		settings = Short()
	}
	watch := o.Watch(ctx, in)
	if watch.Over() {
		return tabu.AtStart(&watch, in, o)
	}
	if s.Threads > 1 {
		all, err := newIslands(in, settings, s.Threads, o, &watch)
		if err != nil {
			return qap.Result{}, err
		}
		status := all.solve(&watch, in, o)
		result := qap.NewResult(in, all.best().Best(), status)
		for _, search := range all {
			result.Steps += search.Steps()
		}
		return result, nil
	}
	search, err := New(in, settings, o.Initial, o.Seed, &watch)
	if err != nil {
		return qap.Result{}, err
	}
	status := run(search, &watch, in, o)
	result := qap.NewResult(in, search.Best(), status)
	result.Steps = search.Steps()
	return result, nil
}

// run searches in portions until a limit is reached.
func run(s *Search, watch *qap.Watch, in *qap.Instance, o qap.Options) qap.Status {
	n, _ := in.Size()
	pace, target := tabu.NewPace(n, watch), -o.TargetScore(in)
	for {
		if status, stop := watch.Reached(s.Steps(), s.Steps()-s.BestStep(), -s.BestCost()); stop {
			return status
		}
		if status, stop := watch.Expired(); stop {
			return status
		}
		until := pace.Until(s.Steps())
		if o.MaxSteps > 0 {
			until = min(until, o.MaxSteps)
		}
		if o.Patience > 0 {
			until = min(until, s.BestStep()+o.Patience)
		}
		before := s.BestStep()
		s.Run(until, target)
		if o.OnBest != nil && s.BestStep() > before {
			o.OnBest(qap.NewIncumbent(in, s.Best(), -s.BestCost(), s.BestStep()))
		}
	}
}
