package infer_test

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
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/ortlib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// open opens the shipped model, or skips the test where ONNX Runtime cannot be had.
func open(t testing.TB, name string) *infer.Network {
	t.Helper()
	data := must.Get(pretrained.Model(name))(t)
	net, err := infer.Open(context.Background(), data, infer.SessionOptions{Install: true})
	if errors.Is(err, ortlib.ErrUnavailable) {
		t.Skipf("needs ONNX Runtime: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := net.Close(); err != nil {
			t.Error(err)
		}
	})
	return net
}

// inGo returns the shipped model evaluated by Go.
func inGo(t testing.TB, name string) qap.QFunction {
	t.Helper()
	data := must.Get(pretrained.Model(name))(t)
	n, _, err := models.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return models.QFunction(n)
}

// TestProvidersGiveTheSameMatchings solves 100 instances through ONNX Runtime and
// in Go: QAPLIB's smallest and generated ones.
func TestProvidersGiveTheSameMatchings(t *testing.T) {
	net, goNet := open(t, "qap"), inGo(t, "qap")
	var all []*qap.Instance
	for _, name := range qaplib.PaperSet(12, 20) {
		if len(all) < 50 {
			all = append(all, instances.QAPLIB(t, name))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for len(all) < 100 {
		in := must.Get(datasets.Mixture{}.Instance(8+rng.IntN(12), rng))(t)
		all = append(all, in)
	}
	for k, in := range all {
		o := infer.Options{Rollouts: 2, Seed: uint64(k)}
		a := must.Get(infer.Solve(context.Background(), net, in, o))(t)
		b := must.Get(infer.Solve(context.Background(), goNet, in, o))(t)
		if !slices.Equal(a.Matching, b.Matching) || a.Steps != b.Steps {
			t.Errorf("%s: ONNX Runtime %v after %d steps, Go %v after %d", in.Name, a.Objective, a.Steps, b.Objective, b.Steps)
		}
	}
}

func TestSolveStates(t *testing.T) {
	q := inGo(t, "qap")
	in := instances.QAPLIB(t, "nug12")
	solve := func(ctx context.Context, o infer.Options) qap.Result {
		t.Helper()
		r := must.Get(infer.Solve(ctx, q, in, o))(t)
		if r.Objective != in.Objective(in.Score(r.Matching)) || r.Matching.Size() != 12 {
			t.Fatalf("%+v is no solution of its objective", r)
		}
		return r
	}
	ctx, cancel := context.WithCancel(context.Background())
	whole := solve(ctx, infer.Options{Seed: 3})
	if again := solve(ctx, infer.Options{Seed: 3}); !slices.Equal(again.Matching, whole.Matching) || again.Steps != whole.Steps {
		t.Error("the same seed gives another result")
	}
	for want, o := range map[qap.Status]infer.Options{
		qap.MaxSteps:  {MaxSteps: 5},
		qap.Patience:  {Patience: 3, MaxSteps: 10000},
		qap.TimeLimit: {TimeLimit: 20 * time.Millisecond},
		qap.Target:    {Target: whole.Objective, HasTarget: true, Seed: 3},
	} {
		if r := solve(ctx, o); r.Status != want {
			t.Errorf("%+v: status %s, want %s", o, r.Status, want)
		}
	}
	if r := solve(solvertest.Clocked(), infer.Options{TimeLimit: time.Second, Seed: 3}); r.Status != qap.TimeLimit ||
		r.Objective > whole.Objective || r.FoundBy != infer.ByPolicy || r.Steps <= whole.Steps {
		t.Errorf("begun anew for a second: %+v, once: %+v", r, whole)
	}
	kept := solve(ctx, infer.Options{Initial: whole.Matching, MaxSteps: 1, Rollouts: 1})
	if kept.Objective > whole.Objective {
		t.Error("the initial matching is lost")
	}
	cancel()
	if r := solve(ctx, infer.Options{}); r.Status != qap.Cancelled {
		t.Errorf("cancelled: status %s", r.Status)
	}
}

// TestIrrevocableTakesOneStepANode: without revocation an episode is one action a
// node (the paper's "w/o rev.").
func TestIrrevocableTakesOneStepANode(t *testing.T) {
	r := must.Get(infer.Solve(context.Background(), inGo(t, "qap"), instances.QAPLIB(t, "nug12"), infer.Options{Rollouts: 1, Irrevocable: true}))(t)
	// The last match is forced, so the autofill makes it with the one before.
	if r.Steps != 11 || r.Status != qap.Converged {
		t.Errorf("%d steps, %s; want 11, converged", r.Steps, r.Status)
	}
}

func TestOpenRefusesWhatIsNoModel(t *testing.T) {
	good := must.Get(pretrained.Model("qap"))(t)
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("not a model"), "cut": good[:len(good)/2],
		"flipped weight": flipped(good, len(good)/2),
	} {
		if net, err := infer.Open(context.Background(), data, infer.SessionOptions{Install: true}); err == nil {
			net.Close()
			t.Errorf("%s: accepted", name)
		} else if errors.Is(err, ortlib.ErrUnavailable) {
			t.Errorf("%s: the library was looked for before the model was checked", name)
		}
	}
}

func flipped(data []byte, at int) []byte {
	bad := slices.Clone(data)
	bad[at] ^= 0x10
	return bad
}

// stepper is rollouts of the learned policy, as Solve steps them.
type stepper struct {
	envs  []*qap.Environment
	x     []features.Extractor
	batch qap.QBatch
}

func newStepper(t testing.TB, q qap.QFunction, n, rollouts int) *stepper {
	rng := rand.New(rand.NewPCG(1, 1))
	in := must.Get(datasets.Generate("grid", n, rng))(t)
	inputs := must.Get(features.New(q.Features(), in))(t)
	s := &stepper{}
	for range rollouts {
		env := qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
		env.Reset(qap.RandomMatching(n, n, rng))
		s.envs, s.x = append(s.envs, env), append(s.x, inputs.NewExtractor(env, 20*n))
	}
	s.batch = must.Get(q.NewBatch(rollouts, n, n))(t)
	t.Cleanup(func() {
		if err := s.batch.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *stepper) fill() {
	for k, x := range s.x {
		x.Fill(s.batch.Inputs(), k)
	}
}

func (s *stepper) step(t testing.TB) {
	s.fill()
	q := must.Get(s.batch.Evaluate())(t)
	size := len(q) / len(s.envs)
	for k, env := range s.envs {
		env.Step(rollout.BestAction(env, q[k*size:(k+1)*size]))
		s.x[k].Observe()
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	s := newStepper(t, open(t, "qap"), 12, 8)
	if allocs := testing.AllocsPerRun(200, func() { s.step(t) }); allocs != 0 {
		t.Errorf("%v allocations a step through ONNX Runtime", allocs)
	}
}

// shapes are the nodes and rollouts of the benchmarks below.
var shapes = [][2]int{{12, 1}, {30, 1}, {64, 1}, {12, 8}, {30, 8}, {64, 8}}

// BenchmarkStep times one step of all rollouts: features, ONNX Runtime, choice and
// environment. It reports the fastest too: what a step takes where nothing else runs.
func BenchmarkStep(b *testing.B) {
	for _, shape := range shapes {
		b.Run(fmt.Sprintf("n=%d/rollouts=%d", shape[0], shape[1]), func(b *testing.B) {
			s := newStepper(b, open(b, "qap"), shape[0], shape[1])
			b.ReportAllocs()
			fastest := time.Hour
			for b.Loop() {
				start := time.Now()
				s.step(b)
				fastest = min(fastest, time.Since(start))
			}
			b.ReportMetric(float64(b.N*shape[1])/b.Elapsed().Seconds(), "steps/s")
			b.ReportMetric(float64(fastest.Nanoseconds()), "fastest-ns/op")
		})
	}
}

// BenchmarkEvaluate times ONNX Runtime alone.
func BenchmarkEvaluate(b *testing.B) {
	for _, shape := range shapes {
		b.Run(fmt.Sprintf("n=%d/rollouts=%d", shape[0], shape[1]), func(b *testing.B) {
			s := newStepper(b, open(b, "qap"), shape[0], shape[1])
			s.fill()
			fastest := time.Hour
			for b.Loop() {
				start := time.Now()
				if _, err := s.batch.Evaluate(); err != nil {
					b.Fatal(err)
				}
				fastest = min(fastest, time.Since(start))
			}
			b.ReportMetric(float64(fastest.Nanoseconds()), "fastest-ns/op")
		})
	}
}
