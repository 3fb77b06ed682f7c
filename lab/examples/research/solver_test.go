// Package research shows how to add a solver, a network, a learner and a data set of one's own:
// each in a file that docs/RESEARCH.md explains, and that is a test.
package research

import (
	"context"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// descent makes the move that raises the score most, as long as there is one.
type descent struct{}

func (descent) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n1, n2 := in.Size()
	start := o.Initial
	if start == nil {
		start = qap.NewMatching(n1)
	} else if err := in.CheckMatching(start); err != nil {
		return qap.Result{}, err
	}
	state, watch := local.NewState(in, start), o.Watch(ctx, in)
	for steps := 0; ; steps++ {
		status, stop := watch.Reached(steps, 0, state.Score())
		if !stop {
			status, stop = watch.Expired()
		}
		best, found := local.Move{Change: 1e-9}, false
		for v := range n1 * n2 {
			if m, legal := state.Assign(v/n2, v%n2); legal && m.Change > best.Change {
				best, found = m, true
			}
		}
		if !found && !stop {
			status, stop = qap.Converged, true
		}
		if stop {
			result := qap.NewResult(in, state.Matching(), status)
			result.Steps = steps
			return result, nil
		}
		state.Make(best)
	}
}

// Whoever imports the package has it as --method descent.
func init() {
	rgm.Register(rgm.SolverMethod("descent", func(*rgm.Search) qap.Solver { return descent{} }))
}

func TestSolver(t *testing.T) { solvertest.Test(t, descent{}) }
