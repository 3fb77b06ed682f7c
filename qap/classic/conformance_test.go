package classic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// problem is an instance of the conformance suite.
type problem struct {
	name string
	in   *qap.Instance
}

// problems are the instances that every method must cope with.
func problems(t testing.TB) []problem {
	rng := rand.New(rand.NewPCG(6, 1))
	constant := func(n int, v float64) []float64 {
		k := make([]float64, n*n)
		for p := range k {
			k[p] = v
		}
		return k
	}
	// Two pairs of vertices, far apart in K; the other vertices support nothing.
	disconnected := []qap.Entry{{P: 0, Q: 5, Value: 2}, {P: 10, Q: 15, Value: 1}, {P: 3, Q: 3, Value: 0.5}}
	kb := func(n1, n2 int, sense qap.Sense) *qap.Instance {
		return must(qap.NewKoopmansBeckmann(n1, n2, randomMatrix(rng, n1), randomMatrix(rng, n2), nil, sense))(t)
	}
	dense := func(n1, n2 int, k []float64, sense qap.Sense) *qap.Instance {
		return must(qap.NewDense(n1, n2, k, sense))(t)
	}
	return []problem{
		{"empty", dense(0, 0, nil, qap.Maximize)},
		{"one side empty", dense(0, 3, nil, qap.Maximize)},
		{"other side empty", dense(3, 0, nil, qap.Maximize)},
		{"empty assignment", kb(0, 0, qap.Minimize)},
		{"1×1", dense(1, 1, []float64{2}, qap.Maximize)},
		{"1×1, negative", dense(1, 1, []float64{-2}, qap.Maximize)},
		{"1×4", dense(1, 4, randomMatrix(rng, 4), qap.Maximize)},
		{"3×5", dense(3, 5, randomMatrix(rng, 15), qap.Maximize)},
		{"5×3", dense(5, 3, randomMatrix(rng, 15), qap.Maximize)},
		{"3×5, minimised", dense(3, 5, randomMatrix(rng, 15), qap.Minimize)},
		{"all zero", dense(4, 4, constant(16, 0), qap.Maximize)},
		{"all zero, assignment", must(qap.NewKoopmansBeckmann(4, 4, make([]float64, 16), make([]float64, 16), nil, qap.Minimize))(t)},
		{"all negative", dense(4, 4, constant(16, -3), qap.Maximize)},
		{"ties", dense(4, 4, constant(16, 1), qap.Maximize)},
		{"disconnected", must(qap.NewSparse(4, 4, disconnected, qap.Maximize))(t)},
		{"nothing", must(qap.NewSparse(4, 4, nil, qap.Maximize))(t)},
		{"signed", dense(5, 5, signedMatrix(rng, 25), qap.Maximize)},
		{"huge", dense(3, 3, constant(9, 1e290), qap.Maximize)},
		{"tiny", dense(3, 3, constant(9, 1e-300), qap.Maximize)},
		{"assignment", kb(6, 6, qap.Minimize)},
		{"assignment, maximised", kb(6, 6, qap.Maximize)},
		{"assignment, 4×6", kb(4, 6, qap.Minimize)},
		{"assignment, 6×4", kb(6, 4, qap.Minimize)},
	}
}

