package rollout_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	. "github.com/rgm-go/rgm/qap/rollout"
)

var policies = map[string]Policy{
	"greedy": Greedy{}, "greedy-tabu": GreedyTabu{}, "greedy-ages": GreedyAges{}, "learned": Learned{Q: byChange{}},
}

// byChange is a Q-function that prefers the largest change of value.
type byChange struct{}

func (byChange) Features() string { return features.Gain }

func (byChange) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	return &changeBatch{features.Make(features.Gain, size, n1, n2), make([]float32, size*n1*n2), n1 * n2, false}, nil
}

type changeBatch struct {
	inputs [][]float32
	q      []float32
	size   int // vertices
	fails  bool
}

func (b *changeBatch) Inputs() [][]float32 { return b.inputs }
func (b *changeBatch) Close() error        { return nil }

func (b *changeBatch) Evaluate() ([]float32, error) {
	if b.fails {
		return nil, errors.New("no evaluation")
	}
	for v := range b.q {
		b.q[v] = b.at(v, features.Change)
	}
	return b.q, nil
}

// at returns a channel of the v-th vertex of the batch.
func (b *changeBatch) at(v, channel int) float32 {
	return features.Plane(b.inputs, v/b.size, channel, b.size)[v%b.size]
}

// instances returns problems of every form, complete and not.
func instances(t testing.TB) []*qap.Instance {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []*qap.Instance
	add := func(name string, in *qap.Instance, err error) {
		if err != nil {
			t.Fatal(err)
		}
		in.Name = name
		list = append(list, in)
	}
	for _, family := range []string{"grid", "levels"} {
		in, err := datasets.Generate(family, 7, rng)
		add(family, in, err)
	}
	for _, size := range [][2]int{{0, 3}, {1, 1}, {1, 4}, {3, 5}, {5, 3}, {4, 4}} {
		n := size[0] * size[1]
		k := solvertest.SignedMatrix(rng, n)
		for _, complete := range []bool{true, false} {
			in, err := qap.NewDense(size[0], size[1], slices.Clone(k), qap.Maximize)
			if err == nil {
				in.Complete = complete
			}
			add(fmt.Sprintf("dense %v complete %v", size, complete), in, err)
		}
		all := make([]float64, n*n)
		for i := range all {
			all[i] = -1
		}
		in, err := qap.NewDense(size[0], size[1], all, qap.Maximize)
		add(fmt.Sprintf("all negative %v", size), in, err)
	}
	return list
}

// TestEveryPolicyReturnsSolutions is the conformance suite of the policies: the
// result is a solution of its objective under every rule and start, and the same
// seed gives it again.
func TestEveryPolicyReturnsSolutions(t *testing.T) {
	for name, policy := range policies {
		for _, in := range instances(t) {
			for _, rules := range []qap.EnvironmentOptions{{}, {Autofill: true, Release: true}, {Irrevocable: true}} {
				for _, start := range []Start{StartGreedy, StartEmpty, StartRandom} {
					s := Solver{Policy: policy, Rollouts: 3, Start: start, Rules: rules}
					solve := func() qap.Result {
						r, err := s.Solve(context.Background(), in, qap.Options{Seed: 5, Limits: qap.Limits{MaxSteps: 30}})
						if err != nil {
							t.Fatalf("%s on %s %+v: %v", name, in.Name, rules, err)
						}
						return r
					}
					r := solve()
					if err := in.CheckMatching(r.Matching); err != nil {
						t.Fatal(err)
					}
					if !in.IsSolution(r.Matching) || r.Objective != in.Objective(in.Score(r.Matching)) || r.Rollouts != 3 {
						t.Errorf("%s on %s %+v: %+v is no solution", name, in.Name, rules, r)
					}
					if r.Status != qap.MaxSteps && r.Status != qap.Converged {
						t.Errorf("%s on %s: status %s", name, in.Name, r.Status)
					}
					if !in.Complete && r.Score < 0 {
						t.Errorf("%s on %s: score %v is below that of the empty matching", name, in.Name, r.Score)
					}
					if again := solve(); !slices.Equal(again.Matching, r.Matching) || again.Steps != r.Steps {
						t.Errorf("%s on %s: the same seed gives another result", name, in.Name)
					}
				}
			}
		}
	}
}

