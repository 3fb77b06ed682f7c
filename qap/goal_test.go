package qap

import (
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestGoalChooses: the best value among the sizes of solutions, of equal ones the
// fewest matches.
func TestGoalChooses(t *testing.T) {
	in := must.Get(NewSparse(2, 2, nil, Maximize))(t)
	p := Profile{
		{Score: 0, Matching: Matching{-1, -1}}, {Score: 3, Matching: Matching{0, -1}}, {Score: 3, Matching: Matching{0, 1}},
	}
	complete := *in
	complete.Complete = true
	steep := NewRegularizer("steep", func(m, n1, n2 int) float64 { return float64(m * (n1 + n2)) })
	for name, c := range map[string]struct {
		goal Goal
		in   *Instance
		want int
	}{
		"any size": {Goal{}, in, 1}, "complete": {Goal{}, &complete, 2}, "inliers": {Goal{Inliers: 2}, in, 2},
		"regularized": {Goal{Regularizer: steep}, in, 2}, "mean": {Goal{Regularizer: RegularizeMean(1)}, in, 1},
	} {
		if m, ok := c.goal.Choose(c.in, p); !ok || m != c.want {
			t.Errorf("%s: chose %d, %v; want %d", name, m, ok, c.want)
		}
	}
	p[2].Matching = nil
	if m, ok := (Goal{Inliers: 2}).Choose(in, p); ok {
		t.Errorf("chose %d of a profile that has no matching of 2", m)
	}
}
