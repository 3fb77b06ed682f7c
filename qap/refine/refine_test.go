package refine

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/local"
)

// instances returns one of every form.
func instances(t *testing.T, rng *rand.Rand) []*qap.Instance {
	numbers := func(n int) []float64 {
		values := make([]float64, n)
		for k := range values {
			values[k] = rng.NormFloat64()
		}
		return values
	}
	kb := must.Get(qap.NewKoopmansBeckmann(7, 7, numbers(49), numbers(49), numbers(49), qap.Minimize))(t)
	unequal := must.Get(qap.NewKoopmansBeckmann(7, 5, numbers(49), numbers(25), nil, qap.Minimize))(t)
	dense := must.Get(qap.NewDense(5, 7, numbers(35*35), qap.Maximize))(t)
	var entries []qap.Entry
	for range 300 {
		entries = append(entries, qap.Entry{P: rng.IntN(36), Q: rng.IntN(36), Value: rng.NormFloat64()})
	}
	sparse := must.Get(qap.NewSparse(6, 6, entries, qap.Maximize))(t)
	return []*qap.Instance{kb, unequal, dense, sparse}
}

func TestRefineNeverWorsens(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k, in := range instances(t, rng) {
		n1, n2 := in.Size()
		for range 10 {
			m := qap.RandomMatching(n1, n2, rng)
			before := in.Score(m)
			for _, method := range Methods() {
				result, err := Refine(context.Background(), in, m, method, qap.Options{Limits: qap.Limits{MaxSteps: 100}})
				if errors.Is(err, qap.ErrUnsupported) && method == "tabu" {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if result.Score != in.Score(result.Matching) || !in.IsSolution(result.Matching) {
					t.Fatalf("instance %d, %s: %+v is not a solution of its score", k, method, result)
				}
				if result.Score < before || in.Score(m) != before {
					t.Errorf("instance %d, %s: %v, before %v", k, method, result.Score, before)
				}
			}
		}
	}
}

// TestRewriteEndsInALocalOptimum: no single rule raises the score.
func TestRewriteEndsInALocalOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for k, in := range instances(t, rng) {
		n1, n2 := in.Size()
		result, err := Rewrite{}.Solve(context.Background(), in, qap.Options{})
		if err != nil || result.Status != qap.Converged {
			t.Fatalf("instance %d: %s, %v", k, result.Status, err)
		}
		s := local.NewState(in, result.Matching)
		for i := range n1 {
			for a := range n2 {
				if m, ok := s.Assign(i, a); ok && m.Change > 1e-9 {
					t.Errorf("instance %d: %+v raises the score", k, m)
				}
			}
		}
	}
}

func TestRewriteOnQAPLIB(t *testing.T) {
	in := must.Get(qaplib.Open("nug30"))(t)
	m := qap.RandomMatching(30, 30, rand.New(rand.NewPCG(1, 1)))
	result := must.Get(Rewrite{}.Solve(context.Background(), in, qap.Options{Initial: m}))(t)
	// A random assignment is some 30 % off; a local optimum under swaps about 5 %.
	best, _ := qaplib.BestKnown("nug30")
	if gap, _ := qaplib.Gap(result.Objective, best.Value); gap > 12 {
		t.Errorf("gap %.1f %%", gap)
	}
}

func TestLimits(t *testing.T) {
	in := instances(t, rand.New(rand.NewPCG(5, 6)))[0]
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	m := qap.RandomMatching(7, 7, rand.New(rand.NewPCG(2, 2)))
	for want, o := range map[qap.Status]qap.Limits{
		qap.MaxSteps:  {MaxSteps: 1},
		qap.TimeLimit: {TimeLimit: time.Nanosecond},
		qap.Target:    {Target: in.Objective(in.Score(m)), HasTarget: true},
	} {
		result, err := Refine(context.Background(), in, m, "rewrite", qap.Options{Limits: o})
		if err != nil || result.Status != want {
			t.Errorf("%s (%v), want %s", result.Status, err, want)
		}
	}
	if result, err := Refine(cancelled, in, m, "rewrite", qap.Options{}); err != nil || result.Status != qap.Cancelled {
		t.Errorf("%s (%v), want %s", result.Status, err, qap.Cancelled)
	}
}

func TestErrors(t *testing.T) {
	in := instances(t, rand.New(rand.NewPCG(7, 8)))[2]
	if _, err := Refine(context.Background(), in, qap.NewMatching(5), "polish", qap.Options{}); err == nil {
		t.Error("an unknown method is accepted")
	}
	if _, err := Refine(context.Background(), in, qap.NewMatching(4), "rewrite", qap.Options{}); err == nil {
		t.Error("a matching of another instance is accepted")
	}
	if _, err := Refine(context.Background(), in, qap.NewMatching(5), "tabu", qap.Options{}); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("tabu on a dense instance gives %v, want ErrUnsupported", err)
	}
}
