package soft_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	. "github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// known is a Q-function that prefers a matching.
type known struct {
	truth qap.Matching
	set   string
	fails error
	share float32
}

func (k known) Features() string { return k.set }
func (k known) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	return &batch{k, features.Make(Set, size, n1, n2), n1, n2}, nil
}

type batch struct {
	known
	inputs [][]float32
	n1, n2 int
}

func (b *batch) Inputs() [][]float32 { return b.inputs }
func (b *batch) Close() error        { return nil }
func (b *batch) Evaluate() ([]float32, error) {
	q := make([]float32, b.n1*b.n2)
	for v := range q {
		if q[v] = -9; b.truth[v/b.n2] == v%b.n2 {
			q[v] = b.share
		}
	}
	return q, b.fails
}

func instance(t *testing.T, n1, n2 int) *qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	k := solvertest.SignedMatrix(rng, n1*n2)
	return must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
}

// TestTheLikeliestAssignmentIsTheResult, also where the graphs are of unequal size.
func TestTheLikeliestAssignmentIsTheResult(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{5, 5}, {4, 7}, {7, 4}, {1, 1}} {
		in, truth := instance(t, size[0], size[1]), qap.RandomMatching(size[0], size[1], rng)
		r, err := Solver{known{truth: truth, set: Set}}.Solve(t.Context(), in, qap.Options{})
		if err != nil || !slices.Equal(r.Matching, truth) || r.Status != qap.Converged || r.Score != in.Score(truth) {
			t.Errorf("%v: %+v, %v; want %v", size, r, err, truth)
		}
	}
}

func TestErrorsReachTheCaller(t *testing.T) {
	in := instance(t, 3, 3)
	boom := errors.New("boom")
	if _, err := (Solver{known{truth: qap.Matching{0, 1, 2}, set: Set, fails: boom}}).Solve(t.Context(), in, qap.Options{}); !errors.Is(err, boom) {
		t.Errorf("error %v", err)
	}
	nan := known{truth: qap.Matching{0, 1, 2}, set: Set, share: float32(math.NaN())}
	for name, q := range map[string]qap.QFunction{"none": nil, "of actions": known{set: features.Gain}, "NaN": nan} {
		if _, err := (Solver{q}).Solve(t.Context(), in, qap.Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	large := must.Get(qap.NewKoopmansBeckmann(65, 65, make([]float64, 65*65), make([]float64, 65*65), nil, qap.Minimize))(t)
	if _, err := (Solver{known{set: Set}}).Solve(t.Context(), large, qap.Options{}); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("too large an instance: %v", err)
	}
}

// TestCancelledSearchesReturnASolution without an evaluation.
func TestCancelledSearchesReturnASolution(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := instance(t, 4, 4)
	r, err := Solver{known{set: Set, fails: errors.New("evaluated")}}.Solve(ctx, in, qap.Options{})
	if err != nil || r.Status != qap.Cancelled || r.Matching.Size() != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}
