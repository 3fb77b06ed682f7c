package serve_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/infer/portfolio/full/fulltest"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// openPortfolio returns a portfolio whose networks Go evaluates, with two methods
// more: "wait" goes on until it is cancelled, and counts in running; "panic" panics.
func openPortfolio(t testing.TB, running *atomic.Int64) *portfolio.Portfolio {
	t.Helper()
	return fulltest.Open(t, func(c *portfolio.Config) {
		c.Methods = append(c.Methods, portfolio.Method{
			Name: "wait",
			Search: func(ctx context.Context, in *qap.Instance, _ qap.QFunction, o portfolio.Options) (qap.Result, error) {
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
		}, portfolio.Method{
			Name: "panic",
			Search: func(context.Context, *qap.Instance, qap.QFunction, portfolio.Options) (qap.Result, error) {
				parallel.For(1, func(int) { panic("as asked for") }) // on another goroutine
				return qap.Result{}, nil
			},
		})
	})
}
