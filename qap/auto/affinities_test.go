package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/exact"
)

// TestAffinitiesKeepToTheGoal: where swaps do not serve, graphs of two sizes and both signs get
// their optimum, with a policy and without, and seeds stay.
func TestAffinitiesKeepToTheGoal(t *testing.T) {
	const n1, n2 = 5, 7
	rng := rand.New(rand.NewPCG(4, 2))
	k := make([]float64, n1*n2*n1*n2)
	for i := range k {
		k[i] = rng.NormFloat64()
	}
	in := must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
	want, err := exact.Solver{}.Solve(context.Background(), in, qap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, limits := range []qap.Limits{{}, {TimeLimit: 20 * time.Millisecond}} {
		var v Solver
		best, err := v.Solve(solvertest.Clocked(), in, qap.Options{Limits: limits})
		if err != nil || math.Abs(best.Score-want.Score) > 1e-9 {
			t.Errorf("score %v, the optimum is %v (%v)", best.Score, want.Score, err)
		}
		v.Goal.Fixed = qap.NewMatching(n1)
		v.Goal.Fixed[2] = (best.Matching[2] + 2) % n2
		seeded, err := v.Solve(context.Background(), in, qap.Options{Limits: limits})
		if err != nil || seeded.Matching[2] != v.Goal.Fixed[2] {
			t.Errorf("%v (%v), want node 2 at %d", seeded.Matching, err, v.Goal.Fixed[2])
		}
	}
}

// telling is a policy that tells of a solution after some steps.
type telling struct {
	m     qap.Matching
	steps int
}

func (s telling) Solve(_ context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if o.OnBest != nil {
		o.OnBest(qap.NewIncumbent(in, s.m, in.Score(s.m), s.steps))
	}
	r := qap.NewResult(in, s.m, qap.Patience)
	r.Steps = s.steps
	return r, nil
}

// TestStepsOfAllPartsCount: the search of the profile follows a policy, and what it tells of
// counts the steps of both; the result is the better one of the two.
func TestStepsOfAllPartsCount(t *testing.T) {
	in := must.Get(qap.NewDense(1, 2, []float64{1, 0, 0, 2}, qap.Maximize))(t)
	var told []qap.Incumbent
	o := qap.Options{OnBest: func(found qap.Incumbent) { told = append(told, found) }}
	r, err := Solver{Policy: telling{qap.Matching{0}, 3}}.Solve(context.Background(), in, o)
	if err != nil || r.Objective != 2 || r.FoundBy != ByProfile || r.Steps < 3 {
		t.Errorf("%+v, %v; want 2 of the profile", r, err)
	}
	if len(told) != 2 || told[0].Steps != 3 || told[0].FoundBy != ByPolicy || told[1].Steps < 3 || told[1].FoundBy != ByProfile {
		t.Errorf("told %+v; want the policy's after 3 steps, then the profile's", told)
	}
	o.MaxSteps = 5 // steps of the policy
	if r, err := (Solver{Policy: telling{qap.Matching{0}, 3}}).Solve(context.Background(), in, o); err != nil || r.Objective != 1 || r.Steps != 3 {
		t.Errorf("limited to steps: %+v, %v; want the policy's", r, err)
	}
}

// TestIncompleteStart: a part of an assignment is completed, not refused.
func TestIncompleteStart(t *testing.T) {
	in, err := qaplib.Open("nug12")
	if err != nil {
		t.Fatal(err)
	}
	partial := qap.NewMatching(12)
	partial[3] = 5
	r, err := Solver{}.Solve(context.Background(), in, qap.Options{Initial: partial, Limits: qap.Limits{MaxSteps: 20000}})
	if err != nil || r.Objective != 578 {
		t.Errorf("%+v, %v; want nug12's optimum of 578", r, err)
	}
}
