package policygradient

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

func tiny(t testing.TB, learner string, own train.Own, change func(c *train.Config)) train.Config {
	c := traintest.Tiny(t, learner)
	c.Own = own
	change(&c)
	return c
}

func segments(steps int) Config {
	c := Defaults()
	c.Segment = steps
	return c
}

// TestTraining: what every learner must do.
func TestTraining(t *testing.T) {
	t.Run(A2C, func(t *testing.T) {
		traintest.Test(t, tiny(t, A2C, segments(5), func(c *train.Config) { c.ValidationEvery = 3 }))
	})
	t.Run(PPO+" guided", func(t *testing.T) {
		traintest.Test(t, tiny(t, PPO, PPOConfig{segments(5), 0.2, 2}, func(c *train.Config) {
			c.Guide, c.GuideShare, c.GuideWeight = train.GuideTabu, 0, 0.1
		}))
	})
}

// TestLearns within some hundreds of episodes.
func TestLearns(t *testing.T) {
	learn := func(c *train.Config, episodes, every int) {
		c.Sizes, c.Pool, c.Episodes, c.ValidationPool, c.ValidationRuns = []int{7}, 20, episodes, 8, 4
		c.Batch, c.LearningRate, c.Environments, c.ValidationEvery, c.AverageDecay = 32, 2e-3, 8, every, 0.9
	}
	t.Run(A2C, func(t *testing.T) {
		traintest.Learns(t, tiny(t, A2C, Defaults(), func(c *train.Config) { learn(c, 500, 10) }))
	})
	t.Run(PPO, func(t *testing.T) {
		traintest.Learns(t, tiny(t, PPO, PPOConfig{Defaults(), 0.2, 3}, func(c *train.Config) { learn(c, 300, 40) }))
	})
}

// TestImitates: by the guide alone, the cross-entropy with it falls.
func TestImitates(t *testing.T) {
	traintest.Imitates(t, tiny(t, PPO, PPOConfig{Defaults(), 0.2, 3}, func(*train.Config) {}))
}

// TestCheck names what cannot be.
func TestCheck(t *testing.T) {
	ppo := PPOConfig{segments(5), 0.2, 2}
	many := ppo
	many.Segment = 40000
	none := ppo
	none.Segment, none.Entropy = 0, -1
	traintest.Refuses(t, map[string]train.Config{
		"needs dueling = true":          tiny(t, PPO, ppo, func(c *train.Config) { c.Dueling = false }),
		"segment is 0":                  tiny(t, PPO, none, func(*train.Config) {}),
		"entropy is -1":                 tiny(t, PPO, none, func(*train.Config) {}),
		"4800000000 samples":            tiny(t, PPO, many, func(c *train.Config) { c.Environments = 60000 }),
		"want policygradient.PPOConfig": tiny(t, PPO, Defaults(), func(*train.Config) {}),
	})
	for _, name := range []string{A2C, PPO} {
		c, err := train.Preset(name)
		if err != nil || c.Validate() != nil {
			t.Errorf("preset %s: %v, %v", name, err, c.Validate())
		}
	}
}

// atWork returns the algorithm of a configuration.
func atWork(t testing.TB, c train.Config) planned {
	problems, network := traintest.Problems(t, c)
	own, ok := c.Own.(PPOConfig)
	if !ok {
		g := New(&c, c.Own.(Config), problems, network)
		g.Loss.Action = advantage
		return planned{g, Plan{Epochs: 1, Learn: g.Update}}
	}
	g := New(&c, own.Config, problems, network)
	g.Loss.Action = clipped(own.ClipRatio)
	return planned{g, Plan{Epochs: own.Epochs, Batch: c.Batch, Learn: g.Update}}
}

