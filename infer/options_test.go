package infer_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// TestRolloutsHaveRoom: more rollouts than fit into memory are refused before any is made, and
// as many as there are by default never are.
func TestRolloutsHaveRoom(t *testing.T) {
	q, in := inGo(t, "qap"), instances.QAPLIB(t, "nug12")
	for option, o := range map[string]infer.Options{"Rollouts": {Rollouts: 1 << 40}, "Beam": {Beam: 1 << 40}} {
		var wrong *infer.OptionError
		if _, err := infer.Solve(context.Background(), q, in, o); !errors.As(err, &wrong) || wrong.Option != option || !strings.Contains(err.Error(), "want at most 233016 for graphs of 12 and 12 nodes") {
			t.Errorf("%s: %v", option, err)
		}
	}
	large := must.Get(qap.NewSparse(2100, 2100, nil, qap.Maximize))(t)
	if err := (&infer.Options{Rollouts: infer.DefaultRollouts}).Validate(large); err != nil {
		t.Error(err)
	}
}

// TestOptionsAreValidated: what cannot be meant is refused, and the error names it.
func TestOptionsAreValidated(t *testing.T) {
	q, in := inGo(t, "qap"), instances.QAPLIB(t, "nug12")
	twice := qap.NewMatching(12)
	twice[0], twice[1] = 3, 3
	for name, o := range map[string]infer.Options{
		"MaxSteps":  {MaxSteps: -5},
		"Rollouts":  {Rollouts: -1},
		"Beam":      {Beam: -3},
		"Threads":   {Threads: 1 << 20},
		"TimeLimit": {TimeLimit: -time.Second},
		"Patience":  {Patience: -1},
		"Target":    {Target: math.NaN(), HasTarget: true},
		"Goal":      {Goal: qap.Goal{Inliers: 13}},
		"Initial":   {Initial: twice},
	} {
		_, err := infer.Solve(context.Background(), q, in, o)
		_, withErr := infer.SolveWith(context.Background(), rollout.Greedy{}, in, o)
		for _, err := range []error{err, withErr} {
			var wrong *infer.OptionError
			if !errors.As(err, &wrong) || wrong.Option != name {
				t.Errorf("%s: %v, want an OptionError of it", name, err)
			}
		}
	}
	for name, o := range map[string]infer.Options{
		"Beam":    {Beam: 4, Rollouts: 8},
		"Initial": {Initial: qap.NewMatching(11)},
	} {
		if err := o.Validate(in); err == nil {
			t.Errorf("%s: %+v is accepted", name, o)
		}
	}
	if _, err := infer.Solve(context.Background(), q, nil, infer.Options{}); err == nil {
		t.Error("no instance is accepted")
	}
	if _, err := infer.Solve(context.Background(), nil, in, infer.Options{}); err == nil {
		t.Error("no network is accepted")
	}
	if err := (&infer.Options{Target: math.NaN()}).Validate(in); err != nil {
		t.Errorf("a target that does not count: %v", err)
	}
}

// TestDeadlineAndCancellation are different statuses, of a search in one part and in two.
func TestDeadlineAndCancellation(t *testing.T) {
	q := inGo(t, "qap")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, end := context.WithTimeout(context.Background(), time.Millisecond)
	defer end()
	for _, o := range []infer.Options{{MaxSteps: 1 << 30}, {TimeLimit: time.Hour}, {Beam: 4, MaxSteps: 1 << 30}} {
		for want, ctx := range map[qap.Status]context.Context{qap.Cancelled: cancelled, qap.Deadline: late} {
			r, err := infer.Solve(ctx, q, instances.QAPLIB(t, "nug12"), o)
			if err != nil || r.Status != want || r.Matching.Size() != 12 {
				t.Errorf("%+v: %s (%v), want %s", o, r.Status, err, want)
			}
		}
	}
}

