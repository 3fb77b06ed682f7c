package rgm

import (
	"math"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestBoundGap: it is 0 within the error of a proof, in percent of the objective beyond,
// and absent where there is no such percentage.
func TestBoundGap(t *testing.T) {
	in := must.Get(qap.NewDense(1, 1, []float64{1}, qap.Maximize))(t)
	for _, c := range []struct {
		objective, bound, want float64 // NaN: absent
	}{
		{3, 3, 0}, {3, 3 * (1 + 1e-12), 0}, {-3, -3 * (1 - 9e-10), 0}, {0, 0, 0},
		{4, 5, 25}, {-4, -3, 25}, {1, 1 + 1e-6, 1e-4},
		{0, 1e-300, math.NaN()}, {1, math.Inf(1), math.NaN()},
	} {
		r := qap.Result{Status: qap.TimeLimit}
		r.Matching, r.Objective, r.Bound, r.HasBound = qap.Matching{0}, c.objective, c.bound, true
		switch gap := newResult(in, r).BoundGap; {
		case gap == nil:
			if !math.IsNaN(c.want) {
				t.Errorf("objective %v, bound %v: no gap, want %v", c.objective, c.bound, c.want)
			}
		case math.IsNaN(c.want) || math.Abs(*gap-c.want) > 1e-9:
			t.Errorf("objective %v, bound %v: gap %v, want %v", c.objective, c.bound, *gap, c.want)
		}
		r.Status = qap.Optimal
		if gap := newResult(in, r).BoundGap; gap == nil || *gap != 0 {
			t.Errorf("objective %v, bound %v, optimal: want 0", c.objective, c.bound)
		}
	}
}
