package multistart

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

func TestConformance(t *testing.T) { solvertest.Test(t, Solver{Solver: tabu.Solver{}, Threads: 3}) }

// TestStepsLimitToOne: where steps limit the search, it is the solver's alone.
func TestStepsLimitToOne(t *testing.T) {
	in := instances.QAPLIB(t, "nug30")
	for _, limits := range []qap.Limits{{}, {MaxSteps: 3000}, {MaxSteps: 3000, TimeLimit: time.Hour}, {Patience: 500, TimeLimit: time.Hour}} {
		o := qap.Options{Seed: 4, Limits: limits}
		want := must.Get(tabu.Solver{}.Solve(context.Background(), in, o))(t)
		got, err := Solver{Solver: tabu.Solver{}, Threads: 2}.Solve(context.Background(), in, o)
		if err != nil || !slices.Equal(got.Matching, want.Matching) || got.Steps != want.Steps {
			t.Errorf("%+v: %v after %d steps (%v), alone %v after %d", limits, got.Objective, got.Steps, err, want.Objective, want.Steps)
		}
	}
}

// TestTargetEndsAll: the first that reaches the target ends the others, better solutions
// are told in order, and no goroutine is left.
func TestTargetEndsAll(t *testing.T) {
	in := instances.QAPLIB(t, "nug30")
	ended := usage.Goroutines(t)
	onBest, last := solvertest.OnBest(t, in)
	o := qap.Options{Limits: qap.Limits{TimeLimit: time.Minute, Target: 6150, HasTarget: true}, OnBest: onBest}
	clock := solvertest.Clock()
	start := clock()
	r, err := Solver{Solver: tabu.Solver{}, Threads: 3}.Solve(solvertest.Clocked(), in, o)
	if err != nil || r.Status != qap.Target || r.Objective > 6150 || *last != r.Score {
		t.Errorf("%+v, told of %v at last (%v)", r, *last, err)
	}
	if took := clock().Sub(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	ended()
}

// proving is a search that ends with a bound; that of an odd seed is the better one, and
// a proof.
type proving struct{}

func (proving) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	r := qap.NewResult(in, qap.Matching{0, 1}, qap.TimeLimit)
	r.Bound, r.HasBound = 7, true
	if o.Seed != 0 {
		r.Bound, r.Status = r.Objective, qap.Optimal
	}
	return r, nil
}

// TestBestBound: what one search proves holds for the result, whichever found it.
func TestBestBound(t *testing.T) {
	in := must.Get(qap.NewSparse(2, 2, []qap.Entry{{P: 0, Q: 3, Value: 3}}, qap.Maximize))(t)
	r, err := Solver{Solver: proving{}, Threads: 2}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{TimeLimit: time.Second}})
	if err != nil || !r.HasBound || r.Bound != r.Objective || r.Status != qap.Optimal {
		t.Errorf("%+v (%v)", r, err)
	}
}
