package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// tinyState returns an environment some steps into an episode, and Q for it.
func tinyState(t *testing.T) (*problem, *qap.Environment, []float32) {
	c := tinyConfig(t)
	p := tinyProblems(t, &c, 4, 1)[0]
	rng := rand.New(rand.NewPCG(1, 2))
	env := qap.NewEnvironment(p.instance, qap.EnvironmentOptions{})
	env.Step(5)
	env.Step(0)
	q := make([]float32, 16)
	for v := range q {
		q[v] = float32(rng.NormFloat64())
	}
	return p, env, q
}

// TestPolicyIsASoftmax compares probabilities with the definition, and draws with
// the probabilities.
func TestPolicyIsASoftmax(t *testing.T) {
	_, env, q := tinyState(t)
	p := policy{temperature: 0.7}
	p.set(env, q)
	total, entropy := 0.0, 0.0
	for v, value := range q {
		if env.Allowed(v) {
			total += math.Exp(float64(value) / 0.7)
		}
	}
	counts := make([]float64, 16)
	rng := rand.New(rand.NewPCG(3, 4))
	const draws = 40000
	for range draws {
		v, logarithm := p.sample(rng)
		if logarithm != p.logarithm(v) {
			t.Fatal("a sample comes with another probability")
		}
		counts[v]++
	}
	for v, value := range q {
		want := math.Exp(float64(value)/0.7) / total
		if !env.Allowed(v) {
			want = 0
		} else {
			entropy -= want * math.Log(want)
		}
		if got := math.Exp(p.logarithm(v)); math.Abs(got-want) > 1e-6 {
			t.Errorf("vertex %d has probability %v, want %v", v, got, want)
		}
		if got := counts[v] / draws; math.Abs(got-want) > 0.01 { // four deviations
			t.Errorf("vertex %d is drawn with frequency %.3f, want %.3f", v, got, want)
		}
	}
	if math.Abs(p.entropy()-entropy) > 1e-6 {
		t.Errorf("entropy %v, want %v", p.entropy(), entropy)
	}
}

// TestPolicyLossMatchesFiniteDifferences compares the gradient of the whole loss by
// every Q with central differences, for A2C, PPO and TRPO, with a ratio that is clipped
// and ones that are not.
func TestPolicyLossMatchesFiniteDifferences(t *testing.T) {
	_, env, q := tinyState(t)
	guide := make([]float32, 16)
	guide[0], guide[1], guide[6], guide[11] = 0.2, 0.3, 0.7, 0.4 // 0 is matched
	for _, test := range []struct {
		learner           string
		advantage, before float64
	}{{LearnerA2C, 0.7, 0}, {LearnerA2C, -1.2, 0}, {LearnerPPO, 0.7, 0.05}, {LearnerPPO, -0.7, -0.1}, {LearnerPPO, 0.7, -0.5}, {LearnerPPO, -0.7, 0.5}, {LearnerTRPO, 0.7, -0.5}, {LearnerTRPO, -0.7, 0.05}} {
		c := tinyConfig(t)
		c.Learner, c.Temperature, c.Entropy, c.ValueWeight = test.learner, 0.7, 0.2, 0.6
		p := policy{temperature: c.Temperature}
		p.set(env, q)
		s := sample{Action: 6, Advantage: test.advantage, Return: 0.4, Logarithm: p.logarithm(6) + test.before}
		loss := func(dq []float32) float64 {
			p.set(env, q)
			return c.policyLoss(&p, &s, q, dq, guide, 0.25, aims{0.8, 0.3, 0.9}).loss
		}
		dq := make([]float32, 16)
		loss(dq)
		for v := range q {
			const step = 1.0 / 128 // a power of two: float32 holds the sum almost exactly
			at := q[v]
			q[v] = at + step
			up := loss(make([]float32, 16))
			q[v] = at - step
			down := loss(make([]float32, 16))
			q[v] = at
			if want := (up - down) / (2 * step); math.Abs(float64(dq[v])-want) > 1e-5 {
				t.Errorf("%+v: gradient by Q[%d] is %v, want %v", test, v, dq[v], want)
			}
		}
	}
}

// TestRatioIsClipped: PPO's loss of a probability that has changed to advantage by
// more than the ratio has no slope, and that of one that has changed the other way
// has.
func TestRatioIsClipped(t *testing.T) {
	c := Config{Learner: LearnerPPO, ClipRatio: 0.2}
	for _, test := range []struct{ advantage, ratio, loss, slope float64 }{
		{1, 1, -1, -1}, {1, 1.1, -1.1, -1.1}, {1, 1.5, -1.2, 0}, {1, 0.5, -0.5, -0.5},
		{-1, 0.9, 0.9, 0.9}, {-1, 0.5, 0.8, 0}, {-1, 1.5, 1.5, 1.5},
	} {
		loss, slope := c.actionLoss(math.Log(test.ratio), &sample{Advantage: test.advantage})
		if math.Abs(loss-test.loss)+math.Abs(slope-test.slope) > 1e-9 {
			t.Errorf("%+v: loss %v, slope %v", test, loss, slope)
		}
	}
}

