package rewriter_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	. "github.com/rgm-go/rgm/lab/research/rewriter"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

func untrained(t testing.TB) qap.QFunction {
	t.Helper()
	n := must.Get(models.New(models.Config{Architecture: Name}, rand.New(rand.NewPCG(1, 2))))(t)
	return models.QFunction(n)
}

func TestConformance(t *testing.T) { solvertest.Test(t, Solver{untrained(t)}) }

func instances(t *testing.T, rng *rand.Rand) []*qap.Instance {
	t.Helper()
	numbers := func(n int) []float64 {
		values := make([]float64, n)
		for k := range values {
			values[k] = float64(2 * (rng.IntN(20) - 9)) // sums are exact
		}
		return values
	}
	var all []*qap.Instance
	for _, size := range [][2]int{{1, 1}, {2, 5}, {5, 5}, {6, 4}} {
		n1, n2 := size[0], size[1]
		kb := must.Get(qap.NewKoopmansBeckmann(n1, n2, numbers(n1*n1), numbers(n2*n2), numbers(n1*n2), qap.Minimize))(t)
		dense := must.Get(qap.NewDense(n1, n2, numbers(n1*n1*n2*n2), qap.Maximize))(t)
		all = append(all, kb, dense)
	}
	return all
}

// TestQuestionsSayWhatRulesDo compares the questions with rules that are made, on random
// walks: the change of score, whether it beats the best, and the greatest of a region; the
// best matching is the best of those seen.
func TestQuestionsSayWhatRulesDo(t *testing.T) {
	const channels = Channels
	rng := rand.New(rand.NewPCG(3, 4))
	for _, in := range instances(t, rng) {
		n1, n2 := in.Size()
		s := NewState(in, qap.RandomMatching(n1, n2, rng))
		regions, rules := make([]float32, n1*channels), make([]float32, n2*channels)
		openRegions, openRules := make([]bool, n1), make([]bool, n2)
		best := in.Score(s.Matching())
		for step := range 60 {
			s.FillRegions(regions, openRegions)
			region := Draw(make([]float32, n1), openRegions, rng)
			if region < 0 {
				break
			}
			s.FillRules(rules, region, openRules)
			rule := Draw(make([]float32, n2), openRules, rng)
			before := in.Score(s.Matching())
			asked := slices.Clone(rules[rule*channels : (rule+1)*channels])
			greatest := math.Inf(-1)
			for a, open := range openRules {
				if open {
					greatest = max(greatest, float64(rules[a*channels+RuleChange]))
				}
			}
			reward := s.Rewrite(region, rule)
			after := in.Score(s.Matching())
			if err := in.CheckMatching(s.Matching()); err != nil || !in.IsSolution(s.Matching()) {
				t.Fatalf("%d×%d: %v is no solution (%v)", n1, n2, s.Matching(), err)
			}
			if want := (after - before) / s.Scale(); math.Abs(reward-want) > 1e-9 || math.Abs(float64(asked[RuleChange])-math.Asinh(4*want)) > 1e-5 {
				t.Fatalf("step %d: reward %v, asked %v, want %v", step, reward, asked[RuleChange], want)
			}
			if got := float64(regions[region*channels+RegionChange]); math.Abs(got-greatest) > 1e-5 {
				t.Fatalf("step %d: the greatest change of the region is %v, want %v", step, got, greatest)
			}
			if beats := after > best; (asked[RuleBeats] == 1) != beats {
				t.Fatalf("step %d: beats %v, want %v", step, asked[RuleBeats], beats)
			}
			best = max(best, after)
			if m, score := s.Best(); score != best || in.Score(m) != best {
				t.Fatalf("step %d: best %v of %v, want %v", step, score, in.Score(m), best)
			}
		}
	}
}

// TestItIsNeverWorseThanTheStart, and an untrained one improves random matchings.
func TestItIsNeverWorseThanTheStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	better := 0
	for _, in := range instances(t, rng) {
		n1, n2 := in.Size()
		start := qap.RandomMatching(n1, n2, rng)
		r, err := Solver{untrained(t)}.Solve(t.Context(), in, qap.Options{Initial: start})
		if err != nil || r.Score < in.Score(start) || r.Score != in.Score(r.Matching) {
			t.Errorf("%d×%d: %+v from %v, error %v", n1, n2, r, in.Score(start), err)
		}
		if r.Score > in.Score(start) {
			better++
		}
	}
	if better < 5 {
		t.Errorf("%d of 8 matchings improved", better)
	}
}

// TestDrawFollowsSoftmax over the open alternatives.
func TestDrawFollowsSoftmax(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	q, open := []float32{1, 5, 0, 2}, []bool{true, false, true, true}
	counts, total := make([]float64, 4), math.Exp(1)+1+math.Exp(2)
	const draws = 40000
	for range draws {
		counts[Draw(q, open, rng)]++
	}
	for k, c := range counts {
		want := math.Exp(float64(q[k])) / total
		if !open[k] {
			want = 0
		}
		if math.Abs(c/draws-want) > 0.01 { // four deviations
			t.Errorf("%d is drawn with frequency %v, want %v", k, c/draws, want)
		}
	}
	if Draw(q, make([]bool, 4), rng) != -1 {
		t.Error("something is drawn of nothing")
	}
}

// failing is a Q-function that fails.
type failing struct {
	qap.QFunction
	err error
}

func (f failing) Features() string { return Set }
func (f failing) NewBatch(_, n1, n2 int) (qap.QBatch, error) {
	return failingBatch{f.err, n1 * n2}, nil
}

type failingBatch struct {
	err  error
	rows int
}

func (b failingBatch) Inputs() [][]float32 {
	return [][]float32{make([]float32, b.rows*Channels)}
}
func (b failingBatch) Evaluate() ([]float32, error) { return nil, b.err }
func (b failingBatch) Close() error                 { return nil }

func TestErrorsReachTheCaller(t *testing.T) {
	in := instances(t, rand.New(rand.NewPCG(9, 10)))[4]
	boom := errors.New("boom")
	if _, err := (Solver{failing{err: boom}}).Solve(t.Context(), in, qap.Options{}); !errors.Is(err, boom) {
		t.Errorf("error %v", err)
	}
	if _, err := (Solver{}).Solve(t.Context(), in, qap.Options{}); err == nil {
		t.Error("no network, and no error")
	}
	if _, err := (Solver{untrained(t)}).Solve(t.Context(), in, qap.Options{Initial: qap.Matching{0}}); err == nil {
		t.Error("a matching of another instance is accepted")
	}
}