// TestPolicyLossMatchesFiniteDifferences compares the gradient of the whole loss by
// every Q with central differences, for A2C, PPO and TRPO, with a ratio that is clipped
// and ones that are not.
func TestPolicyLossMatchesFiniteDifferences(t *testing.T) {
	env, q := traintest.State(t, A2C)
	guide := make([]float32, 16)
	guide[0], guide[1], guide[6], guide[11] = 0.2, 0.3, 0.7, 0.4 // 0 is matched
	ppo := clipped(0.2)
	for _, test := range []struct {
		action            func(float64, *Sample) (float64, float64)
		advantage, before float64
	}{{advantage, 0.7, 0}, {advantage, -1.2, 0}, {ppo, 0.7, 0.05}, {ppo, -0.7, -0.1}, {ppo, 0.7, -0.5}, {ppo, -0.7, 0.5}, {Surrogate, 0.7, -0.5}, {Surrogate, -0.7, 0.05}} {
		l := Loss{Own: Config{Entropy: 0.2, ValueWeight: 0.6}, Action: test.action}
		p := NewPolicy(0.7)
		p.Set(env, q)
		s := Sample{Action: 6, Advantage: test.advantage, Return: 0.4, Logarithm: p.Logarithm(6) + test.before}
		loss := func(dq []float32) float64 {
			p.Set(env, q)
			return l.Of(&p, &s, q, dq, guide, 0.25, train.Aims{Reward: 0.8, Guide: 0.3, Critic: 0.9}).Loss
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
				t.Errorf("advantage %v: gradient by Q[%d] is %v, want %v", test.advantage, v, dq[v], want)
			}
		}
	}
}

// TestRatioIsClipped: PPO's loss of a probability that has changed to advantage by
// more than the ratio has no slope, and that of one that has changed the other way
// has.
func TestRatioIsClipped(t *testing.T) {
	of := clipped(0.2)
	for _, test := range []struct{ advantage, ratio, loss, slope float64 }{
		{1, 1, -1, -1}, {1, 1.1, -1.1, -1.1}, {1, 1.5, -1.2, 0}, {1, 0.5, -0.5, -0.5},
		{-1, 0.9, 0.9, 0.9}, {-1, 0.5, 0.8, 0}, {-1, 1.5, 1.5, 1.5},
	} {
		loss, slope := of(math.Log(test.ratio), &Sample{Advantage: test.advantage})
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
	steps := make([]Sample, 9)
	for k := range steps {
		steps[k] = Sample{Reward: rng.NormFloat64(), Value: rng.NormFloat64(), Done: k == 3}
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
	for learner, test := range map[string]struct {
		own            train.Own
		updates, times int
	}{A2C: {segments(4), 1, 1}, PPO: {PPOConfig{segments(4), 0.2, 2}, 6, 2}} {
		g := atWork(t, tiny(t, learner, test.own, func(c *train.Config) { c.Batch = 10 }))
		for range 4 {
			if out, err := g.Round(context.Background(), 0); err != nil || len(out.Updates) > 0 {
				t.Fatalf("%s: %d updates while playing, error %v", learner, len(out.Updates), err)
			}
		}
		times := make([]int, 4*6)
		updates := 0
		for ; g.Played(); updates++ {
			batch := g.Batch(g.plan)
			for _, k := range batch {
				times[k]++
			}
			g.advance(len(batch), g.plan.Epochs)
		}
		if updates != test.updates || slices.Min(times) != test.times || slices.Max(times) != test.times {
			t.Errorf("%s: %d updates, samples learned from %v times", learner, updates, times)
		}
	}
}

// TestCriticIsTheStateValue: the mean of Q is v of v + a − mean a, whatever the
// advantages.
func TestCriticIsTheStateValue(t *testing.T) {
	network := must.Get(models.New(train.Base().Model, rand.New(rand.NewPCG(1, 1))))(t)
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
		case "advantage.skip":
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
	g := atWork(t, tiny(t, A2C, segments(8), func(c *train.Config) { c.Environments = 8 }))
	for range 8 {
		if _, err := g.Round(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	pieces := len(g.Split(g.Batch(g.plan)))
	ctx := solvertest.EndsAfter(t.Context(), 3)
	_, err := g.Round(ctx, 0)
	if asked := 3 - ctx.Left(); !errors.Is(err, context.Canceled) || asked != pieces+1 || g.Net.Adam.Updates != 0 {
		t.Errorf("asked %d times for %d pieces, error %v, %d updates", asked, pieces, err, g.Net.Adam.Updates)
	}
}
