package rgm_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

// pointSets returns the affinity of two sets of n random points by the distances
// within them, one a noisy copy of the other; where sparse, of near points alone.
func pointSets(t testing.TB, n int, sparse bool) *qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	x, y := make([][2]float64, n), make([][2]float64, n)
	for i := range x {
		x[i] = [2]float64{rng.Float64(), rng.Float64()}
		y[n-1-i] = [2]float64{x[i][0] + 0.02*rng.NormFloat64(), x[i][1] + 0.02*rng.NormFloat64()}
	}
	length := func(x [][2]float64, i, j int) float64 { return math.Hypot(x[i][0]-x[j][0], x[i][1]-x[j][1]) }
	near := 3 / math.Sqrt(float64(n)) / 2
	affinity := func(i, a, j, b int) float64 {
		u, v := length(x, i, j), length(y, a, b)
		if i == j || a == b || sparse && (u > near || v > near) {
			return 0
		}
		return math.Exp(-(u - v) * (u - v) / 0.01)
	}
	var in *qap.Instance
	var err error
	if sparse {
		var entries []qap.Entry
		for p := range n * n {
			for q := range n * n {
				if v := affinity(p/n, p%n, q/n, q%n); v != 0 {
					entries = append(entries, qap.Entry{P: p, Q: q, Value: v})
				}
			}
		}
		in, err = qap.NewSparse(n, n, entries, qap.Maximize)
	} else {
		k := make([]float64, n*n*n*n)
		for p := range n * n {
			for q := range n * n {
				k[p*n*n+q] = affinity(p/n, p%n, q/n, q%n)
			}
		}
		in, err = qap.NewDense(n, n, k, qap.Maximize)
	}
	if err != nil {
		t.Fatal(err)
	}
	in.Name = "points"
	return in
}

// TestEveryMethod solves by every method and refinement that serves the instance: the
// result is a solution of its objective and says who found it, and a network is named
// only where one was evaluated.
func TestEveryMethod(t *testing.T) {
	p := rgmtest.Open(t)
	for name, in := range map[string]*qap.Instance{
		"QAPLIB": instances.QAPLIB(t, "nug12"), "dense": pointSets(t, 8, false), "sparse": pointSets(t, 8, true),
	} {
		for _, method := range p.Methods() {
			for _, refine := range append(p.Refinements(), "") {
				o := rgm.Options{Method: method, Refine: refine}
				o.MaxSteps = 50
				r, err := p.Solve(context.Background(), in, o)
				if errors.Is(err, qap.ErrUnsupported) {
					continue
				}
				if err != nil {
					t.Errorf("%s, %s, %s: %v", name, method, refine, err)
					continue
				}
				if r.Objective != in.Objective(in.Score(r.Matching)) || !in.IsSolution(r.Matching) {
					t.Errorf("%s, %s, %s: %+v is no solution of its objective", name, method, refine, r)
				}
				if r.FoundBy == "" || r.Method != method || r.Refine != refine {
					t.Errorf("%s, %s, %s: found by %q, method %q, refine %q", name, method, refine, r.FoundBy, r.Method, r.Refine)
				}
				asks := method == rgm.MethodAuto && name != "QAPLIB" || method == rgm.MethodRGM
				if asks != (r.Evaluations > 0) || asks != (r.Model != "") || asks != (r.Provider != "") {
					t.Errorf("%s, %s: %d evaluations of %q by %q", name, method, r.Evaluations, r.Model, r.Provider)
				}
			}
		}
	}
}

// TestNetworkOnlyWhereEvaluated: by default QAPLIB is searched without a network, and no
// model is read from its provider; the policy by name always asks its network.
func TestNetworkOnlyWhereEvaluated(t *testing.T) {
	var evaluators atomic.Int32
	p := rgmtest.Open(t, func(c *rgm.Config) {
		c.Go = func([]byte) (qap.QFunction, error) {
			evaluators.Add(1)
			return nil, errors.New("not to be called")
		}
	})
	for _, limit := range []time.Duration{0, 20 * time.Millisecond} {
		o := rgm.Options{TimeLimit: limit}
		r, err := p.Solve(context.Background(), instances.QAPLIB(t, "nug12"), o)
		if err != nil || evaluators.Load() != 0 || r.Method != rgm.MethodAuto || limit == 0 && r.Objective != 578 || r.Evaluations != 0 || r.Model != "" || r.Provider != "" {
			t.Errorf("within %v: %+v, %v, %d networks opened", limit, r, err, evaluators.Load())
		}
	}
	for _, limit := range []time.Duration{0, 20 * time.Millisecond} {
		o := rgm.Options{Method: rgm.MethodRGM, TimeLimit: limit}
		if _, err := p.Solve(context.Background(), instances.QAPLIB(t, "nug12"), o); err == nil {
			t.Errorf("within %v the network is not asked for", limit)
		}
	}
}

