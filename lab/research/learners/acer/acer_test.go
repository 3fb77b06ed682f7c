package acer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

// own returns the learner's configuration for segments of some steps.
func own(segment int) Config {
	o := Config{policygradient.Defaults(), 1, 1.5, 2}
	o.Segment = segment
	return o
}

// TestTraining: what every learner must do.
func TestTraining(t *testing.T) {
	c := traintest.Tiny(t, Name)
	c.Own = own(5)
	traintest.Test(t, c)
}

// TestLearns within 150 episodes.
func TestLearns(t *testing.T) {
	c := traintest.Tiny(t, Name)
	c.Sizes, c.Pool, c.Episodes, c.ValidationPool, c.ValidationRuns = []int{7}, 20, 150, 8, 4
	c.Batch, c.Warmup, c.Replay, c.LearningRate, c.Environments, c.ValidationEvery, c.AverageDecay = 32, 32, 5000, 2e-3, 8, 40, 0.9
	traintest.Learns(t, c)
}

// TestCheck names what cannot be.
func TestCheck(t *testing.T) {
	with := func(change func(*Config)) train.Config {
		c := traintest.Tiny(t, Name)
		o := own(5)
		change(&o)
		c.Own = o
		return c
	}
	traintest.Refuses(t, map[string]train.Config{
		"kl_limit is 0":      with(func(o *Config) { o.KLLimit = 0 }),
		"truncation is NaN":  with(func(o *Config) { o.Truncation = math.NaN() }),
		"replay_ratio is -1": with(func(o *Config) { o.ReplayRatio = -1 }),
	})
	if c, err := train.Preset(Name); err != nil || c.Validate() != nil {
		t.Errorf("%v, %v", err, c.Validate())
	}
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for k, v := range x {
		sum += v * y[k]
	}
	return sum
}

// TestRetraceIsTheReturnOnPolicy: with λ = 1 and weights of 1, and a policy whose V is Q of
// what it does, the target is the n-step return; with λ = 0 it is the one-step target.
func TestRetraceIsTheReturnOnPolicy(t *testing.T) {
	const gamma, after = 0.9, 0.7
	rng := rand.New(rand.NewPCG(1, 2))
	steps := make([]judged, 6)
	for k := range steps {
		q := rng.NormFloat64()
		steps[k] = judged{reward: rng.NormFloat64(), value: q, chosen: q, ratio: 1}
	}
	targets, single := retrace(steps, after, gamma, 1), retrace(steps, after, gamma, 0)
	for k := range steps {
		want, discount := 0.0, 1.0
		for _, s := range steps[k:] {
			want, discount = want+discount*s.reward, discount*gamma
		}
		if want += discount * after; math.Abs(targets[k]-want) > 1e-12 {
			t.Errorf("step %d: target %v, return %v", k, targets[k], want)
		}
		next := after
		if k+1 < len(steps) {
			next = steps[k+1].value
		}
		if want := steps[k].reward + gamma*next; math.Abs(single[k]-want) > 1e-12 {
			t.Errorf("step %d: λ = 0 gives %v, want %v", k, single[k], want)
		}
	}
}

// TestTracesAreCut: an action that has become likelier counts as one that has not, one that has
// become half as likely as half.
func TestTracesAreCut(t *testing.T) {
	for _, c := range []struct{ ratio, counts float64 }{{3, 1}, {1, 1}, {0.5, 0.5}, {0, 0}} {
		steps := []judged{{reward: 1, value: 9, chosen: 9, ratio: 9}, {reward: 2, value: 0.5, chosen: 0.25, ratio: c.ratio}}
		const gamma, lambda, after = 0.8, 0.75, 0.4
		last := 2 + gamma*after
		if want, got := 1+gamma*(0.5+lambda*c.counts*(last-0.25)), retrace(steps, after, gamma, lambda)[0]; math.Abs(got-want) > 1e-12 {
			t.Errorf("ratio %v: target %v, want %v", c.ratio, got, want)
		}
	}
}

// episodes is every episode of three decisions between two actions, with policies and
// rewards of their own for every history.
type episodes struct {
	policy, behaviour, reward, q [16]float64 // by history, a 1 and then the actions, in bits; probability of action 1
	gamma                        float64
}

func newEpisodes(rng *rand.Rand) *episodes {
	e := &episodes{gamma: 0.8}
	for h := range e.policy {
		e.policy[h], e.behaviour[h] = 0.1+0.8*rng.Float64(), 0.1+0.8*rng.Float64()
		e.reward[h], e.q[h] = rng.NormFloat64(), rng.NormFloat64()
	}
	return e
}

