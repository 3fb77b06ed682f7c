package align_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// TestSolver: every property of a solver, of which it serves graphs alone.
func TestSolver(t *testing.T) { solvertest.Test(t, align.Solver{}) }

// TestSolverOfGraphs: two graphs in flows and distances are aligned wholly, whether what is shared
// is to be much or what is not is to be little, and a first matching is not made worse.
func TestSolverOfGraphs(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(4, 4))
	order := rng.Perm(n)
	a, b := make([]float64, n*n), make([]float64, n*n)
	edges := 0.0
	for i := range n {
		for j := range i {
			if rng.IntN(8) == 0 {
				a[i*n+j], a[j*n+i] = 1, 1
				b[order[i]*n+order[j]], b[order[j]*n+order[i]] = 1, 1
				edges++
			}
		}
	}
	missing := make([]float64, n*n)
	for k, v := range b {
		missing[k] = 1 - v
	}
	for _, c := range []struct {
		b         []float64
		sense     qap.Sense
		objective float64
	}{{b, qap.Maximize, 2 * edges}, {missing, qap.Minimize, 0}} {
		in := must.Get(qap.NewKoopmansBeckmann(n, n, a, c.b, nil, c.sense))(t)
		onBest, last := solvertest.OnBest(t, in)
		target := qap.Limits{MaxSteps: 200_000, Target: c.objective, HasTarget: true}
		r, err := align.Solver{}.Solve(t.Context(), in, qap.Options{Limits: target, OnBest: onBest})
		if err != nil || r.Objective != c.objective || *last != r.Score || r.Status != qap.Optimal && r.Status != qap.Target {
			t.Errorf("%v: %+v and %v, want the objective %v; told of %v", c.sense, r, err, c.objective, *last)
		}
		again, err := align.Solver{}.Solve(t.Context(), in, qap.Options{Limits: qap.Limits{MaxSteps: 1}, Initial: r.Matching})
		if err != nil || again.Objective != c.objective {
			t.Errorf("%v: from the best matching %v, want %v; %v", c.sense, again.Objective, c.objective, err)
		}
	}
	for name, in := range map[string]*qap.Instance{
		"is no graph":     must.Get(qap.NewKoopmansBeckmann(n, n, missing, b, nil, qap.Maximize))(t),
		"linear term":     must.Get(qap.NewKoopmansBeckmann(2, 2, make([]float64, 4), make([]float64, 4), []float64{1, 0, 0, 0}, qap.Maximize))(t),
		"files of graphs": solvertest.Pair(t, 5, true),
	} {
		if _, err := (align.Solver{}).Solve(t.Context(), in, qap.Options{}); !errors.Is(err, qap.ErrUnsupported) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
