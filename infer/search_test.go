package infer

import (
	"context"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// telling is a solver that tells of a solution after some steps.
type telling struct {
	m     qap.Matching
	steps int
}

func (s telling) Solve(_ context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	o.OnBest(qap.NewIncumbent(in, s.m, in.Score(s.m), s.steps))
	r := qap.NewResult(in, s.m, qap.MaxSteps)
	r.Steps = s.steps
	return r, nil
}

// TestStepsOfAllPartsCount: what a part tells of counts the steps of the parts before.
func TestStepsOfAllPartsCount(t *testing.T) {
	in, err := qap.NewDense(1, 2, []float64{1, 0, 0, 2}, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	var told []int
	r := newRun(in, &Options{OnBest: func(found Incumbent) { told = append(told, found.Steps) }})
	for _, part := range []telling{{qap.Matching{0}, 3}, {qap.Matching{1}, 4}} {
		if _, err := r.part(context.Background(), part, "part", qap.Limits{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != 2 || told[0] != 3 || told[1] != 7 || r.best.Steps != 7 {
		t.Errorf("told of steps %v, %d in all; want 3 and 7", told, r.best.Steps)
	}
}