func probability(ofOne float64, action int) float64 {
	if action == 1 {
		return ofOne
	}
	return 1 - ofOne
}

// trueQ returns Q of the action that a history ends with.
func (e *episodes) trueQ(h int) float64 {
	if h >= 8 {
		return e.reward[h]
	}
	return e.reward[h] + e.gamma*e.value(h, e.trueQ)
}

// value returns the mean of a Q after a history.
func (e *episodes) value(h int, q func(int) float64) float64 {
	return e.policy[h]*q(2*h+1) + (1-e.policy[h])*q(2*h)
}

// meanTarget returns the mean of retrace's targets of the first action, over all episodes
// that the behaviour has.
func (e *episodes) meanTarget(first int, behaviour [16]float64, q func(int) float64) float64 {
	mean := 0.0
	for rest := range 4 {
		likelihood := 1.0
		var steps []judged
		h := 1
		for k, action := range []int{first, rest >> 1, rest & 1} {
			now, then := probability(e.policy[h], action), probability(behaviour[h], action)
			if k > 0 {
				likelihood *= then
			}
			steps = append(steps, judged{value: e.value(h, q), ratio: now / then})
			h = 2*h + action
			steps[k].reward, steps[k].chosen = e.reward[h], q(h)
		}
		mean += likelihood * retrace(steps, 0, e.gamma, 1)[0]
	}
	return mean
}

// TestRetraceIsRightInTheMean: over all episodes of the policy itself the mean target is
// the true Q, whatever the network says; over those of another policy it is the true Q
// where the network has it.
func TestRetraceIsRightInTheMean(t *testing.T) {
	e := newEpisodes(rand.New(rand.NewPCG(3, 4)))
	for first := range 2 {
		want := e.trueQ(2 + first)
		if got := e.meanTarget(first, e.policy, func(h int) float64 { return e.q[h] }); math.Abs(got-want) > 1e-12 {
			t.Errorf("on-policy: mean target %v, Q %v", got, want)
		}
		if got := e.meanTarget(first, e.behaviour, e.trueQ); math.Abs(got-want) > 1e-12 {
			t.Errorf("off-policy: mean target %v, Q %v", got, want)
		}
	}
}

// replayed returns a state, the policy there, and another policy that has played it.
func replayed(t *testing.T) (p policygradient.Policy, q, behaviour []float32) {
	env, q := traintest.State(t, Name)
	p = policygradient.NewPolicy(0.6)
	p.Set(env, q)
	rng := rand.New(rand.NewPCG(5, 6))
	total := 0.0
	for range p.Actions {
		share := rng.Float64() * rng.Float64()
		behaviour, total = append(behaviour, float32(share)), total+share
	}
	for k := range behaviour {
		behaviour[k] = float32(math.Log(float64(behaviour[k]) / total))
	}
	return p, q, behaviour
}

// TestImportanceWeightsAreTruncated: at c, and nowhere below.
func TestImportanceWeightsAreTruncated(t *testing.T) {
	p, q, behaviour := replayed(t)
	const c, advantage = 1.5, 0.8
	o := offPolicy{&p, q, behaviour, c}
	above := 0
	for k := range p.Actions {
		weight := o.ratio(k)
		if weight > c {
			weight = c
			above++
		}
		got := make([]float64, len(p.Actions))
		o.addTruncated(got, k, advantage)
		for i, l := range p.Logarithms {
			want := -weight * advantage * math.Exp(l)
			if i == k {
				want += weight * advantage
			}
			if math.Abs(got[i]-want) > 1e-12 {
				t.Fatalf("action %d: gradient %d is %v, want %v", k, i, got[i], want)
			}
		}
	}
	if above == 0 || above == len(p.Actions) {
		t.Errorf("%d of %d weights are above c: nothing is tested", above, len(p.Actions))
	}
}

// TestCorrectionMakesUpForTruncation: the mean over the other policy's actions of the
// truncated terms, with Q for the returns, and the correction together are the mean over
// the policy's own actions, which no weight distorts.
func TestCorrectionMakesUpForTruncation(t *testing.T) {
	p, q, behaviour := replayed(t)
	for _, c := range []float64{0.5, 1, 3, 1e9} {
		o := offPolicy{&p, q, behaviour, c}
		value := o.value()
		got, want := make([]float64, len(p.Actions)), make([]float64, len(p.Actions))
		for k, vertex := range p.Actions {
			advantage := float64(q[vertex]) - value
			o.addTruncated(got, k, math.Exp(float64(behaviour[k]))*advantage)
			o.addWeighted(want, k, math.Exp(p.Logarithms[k])*advantage)
		}
		o.addCorrection(got, value)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-6 { // the logarithms kept are float32
				t.Errorf("c = %v: gradient %d is %v, want %v", c, k, got[k], want[k])
			}
		}
	}
}