// TestOnBest: every solution told is better than the one before, the last is the
// result, and names what found it.
func TestOnBest(t *testing.T) {
	q := inGo(t, "qap")
	matching := pointSets(t, 12)
	for name, test := range map[string]struct {
		in   *qap.Instance
		o    infer.Options
		want string
	}{
		"rollouts": {instances.QAPLIB(t, "nug12"), infer.Options{}, infer.ByPolicy},
		"limited":  {instances.QAPLIB(t, "nug12"), infer.Options{TimeLimit: 30 * time.Millisecond}, infer.ByPolicy},
		"matching": {matching, infer.Options{}, infer.ByPolicy},
		"beam":     {matching, infer.Options{Beam: 3}, infer.ByPolicy},
	} {
		var told []infer.Incumbent
		test.o.OnBest = func(i infer.Incumbent) {
			i.Matching = slices.Clone(i.Matching)
			told = append(told, i)
		}
		r, err := infer.Solve(solvertest.Clocked(), q, test.in, test.o)
		if err != nil || len(told) == 0 {
			t.Fatalf("%s: %d solutions told, %v", name, len(told), err)
		}
		for k, i := range told {
			if got := test.in.Score(i.Matching); math.Abs(got-i.Score) > 1e-9*math.Abs(got) {
				t.Errorf("%s: told a score of %v, it is %v", name, i.Score, got)
			}
			if k > 0 && (i.Score <= told[k-1].Score || i.Elapsed < told[k-1].Elapsed || i.Steps < told[k-1].Steps) {
				t.Errorf("%s: %+v follows %+v", name, i, told[k-1])
			}
		}
		last := told[len(told)-1]
		if math.Abs(last.Score-r.Score) > 1e-9*math.Abs(r.Score) || last.FoundBy != r.FoundBy || test.want != "" && r.FoundBy != test.want {
			t.Errorf("%s: the last told is %+v, the result %+v", name, last, r)
		}
	}
}

// pointSets returns the affinity of two sets of n random points each by the distances
// within them, one set a noisy copy of the other.
func pointSets(t testing.TB, n int) *qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	x, y := make([][2]float64, n), make([][2]float64, n)
	for i := range x {
		x[i] = [2]float64{rng.Float64(), rng.Float64()}
		y[n-1-i] = [2]float64{x[i][0] + 0.02*rng.NormFloat64(), x[i][1] + 0.02*rng.NormFloat64()}
	}
	k := make([]float64, n*n*n*n)
	for p := range n * n {
		for q := range n * n {
			if i, a, j, b := p/n, p%n, q/n, q%n; i != j && a != b {
				d := math.Hypot(x[i][0]-x[j][0], x[i][1]-x[j][1]) - math.Hypot(y[a][0]-y[b][0], y[a][1]-y[b][1])
				k[p*n*n+q] = math.Exp(-d * d / 0.01)
			}
		}
	}
	return must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
}

// TestCountLeavesNothingToRegularize: all matchings of a count share the factor of a
// regularizer, so a search returns the same with and without it.
func TestCountLeavesNothingToRegularize(t *testing.T) {
	in := pointSets(t, 12)
	count := qap.Goal{Inliers: 9}
	weighted := qap.Goal{Inliers: 9, Regularizer: qap.RegularizeF1}
	for name, solve := range map[string]func(infer.Options) (qap.Result, error){
		"greedy-tabu": func(o infer.Options) (qap.Result, error) {
			return infer.SolveWith(context.Background(), rollout.GreedyTabu{}, in, o)
		},
		"greedy-ages": func(o infer.Options) (qap.Result, error) {
			return infer.SolveWith(context.Background(), rollout.GreedyAges{}, in, o)
		},
		"qap": func(o infer.Options) (qap.Result, error) {
			return infer.Solve(context.Background(), inGo(t, "qap"), in, o)
		},
	} {
		plain := must.Get(solve(infer.Options{Goal: count}))(t)
		same, err := solve(infer.Options{Goal: weighted})
		if err != nil || !slices.Equal(same.Matching, plain.Matching) || same.Steps != plain.Steps {
			t.Errorf("%s: %v after %d steps with f1 (%v), %v after %d without", name, same.Matching, same.Steps, err, plain.Matching, plain.Steps)
		}
	}
}