// TestAdvantagesAreSumsOfErrors compares with the definition: the sum of
// (γλ)^k·δ_{t+k} until the episode or the segment ends.
func TestAdvantagesAreSumsOfErrors(t *testing.T) {
	const gamma, lambda, after = 0.9, 0.8, 0.6
	rng := rand.New(rand.NewPCG(1, 2))
	steps := make([]sample, 9)
	for k := range steps {
		steps[k] = sample{Reward: rng.NormFloat64(), Value: rng.NormFloat64(), Done: k == 3}
	}
	estimateAdvantages(steps, after, gamma, lambda)
	for k := range steps {
		want, weight := 0.0, 1.0
		for j := k; j < len(steps); j++ {
			next := after
			switch {
			case steps[j].Done:
				next = 0
			case j+1 < len(steps):
				next = steps[j+1].Value
			}
			want += weight * (steps[j].Reward + gamma*next - steps[j].Value)
			weight *= gamma * lambda
			if steps[j].Done {
				break
			}
		}
		if s := steps[k]; math.Abs(s.Advantage-want) > 1e-12 || math.Abs(s.Return-want-s.Value) > 1e-12 {
			t.Errorf("step %d: advantage %v and return %v, want %v and %v", k, s.Advantage, s.Return, want, want+s.Value)
		}
	}
	standardise(steps)
	sum, square := 0.0, 0.0
	for _, s := range steps {
		sum, square = sum+s.Advantage, square+s.Advantage*s.Advantage
	}
	if math.Abs(sum) > 1e-9 || math.Abs(square/9-1) > 1e-6 {
		t.Errorf("standardised: sum %v, mean square %v", sum, square/9)
	}
}

// TestSegmentsAreLearnedFrom: A2C once as a whole, PPO in batches, and
// every sample in every epoch.
func TestSegmentsAreLearnedFrom(t *testing.T) {
	for learner, want := range map[string]struct{ updates, times int }{LearnerA2C: {1, 1}, LearnerPPO: {6, 2}} {
		c := tinyConfig(t)
		c.Learner, c.Segment, c.Epochs, c.Batch, c.Environments = learner, 4, 2, 10, 3
		g := newTrainer(t, c).algorithm.(*policyGradient)
		for range c.Segment {
			if out, err := g.round(context.Background(), 0); err != nil || len(out.updates) > 0 {
				t.Fatalf("%s: %d updates while playing, error %v", learner, len(out.updates), err)
			}
		}
		times := make([]int, 4*6)
		updates := 0
		for g.segment.Steps == c.Segment {
			updates++
			for _, k := range g.batch() {
				times[k]++
			}
			g.advance()
		}
		if updates != want.updates || slices.Min(times) != want.times || slices.Max(times) != want.times {
			t.Errorf("%s: %d updates, samples learned from %v times", learner, updates, times)
		}
	}
}

// TestCriticIsTheStateValue: the mean of Q is v of v + a − mean a, whatever the
// advantages.
func TestCriticIsTheStateValue(t *testing.T) {
	c := tinyConfig(t)
	network, err := firstNetwork(&c)
	if err != nil {
		t.Fatal(err)
	}
	value := func() float64 {
		pass := network.NewPass(1, 3, 3)
		for _, tensor := range pass.Inputs() {
			for k := range tensor {
				tensor[k] = float32(k%7) / 7
			}
		}
		return stateValue(pass.Forward())
	}
	before := value()
	for _, p := range network.Parameters() {
		switch p.Name {
		case skipWeights:
			p.Data[features.Regret] += 3
		case "value.b2":
			p.Data[0] += 0.5
		}
	}
	if got := value() - before; math.Abs(got-0.5) > 1e-5 {
		t.Errorf("the critic's value rises by %v, want 0.5", got)
	}
}

// TestSegmentsStopBetweenPieces: a signal within the one update of a segment is
// served before the rest of it is learned from.
func TestSegmentsStopBetweenPieces(t *testing.T) {
	c := tinyConfig(t)
	c.Learner, c.Environments, c.Segment, c.Episodes = LearnerA2C, 8, 8, 1<<30
	g := newTrainer(t, c).algorithm.(*policyGradient)
	for range c.Segment {
		if _, err := g.round(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	pieces := len(g.split(g.batch()))
	ctx := solvertest.EndsAfter(t.Context(), 3)
	_, err := g.round(ctx, 0)
	if asked := 3 - ctx.Left(); !errors.Is(err, context.Canceled) || asked != pieces+1 || g.net.adam.Updates != 0 {
		t.Errorf("asked %d times for %d pieces, error %v, %d updates", asked, pieces, err, g.net.adam.Updates)
	}
}