func must(in *qap.Instance, err error) func(testing.TB) *qap.Instance {
	return func(t testing.TB) *qap.Instance {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
}

func randomMatrix(rng *rand.Rand, n int) []float64 {
	m := make([]float64, n*n)
	for k := range m {
		m[k] = rng.Float64()
	}
	return m
}

func signedMatrix(rng *rand.Rand, n int) []float64 {
	m := make([]float64, n*n)
	for k := range m {
		m[k] = rng.NormFloat64()
	}
	return m
}

// eachMethod runs a test for every method; one that does not serve an instance's
// form says so by qap.ErrUnsupported.
func eachMethod(t *testing.T, test func(t *testing.T, s qap.Solver)) {
	for _, name := range Methods() {
		t.Run(name, func(t *testing.T) {
			s, err := New(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, s)
		})
	}
}

// check solves and demands what holds of every result.
func check(t *testing.T, ctx context.Context, s qap.Solver, p problem, o qap.Options) (qap.Result, bool) {
	t.Helper()
	result, err := s.Solve(ctx, p.in, o)
	if errors.Is(err, qap.ErrUnsupported) {
		return result, false
	}
	if err != nil {
		t.Errorf("%s: %v", p.name, err)
		return result, false
	}
	if err := p.in.CheckMatching(result.Matching); err != nil {
		t.Errorf("%s: %v", p.name, err)
		return result, false
	}
	if !p.in.IsSolution(result.Matching) {
		t.Errorf("%s: %v is not a solution", p.name, result.Matching)
	}
	score := p.in.Score(result.Matching)
	if result.Score != score || result.Objective != p.in.Objective(score) || math.IsNaN(score) {
		t.Errorf("%s: score %v and objective %v, recomputed %v and %v",
			p.name, result.Score, result.Objective, score, p.in.Objective(score))
	}
	if result.Status == "" || result.Rollouts < 1 {
		t.Errorf("%s: status %q, %d rollouts", p.name, result.Status, result.Rollouts)
	}
	return result, true
}

func TestEveryInstanceIsSolved(t *testing.T) {
	eachMethod(t, func(t *testing.T, s qap.Solver) {
		for _, p := range problems(t) {
			first, ok := check(t, context.Background(), s, p, qap.Options{Seed: 3})
			if again, _ := check(t, context.Background(), s, p, qap.Options{Seed: 3}); ok && !slices.Equal(again.Matching, first.Matching) {
				t.Errorf("%s: %v, then %v", p.name, first.Matching, again.Matching)
			}
		}
	})
}

func TestCancelledContextGivesASolution(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	eachMethod(t, func(t *testing.T, s qap.Solver) {
		for _, p := range problems(t) {
			result, ok := check(t, ctx, s, p, qap.Options{})
			if n1, n2 := p.in.Size(); ok && n1*n2 > 1 && result.Status != qap.Cancelled {
				t.Errorf("%s: status %q, want cancelled", p.name, result.Status)
			}
		}
	})
}

// A limit ends the search soon after it, however long it would take.
func TestTimeLimitEndsTheSearch(t *testing.T) {
	const n, limit, patience = 60, 50 * time.Millisecond, 3 * time.Second
	rng := rand.New(rand.NewPCG(6, 2))
	in := must(qap.NewKoopmansBeckmann(n, n, randomMatrix(rng, n), randomMatrix(rng, n), nil, qap.Minimize))(t)
	eachMethod(t, func(t *testing.T, s qap.Solver) {
		begin := time.Now()
		result, ok := check(t, context.Background(), s, problem{"60×60", in}, qap.Options{
			Limits: qap.Limits{TimeLimit: limit, MaxSteps: 1 << 40},
		})
		if took := time.Since(begin); took > patience {
			t.Errorf("took %v with a limit of %v", took, limit)
		}
		if ok && result.Status != qap.TimeLimit && result.Status != qap.Converged {
			t.Errorf("status %q, want time_limit or converged", result.Status)
		}
	})
}

// A search may start from a matching; a solution among them is not made worse.
func TestInitialIsNotMadeWorse(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	eachMethod(t, func(t *testing.T, s qap.Solver) {
		for _, p := range problems(t) {
			n1, n2 := p.in.Size()
			initial := qap.RandomMatching(n1, n2, rng)
			before := p.in.Score(initial)
			if result, ok := check(t, context.Background(), s, p, qap.Options{Initial: initial}); ok && result.Score < before {
				t.Errorf("%s: score %v after a start of %v", p.name, result.Score, before)
			}
			if n1*n2 == 0 {
				continue
			}
			wrong := append(initial.Clone(), 0)
			if _, err := s.Solve(context.Background(), p.in, qap.Options{Initial: wrong}); err == nil {
				t.Errorf("%s: no error for an initial matching of %d nodes", p.name, len(wrong))
			}
		}
	})
}
