package regrow_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/regrow"
)

// BenchmarkPublished counts the problems whose optimum is reached, and those where it is
// proved, under limits of processor time with four seeds.
func BenchmarkPublished(b *testing.B) {
	for _, limit := range []time.Duration{5, 20, 200, 1000, 4000} {
		b.Run(fmt.Sprint(limit*time.Millisecond), func(b *testing.B) {
			reached, proved, runs := 0, 0, 0
			for name, optimum := range testdata.Optima {
				for in, err := range datasets.Open(testdata.Path(b, "data", "dd", name+".dd"), datasets.Options{}) {
					if err != nil {
						b.Fatal(err)
					}
					for seed := range uint64(4) {
						ctx := qap.WithClock(context.Background(), cputime.Clock)
						r := must.Get(regrow.Solver{}.Solve(ctx, in, qap.Options{Limits: qap.Limits{TimeLimit: limit * time.Millisecond}, Seed: seed}))(b)
						runs++
						if math.Abs(r.Objective-optimum) < 2e-6 {
							reached++
						}
						if r.Status == qap.Optimal {
							proved++
						}
					}
				}
			}
			b.ReportMetric(float64(reached), "optimal")
			b.ReportMetric(float64(proved), "proved")
			b.ReportMetric(float64(runs), "runs")
		})
	}
}
