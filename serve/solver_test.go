package serve_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// openSolver returns a solver whose networks Go evaluates, with two methods
// more: "wait" goes on until it is cancelled, and counts in running; "panic" panics. Those
// of crashes end the process.
func openSolver(t testing.TB, running *atomic.Int64) *rgm.Solver {
	t.Helper()
	return rgmtest.Open(t, func(c *rgm.Config) {
		c.Methods = append(c.Methods, rgm.Method{
			Name: "wait",
			Search: func(ctx context.Context, in *qap.Instance, _ qap.QFunction, o rgm.Search) (qap.Result, error) {
				running.Add(1)
				defer running.Add(-1)
				r, err := tabu.Solver{}.Solve(ctx, in, qap.Options{Limits: qap.Limits{MaxSteps: 10}, Seed: o.Seed})
				if err == nil {
					o.OnBest(infer.Incumbent{Incumbent: qap.NewIncumbent(in, r.Matching, r.Score, r.Steps)})
					<-ctx.Done()
					r.Status = qap.Cancelled
				}
				return r, err
			},
		}, rgm.Method{
			Name: "panic",
			Search: func(context.Context, *qap.Instance, qap.QFunction, rgm.Search) (qap.Result, error) {
				parallel.For(1, func(int) { panic("as asked for") }) // on another goroutine
				return qap.Result{}, nil
			},
		})
	})
}