// TestGreedyEndsAtALocalOptimum: no swap improves on it.
func TestGreedyEndsAtALocalOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		in := must.Get(datasets.Mixture{}.Instance(9, rng))(t)
		s := Solver{Policy: Greedy{}, Start: StartRandom, Rules: qap.EnvironmentOptions{Autofill: true}}
		r, err := s.Solve(context.Background(), in, qap.Options{Seed: rng.Uint64()})
		if err != nil || r.Status != qap.Converged {
			t.Fatalf("%v, %s", err, r.Status)
		}
		for i := range r.Matching {
			for j := range i {
				m := r.Matching.Clone()
				m[i], m[j] = m[j], m[i]
				if score := in.Score(m); score > r.Score+1e-9*max(-r.Score, 1) {
					t.Fatalf("%s: swapping %d and %d improves %v to %v", in.Name, i, j, r.Score, score)
				}
			}
		}
	}
}

// TestMemoryEscapesLocalOptima: with a tabu list or ages the best of a longer walk
// is on average better than plain descent, from the same starts.
func TestMemoryEscapesLocalOptima(t *testing.T) {
	total := map[string]float64{}
	for _, name := range []string{"nug12", "nug20", "chr15a", "rou15", "scr20"} {
		in := must.Get(qaplib.Open(name))(t)
		best, _ := qaplib.BestKnown(name)
		for _, policy := range []string{"greedy", "greedy-tabu", "greedy-ages"} {
			s := Solver{Policy: policies[policy], Rollouts: 4, Start: StartRandom, Rules: qap.EnvironmentOptions{Autofill: true}}
			r := must.Get(s.Solve(context.Background(), in, qap.Options{Seed: 1}))(t)
			gap, _ := qaplib.Gap(r.Objective, best.Value)
			if gap < 0 {
				t.Errorf("%s: %v is better than the best known %v", name, r.Objective, best.Value)
			}
			total[policy] += gap
		}
	}
	t.Log(total)
	for _, policy := range []string{"greedy-tabu", "greedy-ages"} {
		if total[policy] >= total["greedy"] {
			t.Errorf("%s: summed gap %.2f, greedy's is %.2f", policy, total[policy], total["greedy"])
		}
	}
}

func TestGreedyMatching(t *testing.T) {
	for _, in := range instances(t) {
		m := GreedyMatching(in, qap.Goal{})
		if err := in.CheckMatching(m); err != nil || !in.IsSolution(m) {
			t.Errorf("%s: %v, %v", in.Name, m, err)
		}
	}
}

// TestTimeLimitStartsAnew: rollouts that end early start again until the time is up.
func TestTimeLimitStartsAnew(t *testing.T) {
	in := instances(t)[0]
	s := Solver{Policy: Greedy{}, Rollouts: 2, Start: StartRandom, Rules: qap.EnvironmentOptions{Autofill: true}}
	once := must.Get(s.Solve(context.Background(), in, qap.Options{}))(t)
	r, err := s.Solve(solvertest.Clocked(), in, qap.Options{Limits: qap.Limits{TimeLimit: 100 * time.Millisecond}})
	if err != nil || r.Status != qap.TimeLimit || r.Steps <= 2*once.Steps {
		t.Errorf("%+v, %v; one round takes %d steps", r, err, once.Steps)
	}
}

func TestErrorsReachTheCaller(t *testing.T) {
	in := instances(t)[0]
	for name, s := range map[string]Solver{
		"evaluation": {Policy: Learned{Q: failing{}}},
		"features":   {Policy: Learned{Q: unknown{}}},
	} {
		if _, err := s.Solve(context.Background(), in, qap.Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s := Solver{Policy: Greedy{}}
	if _, err := s.Solve(context.Background(), in, qap.Options{Initial: qap.Matching{0}}); err == nil {
		t.Error("an initial matching of another instance is accepted")
	}
}

type failing struct{ byChange }

func (failing) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	b, err := byChange{}.NewBatch(size, n1, n2)
	b.(*changeBatch).fails = true
	return b, err
}

type unknown struct{ byChange }

func (unknown) Features() string { return "pixels" }
