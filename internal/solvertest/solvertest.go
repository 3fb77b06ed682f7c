// Package solvertest is the conformance suite of solvers: what holds of every
// qap.Solver on the instances at the edge of what is served. It also has what tests of
// searches share: clocks, contexts that end, instances.
package solvertest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// Test runs the suite. A solver that does not serve an instance's form says so by
// qap.ErrUnsupported.
func Test(t *testing.T, s qap.Solver) {
	for _, p := range problems(t) {
		t.Run(p.name, func(t *testing.T) {
			testRepeats(t, s, p.in)
			testCancelled(t, s, p.in)
			testInitial(t, s, p.in)
		})
	}
	testTimeLimit(t, s)
}

// testRepeats: the same seed gives the same result.
func testRepeats(t *testing.T, s qap.Solver, in *qap.Instance) {
	first, ok := Check(t, context.Background(), s, in, qap.Options{Seed: 3})
	if again, _ := Check(t, context.Background(), s, in, qap.Options{Seed: 3}); ok && !slices.Equal(again.Matching, first.Matching) {
		t.Errorf("%v, then %v", first.Matching, again.Matching)
	}
}

// testCancelled: a context that ended gives a solution, and the status says how it ended.
func testCancelled(t *testing.T, s qap.Solver, in *qap.Instance) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result, ok := Check(t, ctx, s, in, qap.Options{})
	if n1, n2 := in.Size(); ok && n1*n2 > 1 && result.Status != qap.Cancelled {
		t.Errorf("status %q, want cancelled", result.Status)
	}
	late, end := context.WithTimeout(context.Background(), -1)
	defer end()
	result, ok = Check(t, late, s, in, qap.Options{})
	if n1, n2 := in.Size(); ok && n1*n2 > 1 && result.Status != qap.Deadline {
		t.Errorf("status %q, want deadline", result.Status)
	}
}

// testInitial: a search may start from a matching; a solution is not made worse.
func testInitial(t *testing.T, s qap.Solver, in *qap.Instance) {
	n1, n2 := in.Size()
	initial := qap.RandomMatching(n1, n2, rand.New(rand.NewPCG(6, 3)))
	before := in.Score(initial)
	if result, ok := Check(t, context.Background(), s, in, qap.Options{Initial: initial}); ok && result.Score < before {
		t.Errorf("score %v after a start of %v", result.Score, before)
	}
	if n1*n2 == 0 {
		return
	}
	wrong := append(initial.Clone(), 0)
	if _, err := s.Solve(context.Background(), in, qap.Options{Initial: wrong}); err == nil {
		t.Errorf("no error for an initial matching of %d nodes", len(wrong))
	}
}

// testTimeLimit: a limit ends the search soon after it, however long it would take.
func testTimeLimit(t *testing.T, s qap.Solver) {
	const n, limit, patience = 60, 50 * time.Millisecond, 3 * time.Second
	rng := rand.New(rand.NewPCG(6, 2))
	in := must.Get(qap.NewKoopmansBeckmann(n, n, RandomMatrix(rng, n), RandomMatrix(rng, n), nil, qap.Minimize))(t)
	clock := Clock()
	begin := clock()
	result, ok := Check(t, Clocked(), s, in, qap.Options{
		Limits: qap.Limits{TimeLimit: limit, MaxSteps: 1 << 40},
	})
	if took := clock().Sub(begin); took > patience {
		t.Errorf("took %v with a limit of %v", took, limit)
	}
	if ok && result.Status != qap.TimeLimit && result.Status != qap.Converged {
		t.Errorf("status %q, want time_limit or converged", result.Status)
	}
}

// Check solves an instance and demands what holds of every result: a solution
// with its recomputed score. It returns false where there is no result, because
// the solver does not serve the instance or because it failed.
func Check(t testing.TB, ctx context.Context, s qap.Solver, in *qap.Instance, o qap.Options) (qap.Result, bool) {
	t.Helper()
	result, err := s.Solve(ctx, in, o)
	if errors.Is(err, qap.ErrUnsupported) {
		return result, false
	}
	if err != nil {
		t.Errorf("%v", err)
		return result, false
	}
	if err := in.CheckMatching(result.Matching); err != nil {
		t.Errorf("%v", err)
		return result, false
	}
	if !in.IsSolution(result.Matching) {
		t.Errorf("%v is not a solution", result.Matching)
	}
	score := in.Score(result.Matching)
	if result.Score != score || result.Objective != in.Objective(score) || math.IsNaN(score) {
		t.Errorf("score %v and objective %v, recomputed %v and %v",
			result.Score, result.Objective, score, in.Objective(score))
	}
	if result.Status == "" || result.Rollouts < 1 {
		t.Errorf("status %q, %d rollouts", result.Status, result.Rollouts)
	}
	return result, true
}

// OnBest returns a function for qap.Options that fails the test unless every solution it is
// told of is better than the one before and has the score that the instance gives it; and the
// score of the last, −Inf before the first.
func OnBest(t testing.TB, in *qap.Instance) (onBest func(qap.Incumbent), last *float64) {
	score := math.Inf(-1)
	return func(found qap.Incumbent) {
		t.Helper()
		if found.Score <= score || found.Score != in.Score(found.Matching) {
			t.Errorf("told of a score of %v after %v; that of the matching is %v", found.Score, score, in.Score(found.Matching))
		}
		score = found.Score
	}, &score
}
