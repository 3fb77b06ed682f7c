package bound_test

import (
	"math"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
)

// BenchmarkPublished measures the bound of problems of gmbench whose optimum is known: the gap
// after so much processor time, and when it is closed.
func BenchmarkPublished(b *testing.B) {
	for _, name := range []string{"opengm1", "house-sparse1", "house-sparse43", "house-sparse85"} {
		b.Run(name, func(b *testing.B) {
			for in, err := range datasets.Open(testdata.Path(b, "data", "dd", name+".dd"), datasets.Options{}) {
				if err != nil {
					b.Fatal(err)
				}
				measureGaps(b, in, -testdata.Optima[name])
			}
		})
	}
}

func measureGaps(b *testing.B, in *qap.Instance, optimum float64) {
	const most = 2 * time.Second
	began := cputime.Clock()
	d := must.Get(bound.New(in, qap.Goal{}, func() bool { return false }))(b)
	gap := func() float64 { return 100 * max(d.Bound()-optimum, 0) / math.Abs(optimum) }
	moments := []time.Duration{20 * time.Millisecond, 200 * time.Millisecond, most}
	for {
		d.Improve(optimum, func() bool { return false })
		took := cputime.Clock().Sub(began)
		for len(moments) > 0 && took >= moments[0] {
			b.ReportMetric(gap(), "gap%-after-"+moments[0].String())
			moments = moments[1:]
		}
		if d.Bound() <= optimum+1e-6 { // the published digits
			b.ReportMetric(took.Seconds(), "proof-s")
			return
		}
		if took > most {
			return
		}
	}
}
