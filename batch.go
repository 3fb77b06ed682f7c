package rgm

import (
	"context"
	"iter"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
)

// Task is an instance to solve in a sequence of them.
type Task struct {
	Instance *qap.Instance
	Options  Options
}

// Solved is what became of a Task.
type Solved struct {
	Task   Task
	Result Result
	Err    error
}

// SolveAll solves tasks side by side, at most workers at a time, and yields what became
// of them in their order. A task has one thread unless its options say more. Tasks are taken as workers become free, and results wait for
// their turn. A task that fails does not stop the others; once ctx has ended, tasks end
// as soon as they begin, each with its Status. Where the caller stops early, the tasks in
// progress are waited for.
func (s *Solver) SolveAll(ctx context.Context, workers int, tasks iter.Seq[Task]) iter.Seq[Solved] {
	return parallel.InOrder(max(workers, 1), tasks, func(t Task) Solved {
		o := t.Options
		o.Threads = max(o.Threads, 1)
		result, err := s.Solve(ctx, t.Instance, o)
		return Solved{t, result, err}
	})
}
