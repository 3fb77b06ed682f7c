package propagation

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// graphOf is of a kind and a mean degree.
func graphOf(t testing.TB, kind string, nodes int, degree float64, seed uint64) *align.Graph {
	t.Helper()
	g := must.Get(networks.Generate(kind, nodes, degree, seed))(t)
	return must.Get(compare.Structure(&g))(t)
}

func randomGraph(t testing.TB, nodes int, seed uint64) *align.Graph {
	return graphOf(t, "erdos-renyi", nodes, 4, seed)
}

func testPair(t testing.TB, n1, n2 int) *belief.Pair {
	return belief.NewPair(randomGraph(t, n1, 1), randomGraph(t, n2, 2))
}

// TestBeginsByHand: before training both stages' S is that of the step by hand.
func TestBeginsByHand(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := testPair(t, 20, 23)
	n := New(rng)
	model := ByHand
	hand := belief.NewBeliefs(p, model)
	pass := n.First.NewPass(p, nil)
	pass.unit = 1
	state := pass.NewState()
	for step := range 6 {
		pass.Step(state, state)
		hand.Step()
		for k, want := range hand.S {
			if got := state[k]; math.Abs(float64(got-want)) > 1e-4*(1+math.Abs(float64(want))) {
				t.Fatalf("step %d, pair %d: %v, by hand %v", step, k, got, want)
			}
		}
	}
}

// TestGradient compares with differences along a random direction in each tensor of weights, of a
// random function of the states after three steps.
func TestGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := testPair(t, 12, 14)
	for _, name := range []string{"first", "again"} {
		n := New(rng)
		s, clue := n.First, []float32(nil)
		if name == "again" {
			s = n.Again
			clue = make([]float32, clues*p.Size())
			for k := range clue {
				clue[k] = rng.Float32()
			}
		}
		for _, q := range s.Parameters() {
			for i := range q.Data {
				q.Data[i] += 0.05 * float32(rng.NormFloat64())
			}
		}
		const steps = 3
		pass := s.NewPass(p, clue)
		states := make([][]float32, steps+1)
		weight := make([]float32, Channels*p.Size())
		for k := range weight {
			weight[k] = float32(rng.NormFloat64())
		}
		states[0] = pass.NewState()
		for k := range states[0] {
			states[0][k] = float32(rng.NormFloat64())
		}
		value := func() float64 {
			sum := 0.0
			for step := range steps {
				states[step+1] = pass.NewState()
				pass.Step(states[step+1], states[step])
				for k, w := range weight {
					sum += float64(w * states[step+1][k])
				}
			}
			return sum
		}
		value()
		gradient := make([][]float32, len(s.Parameters()))
		for k, q := range s.Parameters() {
			gradient[k] = make([]float32, len(q.Data))
		}
		d := make([]float32, len(weight))
		for step := steps; step > 0; step-- {
			for k, w := range weight {
				d[k] += w
			}
			pass.Backward(d, states[step], states[step-1], gradient)
		}
		check := func(what string, data, g []float32) {
			direction := make([]float32, len(data))
			want, norm := 0.0, 0.0
			for i := range direction {
				direction[i] = float32(rng.NormFloat64())
				want += float64(direction[i] * g[i])
				norm += float64(g[i] * g[i])
			}
			move := func(by float32) {
				for i := range data {
					data[i] += by * direction[i]
				}
			}
			const h = 1e-4 // small, for the kinks of ReLU
			move(h)
			up := value()
			move(-2 * h)
			down := value()
			move(h)
			got := (up - down) / (2 * h)
			if math.Abs(got-want) > 0.03*math.Sqrt(norm)+0.5 { // float32 sums of thousands, and kinks
				t.Errorf("%s, %s: %v by differences, %v by Backward, of norm %v", name, what, got, want, math.Sqrt(norm))
			}
		}
		for k, q := range s.Parameters() {
			check(q.Name, q.Data, gradient[k])
		}
		check("state", states[0], d)
	}
}

// TestStartBeginsAnew: without a time limit the first stage begins once; with one, which a clock of a
// second a look ends, again and again, but not once enough edges are shared.
func TestStartBeginsAnew(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	problem := &align.Problem{A: randomGraph(t, 12, 1), B: randomGraph(t, 12, 2)}
	offers := func(ctx context.Context, score float64) (count int) {
		err := New(rng).Start().Propose(ctx, problem, nil, 1, func(p align.Proposal) (qap.Matching, float64) {
			count++
			return p.Matching, score
		})
		if err != nil {
			t.Fatal(err)
		}
		return count
	}
	now := time.Now()
	clocked := qap.WithTimeLimit(qap.WithClock(t.Context(), func() time.Time {
		now = now.Add(time.Second)
		return now
	}), 10*time.Minute)
	const once = 1 + 3 // of the first stage, and of loops, of which the third shares no more than the first
	if got := offers(t.Context(), 1); got != once {
		t.Errorf("%d proposals without a time limit, want %d", got, once)
	}
	if got := offers(clocked, 1); got < 2*once {
		t.Errorf("%d proposals in 600 looks, want those of two beginnings, %d, at least", got, 2*once)
	}
	if got := offers(qap.WithTimeLimit(t.Context(), time.Hour), 20); got != once {
		t.Errorf("%d proposals where all edges are shared, want %d", got, once)
	}
}

// TestServes: random graphs, not dense ones, nor where degrees are nearly equal or there are hubs.
func TestServes(t *testing.T) {
	for _, test := range []struct {
		kind   string
		degree float64
		want   bool
	}{
		{"erdos-renyi", 4, true}, {"erdos-renyi", 10, true}, {"erdos-renyi", 20, false},
		{"watts-strogatz", 6, false}, {"barabasi-albert", 6, false}, {"chung-lu", 6, false},
	} {
		g := graphOf(t, test.kind, 500, test.degree, 1)
		if got := serves(&align.Problem{A: g, B: g}); got != test.want {
			t.Errorf("%s of degree %v: %v, want %v", test.kind, test.degree, got, test.want)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	p := testPair(b, 500, 500)
	pass := New(rng).First.NewPass(p, nil)
	state := pass.NewState()
	next := pass.NewState()
	gradient := [][]float32{}
	for _, q := range pass.Parameters() {
		gradient = append(gradient, make([]float32, len(q.Data)))
	}
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			pass.Step(next, state)
		}
	})
	b.Run("backward", func(b *testing.B) {
		d := pass.NewState()
		for b.Loop() {
			pass.Backward(d, next, state, gradient)
		}
	})
}
