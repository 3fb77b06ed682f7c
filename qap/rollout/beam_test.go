package rollout_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	. "github.com/rgm-go/rgm/qap/rollout"
)

// byMemory is a Q-function that avoids what was lately released: with another
// memory it takes other actions.
type byMemory struct{ byChange }

func (byMemory) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	b, err := byChange{}.NewBatch(size, n1, n2)
	return memoryBatch{b.(*changeBatch)}, err
}

type memoryBatch struct{ *changeBatch }

func (b memoryBatch) Evaluate() ([]float32, error) {
	for v := range b.q {
		b.q[v] = b.at(v, features.Regret) - b.at(v, features.ReleasedAge) - b.at(v, features.PartnerAge) + b.at(v, features.BeatsBest)
	}
	return b.q, nil
}

var allRules = []qap.EnvironmentOptions{{}, {Autofill: true, Release: true}, {Irrevocable: true}}

func run(t *testing.T, s qap.Solver, in *qap.Instance, steps int) qap.Result {
	t.Helper()
	r, err := s.Solve(context.Background(), in, qap.Options{Seed: 5, Limits: qap.Limits{MaxSteps: steps}})
	if err != nil {
		t.Fatalf("%s: %v", in.Name, err)
	}
	return r
}

// TestBeamOfOneIsARollout: the same steps to the same result, also with a memory.
func TestBeamOfOneIsARollout(t *testing.T) {
	for _, in := range instances(t) {
		for _, rules := range allRules {
			for _, start := range []Start{StartGreedy, StartEmpty, StartRandom} {
				for _, q := range []qap.QFunction{byChange{}, byMemory{}} {
					beam := run(t, Beam{Q: q, Start: start, Rules: rules}, in, 40)
					single := run(t, &Solver{Policy: Learned{Q: q}, Start: start, Rules: rules}, in, 40)
					if !slices.Equal(beam.Matching, single.Matching) || beam.Steps != single.Steps || beam.Status != single.Status {
						t.Errorf("%s %+v: beam %+v\nrollout %+v", in.Name, rules, beam, single)
					}
				}
			}
		}
	}
}

// TestWiderBeamsAreNotWorse: the rollout of a single state stays in the beam, so
// the best of a wider one is at least as good; it is a solution, and found again.
func TestWiderBeamsAreNotWorse(t *testing.T) {
	for _, in := range instances(t) {
		for _, rules := range allRules {
			single := run(t, Beam{Q: byMemory{}, Rules: rules}, in, 30)
			for _, width := range []int{2, 3, 8} {
				s := Beam{Q: byMemory{}, Width: width, Rules: rules}
				r := run(t, s, in, 30)
				if !in.IsSolution(r.Matching) || r.Rollouts != width {
					t.Errorf("%s %+v: %+v is no solution of a beam of %d", in.Name, rules, r, width)
				}
				if r.Score < single.Score {
					t.Errorf("%s %+v: a beam of %d ends at %v, one of 1 at %v", in.Name, rules, width, r.Score, single.Score)
				}
				if again := run(t, s, in, 30); !slices.Equal(again.Matching, r.Matching) || again.Steps != r.Steps {
					t.Errorf("%s: the same search gives another result", in.Name)
				}
			}
		}
	}
}

// TestFullBeamIsExhaustive: a beam with room for every matching of each size finds
// the best one, in the 4! + 4·4! + … states that brute force has as well.
func TestFullBeamIsExhaustive(t *testing.T) {
	const n = 4
	rng := rand.New(rand.NewPCG(7, 8))
	for range 10 {
		in := must.Get(datasets.Mixture{}.Instance(n, rng))(t)
		s := Beam{Q: byChange{}, Width: 100, Start: StartEmpty, Rules: qap.EnvironmentOptions{Irrevocable: true}}
		r := run(t, s, in, n)
		if best := bestAssignment(in, qap.Matching{0, 1, 2, 3}, 0); r.Score < best-1e-9*max(1, -best) {
			t.Errorf("%s: the full beam ends at %v, the optimum is %v", in.Name, r.Score, best)
		}
	}
}

// bestAssignment returns the best score among the permutations of m from k on.
func bestAssignment(in *qap.Instance, m qap.Matching, k int) float64 {
	if k == len(m) {
		return in.Score(m)
	}
	best := bestAssignment(in, m, k+1)
	for j := k + 1; j < len(m); j++ {
		m[k], m[j] = m[j], m[k]
		best = max(best, bestAssignment(in, m, k+1))
		m[k], m[j] = m[j], m[k]
	}
	return best
}

// TestBeamStepsAllocateNothing: a search of more steps allocates no more.
func TestBeamStepsAllocateNothing(t *testing.T) {
	in := instances(t)[0]
	s := Beam{Q: byMemory{}, Width: 4, Rules: qap.EnvironmentOptions{Autofill: true}}
	allocations := func(steps int) float64 {
		return testing.AllocsPerRun(5, func() { run(t, s, in, steps) })
	}
	if few, many := allocations(5), allocations(105); many > few {
		t.Errorf("100 more steps make %v more allocations", many-few)
	}
}

func TestErrorsOfBeamsReachTheCaller(t *testing.T) {
	in := instances(t)[0]
	for name, q := range map[string]qap.QFunction{"evaluation": failing{}, "features": unknown{}} {
		if _, err := (Beam{Q: q, Width: 2}).Solve(context.Background(), in, qap.Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := (Beam{Q: byChange{}}).Solve(context.Background(), in, qap.Options{Initial: qap.Matching{0}}); err == nil {
		t.Error("an initial matching of another instance is accepted")
	}
}