// TestRegularizedLearnedAffinity: a regularizer has as many matches made by learned
// affinities as by given ones, and does not weigh the learned score.
func TestRegularizedLearnedAffinity(t *testing.T) {
	p, in := rgmtest.Open(t), pointSets(t, 8, false)
	for _, method := range []string{rgm.MethodProfile, rgm.MethodRegrow} {
		for _, regularizer := range []string{"f1", "f3", "mean"} {
			o := rgm.Options{Method: method}
			o.Regularize = regularizer
			given := must.Get(p.Solve(context.Background(), in, o))(t)
			o.Affinity = rgm.AffinityLearned
			learned, err := p.Solve(context.Background(), in, o)
			if err != nil || !learned.Decision.Learned {
				t.Fatalf("%+v, %v: want learned affinities", learned.Decision, err)
			}
			if learned.Matching.Size() != given.Matching.Size() {
				t.Errorf("%s, %v: %d matches, by given affinities %d", method, regularizer, learned.Matching.Size(), given.Matching.Size())
			}
		}
	}
}

// TestLearnedAffinity: the result is in the instance's own terms, and says so.
func TestLearnedAffinity(t *testing.T) {
	p, in := rgmtest.Open(t), pointSets(t, 8, false)
	o := rgm.Options{Method: rgm.MethodProfile, Affinity: rgm.AffinityLearned}
	var told []rgm.Incumbent
	o.OnBest = func(i rgm.Incumbent) {
		i.Matching = slices.Clone(i.Matching)
		told = append(told, i)
	}
	r, err := p.Solve(context.Background(), in, o)
	if err != nil || r.Objective != in.Objective(in.Score(r.Matching)) || r.Affinity != rgm.ModelAffinity || r.Decision == nil || !r.Decision.Learned {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Evaluations == 0 || r.Provider != "go" || r.Model != "" {
		t.Errorf("%d evaluations by %q of %q, want the affinity's alone", r.Evaluations, r.Provider, r.Model)
	}
	for _, i := range told {
		if i.Score != in.Score(i.Matching) {
			t.Errorf("told %+v, its score is %v", i, in.Score(i.Matching))
		}
	}
	if len(told) == 0 || !slices.Equal(told[len(told)-1].Matching, r.Matching) {
		t.Errorf("the last of %d solutions told is not the result", len(told))
	}
}

// TestTellsOfReducedSolutions: where a count of inliers is met afterwards, solutions of
// that count are told, the result last.
func TestTellsOfReducedSolutions(t *testing.T) {
	p, in := rgmtest.Open(t), pointSets(t, 9, false)
	for _, o := range []rgm.Options{{Method: "sm"}, {Method: "ipfp"}, {Method: "faq", Refine: "rewrite"}, {Method: "rrwm", Affinity: rgm.AffinityLearned}} {
		o.Inliers = 6
		var last rgm.Incumbent
		o.OnBest = func(i rgm.Incumbent) {
			last = i
			last.Matching = slices.Clone(i.Matching)
			if i.Matching.Size() != 6 || i.Score != in.Score(i.Matching) || i.Objective != in.Objective(i.Score) {
				t.Errorf("%s: told %+v, its score is %v", label(o), i, in.Score(i.Matching))
			}
		}
		r, err := p.Solve(context.Background(), in, o)
		if err != nil || !slices.Equal(last.Matching, r.Matching) {
			t.Errorf("%s: told of %v at last, the result is %v (%v)", label(o), last.Matching, r.Matching, err)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	p, in := rgmtest.Open(t), instances.QAPLIB(t, "nug12")
	for option, o := range map[string]rgm.Options{
		"Method":       {Method: "magic"},
		"Model":        {Model: "no-such-model"},
		"Affinity":     {Affinity: "qap"},
		"Refine":       {Refine: "magic"},
		"StepsPerNode": {StepsPerNode: -1},
		"Restarts":     {Restarts: -1},
		"Irrevocable":  {Method: "tabu", Irrevocable: true},
		"Beam":         {Method: "greedy", Beam: 2},
		"Fix":          {Method: "tabu", Fix: []string{"1:2"}},
		"Regularize":   {Method: "sm", Regularize: "f1"},
		"Rollouts":     {Rollouts: -1},
	} {
		_, err := p.Solve(context.Background(), in, o)
		var wrong *rgm.OptionError
		if !errors.As(err, &wrong) || wrong.Option != option {
			t.Errorf("%s: %v, want an OptionError of it", option, err)
		}
	}
	if _, err := rgm.Open(rgm.Config{Provider: "abacus"}); err == nil {
		t.Error("an unknown provider is accepted")
	}
}

// TestSolveAll keeps the order, and one failure does not stop the others.
func TestSolveAll(t *testing.T) {
	p := rgmtest.Open(t)
	names := []string{"nug15", "nug12", "chr12a", "esc16a", "nug14"}
	tasks := func(yield func(rgm.Task) bool) {
		for k, name := range names {
			task := rgm.Task{Instance: instances.QAPLIB(t, name), Options: rgm.Options{Method: "tabu"}}
			if k == 2 {
				task.Instance = nil
			}
			if !yield(task) {
				return
			}
		}
	}
	k := 0
	for s := range p.SolveAll(context.Background(), 3, tasks) {
		if k == 2 {
			if s.Err == nil {
				t.Error("no instance is solved")
			}
		} else if s.Err != nil || s.Task.Instance.Name != names[k] || in(s) != s.Result.Objective {
			t.Errorf("result %d: %+v", k, s)
		}
		k++
	}
	if k != len(names) {
		t.Errorf("%d results, want %d", k, len(names))
	}
	for range p.SolveAll(context.Background(), 2, tasks) {
		break
	}
}

func in(s rgm.Solved) float64 {
	return s.Task.Instance.Objective(s.Task.Instance.Score(s.Result.Matching))
}

// TestClosed: Close waits for a search that runs, whether it evaluates a network or not,
// and none begins later.
func TestClosed(t *testing.T) {
	for _, method := range []string{rgm.MethodRGM, "tabu", ""} {
		p := rgmtest.Open(t)
		begun, ended := make(chan struct{}), make(chan time.Time, 1)
		o := rgm.Options{Method: method, TimeLimit: 300 * time.Millisecond}
		tell := sync.OnceFunc(func() { close(begun) })
		o.OnBest = func(rgm.Incumbent) { tell() }
		go func() {
			start := time.Now()
			r, err := p.Solve(context.Background(), instances.QAPLIB(t, "tai30a"), o)
			if err != nil {
				t.Errorf("method %q: %v", method, err)
			}
			ended <- start.Add(time.Duration(r.Seconds * float64(time.Second)))
		}()
		<-begun
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if closed, searched := time.Now(), <-ended; closed.Before(searched) {
			t.Errorf("method %q: Close ended %v before the search", method, searched.Sub(closed))
		}
		if _, err := p.Solve(context.Background(), instances.QAPLIB(t, "nug12"), rgm.Options{Method: method}); !errors.Is(err, infer.ErrClosed) {
			t.Errorf("method %q after Close: %v", method, err)
		}
	}
}

// TestRecord has the fields of docs/CLI_JSON.md, in their order.
func TestRecord(t *testing.T) {
	p, in := rgmtest.Open(t), instances.QAPLIB(t, "nug12")
	o := rgm.Options{Method: "tabu", MaxSteps: 1000, Seed: 3}
	r := must.Get(p.Solve(context.Background(), in, o))(t)
	r.Seconds = 0.0015
	r.Matching = nil
	text, err := json.Marshal(r)
	want := `"sense":"min","objective":578,"bound":494,"bound_gap_percent":14.53287197231834,"matched":12,"matching":null,"method":"tabu","found_by":"tabu","evaluations":0,"rollouts":1,"steps":1000,"seconds":0.0015,"status":"max_steps","seed":3}`
	if err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%s (%v)\nwant …%s", text, err, want)
	}
}