// TestGradientsStayNearTheAverage: a gradient that would leave the averaged policy faster
// than the limit is changed along the divergence's gradient alone, to the limit; another
// is not.
func TestGradientsStayNearTheAverage(t *testing.T) {
	p, _, behaviour := replayed(t)
	average := policygradient.Policy{Policy: train.Policy{Actions: p.Actions}}
	for _, l := range behaviour {
		average.Logarithms = append(average.Logarithms, float64(l))
	}
	rng := rand.New(rand.NewPCG(7, 8))
	gradient := make([]float64, len(p.Actions))
	for k := range gradient {
		gradient[k] = rng.NormFloat64()
	}
	away := make([]float64, len(gradient))
	for k := range away {
		away[k] = math.Exp(p.Logarithms[k]) - math.Exp(average.Logarithms[k])
	}
	if dot(gradient, away) < 0 {
		for k := range gradient {
			gradient[k] = -gradient[k]
		}
	}
	speed := dot(gradient, away)
	for _, limit := range []float64{0.3 * speed, 0, 2 * speed} {
		z := slices.Clone(gradient)
		keepNear(z, &p, &average, limit)
		if got, want := dot(z, away), min(speed, limit); math.Abs(got-want) > 1e-12 {
			t.Errorf("limit %v: speed %v, want %v", limit, got, want)
		}
		share := (gradient[0] - z[0]) / away[0]
		for k := range z {
			if math.Abs(gradient[k]-z[k]-share*away[k]) > 1e-12 {
				t.Errorf("limit %v: it is changed in another direction", limit)
			}
		}
	}
	z := slices.Clone(gradient)
	if keepNear(z, &p, &p, 0); !slices.Equal(z, gradient) {
		t.Error("at the average itself the gradient is changed")
	}
}

// TestReplayLossMatchesFiniteDifferences: the target, V and the weights are constants, so
// the gradient is that of a sum of logarithms, the entropy and the squared error.
func TestReplayLossMatchesFiniteDifferences(t *testing.T) {
	env, _ := traintest.State(t, Name)
	p, q, behaviour := replayed(t)
	average := policygradient.Policy{Policy: train.Policy{Actions: p.Actions, Logarithms: p.Logarithms}}
	const share, target = 0.25, 0.3
	about := train.Aims{Reward: 0.8, Guide: 0.3, Critic: 0.9}
	guide := make([]float32, 16)
	guide[1], guide[6], guide[11] = 0.3, 0.7, 0.4
	for _, action := range []int{p.Actions[0], p.Actions[3], p.Actions[len(p.Actions)-1]} {
		c := Config{policygradient.Config{Entropy: 0.2, ValueWeight: 0.7}, 1, 1.2, 0}
		s := policygradient.Sample{Action: int32(action), Behaviour: behaviour}
		dq := make([]float32, 16)
		c.replayLoss(&p, &average, &s, target, q, dq, guide, share, about)

		weights, value := make([]float64, len(p.Actions)), 0.0
		for k, vertex := range p.Actions {
			value += math.Exp(p.Logarithms[k]) * float64(q[vertex])
		}
		for k, vertex := range p.Actions {
			pi := math.Exp(p.Logarithms[k])
			ratio := pi / math.Exp(float64(behaviour[k]))
			weights[k] = max(0, 1-c.Truncation/ratio) * pi * (float64(q[vertex]) - value)
			if vertex == action {
				weights[k] += min(c.Truncation, ratio) * (target - value)
			}
		}
		loss := func() float64 {
			now := policygradient.NewPolicy(0.6)
			now.Set(env, q)
			sum := -c.Entropy * now.Entropy()
			for k, w := range weights {
				sum -= w * now.Logarithms[k]
			}
			miss := float64(q[action]) - target
			spare := make([]float32, 16)
			return share * (about.Reward*sum + about.Critic*c.ValueWeight*miss*miss/2 + about.Guide*now.AddImitation(spare, guide, 1))
		}
		for v := range q {
			const step = 1.0 / 128
			at := q[v]
			q[v] = at + step
			up := loss()
			q[v] = at - step
			down := loss()
			q[v] = at
			if want := (up - down) / (2 * step); math.Abs(float64(dq[v])-want) > 2e-5 {
				t.Errorf("action %d: gradient by Q[%d] is %v, want %v", action, v, dq[v], want)
			}
		}
	}
}
