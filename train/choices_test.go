package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// The tests here show that a choice of the configuration changes what it says, on
// the part that it is about; that all of them train is for variants.

// TestUniformReplay: with α = 0 the TD errors do not count.
func TestUniformReplay(t *testing.T) {
	r := NewReplay(4, 0, 0.01)
	for k := range 4 {
		r.Add(Transition{})
		r.Update(k, float64(k*k*1000))
	}
	indices, weights := make([]int, 4), make([]float32, 4)
	r.Sample(indices, weights, 1, rand.New(rand.NewPCG(1, 2)))
	if !slices.Equal(indices, []int{0, 1, 2, 3}) || !slices.Equal(weights, []float32{1, 1, 1, 1}) {
		t.Errorf("a uniform sample of all is %v with weights %v", indices, weights)
	}
}

// TestIrrevocableActorsReleaseNothing: an episode adds matches until none is left
// to add; a revocable one of the same actions releases some.
func TestIrrevocableActorsReleaseNothing(t *testing.T) {
	for _, revocable := range []bool{false, true} {
		c := tinyConfig(t)
		c.Revocable, c.Autofill, c.StartGreedy, c.StartLocal, c.StartRandom = revocable, false, 0, 0, 0
		a := newActor(&c, tinyProblems(t, &c, 5, 1), 0, 1, 0, false)
		released, steps := 0, 0
		for a.ended == nil {
			env := a.env
			a.step(a.explore())
			released += len(env.Released())
			steps++
		}
		if !revocable && (released > 0 || steps != 5) || revocable && released == 0 {
			t.Errorf("revocable = %v: %d matches released in %d steps", revocable, released, steps)
		}
	}
}

// TestAutofillMakesStepsSwaps: on a complete assignment.
func TestAutofillMakesStepsSwaps(t *testing.T) {
	for _, autofill := range []bool{false, true} {
		c := tinyConfig(t)
		c.Autofill, c.StartGreedy, c.StartLocal, c.StartRandom = autofill, 0, 0, 1
		a := newActor(&c, tinyProblems(t, &c, 5, 1), 0, 1, 0, false)
		a.step(a.explore())
		if got := a.env.Matched() == 5; got != autofill {
			t.Errorf("autofill = %v: %d of 5 nodes are matched after a step", autofill, a.env.Matched())
		}
	}
}

// TestDuelingIsOfTheNetwork: without it the network has no state value.
func TestDuelingIsOfTheNetwork(t *testing.T) {
	for _, dueling := range []bool{false, true} {
		c := tinyConfig(t)
		c.Dueling = dueling
		network, err := firstNetwork(&c)
		if err != nil {
			t.Fatal(err)
		}
		has := slices.ContainsFunc(network.Parameters(), func(p models.Parameter) bool { return strings.HasPrefix(p.Name, "value.") })
		if has != dueling || network.Dueling() != dueling {
			t.Errorf("dueling = %v: the network has a state value: %v", dueling, has)
		}
	}
}

// TestDemonstratorsActAsTabuSearch compares an actor's episode with the policy's on
// an environment of its own, whatever the network says.
func TestDemonstratorsActAsTabuSearch(t *testing.T) {
	c := tinyConfig(t)
	c.Demonstrators, c.Environments, c.Sizes, c.Pool = 0.5, 5, []int{6}, 1
	problems := tinyProblems(t, &c, 6, 1)
	network, err := firstNetwork(&c)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, a := range newGroups(&c, problems, network)[0].actors {
		if a.demonstrates {
			count++
		}
	}
	if count != 3 {
		t.Errorf("%d of 5 environments have a demonstrator, want 3", count)
	}

	a := newActor(&c, problems, 0, 1, 0, true)
	stream, err := a.pcg.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var pcg rand.PCG
	if err := pcg.UnmarshalBinary(stream); err != nil {
		t.Fatal(err)
	}
	env := qap.NewEnvironment(problems[0].instance, c.rules(qap.Goal{}))
	env.Reset(a.env.Matching())
	tabu, err := rollout.GreedyTabu{}.NewActor([]*qap.Environment{env}, []*rand.Rand{rand.New(&pcg)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	q, actions := make([]float32, 36), make([]int, 1)
	for v := range q {
		q[v] = float32(v)
	}
	for step := 0; a.ended == nil; step++ {
		got := a.choose(q, 1)
		if err := tabu.Act(actions); err != nil {
			t.Fatal(err)
		}
		if got != actions[0] {
			t.Fatalf("step %d: the demonstrator chooses %d, tabu search %d", step, got, actions[0])
		}
		env.Step(got)
		tabu.Observe(0)
		a.step(got)
	}
}

// TestInitSetsTheFirstWeights: from a pretrained model and from a checkpoint; a
// network of another shape is refused.
func TestInitSetsTheFirstWeights(t *testing.T) {
	c := tinyConfig(t)
	trainer := newTrainer(t, c)
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	c.Seed, c.Init = 99, path
	for k, p := range newTrainer(t, c).algorithm.pupil().network.Parameters() {
		if !slices.Equal(p.Data, trainer.algorithm.pupil().network.Parameters()[k].Data) {
			t.Errorf("%s is not that of the checkpoint", p.Name)
		}
	}
	c.Init = "qap"
	want, err := readNetwork("qap")
	if err != nil {
		t.Fatal(err)
	}
	if h := models.HeaderOf(want, ""); h.Architecture == models.ArchitectureGain {
		c.Model.Hidden, c.Model.Head = h.Hidden, h.Head
		got, err := firstNetwork(&c)
		if err != nil || !slices.Equal(got.Parameters()[0].Data, want.Parameters()[0].Data) {
			t.Errorf("init = qap: error %v, or other weights", err)
		}
	}
	c.Dueling = false
	if _, err := firstNetwork(&c); err == nil || !strings.Contains(err.Error(), "without duelling") {
		t.Errorf("a network of another shape gives error %v", err)
	}
	c.Init = filepath.Join(t.TempDir(), "absent.onnx")
	if _, err := firstNetwork(&c); err == nil || !strings.Contains(err.Error(), "init "+c.Init) {
		t.Errorf("an absent file gives error %v", err)
	}
}

func TestValidateNamesChoicesThatDoNotGoTogether(t *testing.T) {
	for want, change := range map[string]func(c *Config){
		`learner "sarsa"`:           func(c *Config) { c.Learner = "sarsa" },
		"needs dueling = true":      func(c *Config) { c.Learner, c.Dueling = LearnerPPO, false },
		"demonstrators is 0.5: the": func(c *Config) { c.Learner, c.Demonstrators = LearnerES, 0.5 },
		"demonstrators is 2":        func(c *Config) { c.Demonstrators = 2 },
		`reward "fame"`:             func(c *Config) { c.Reward = "fame" },
		`es_weights "some"`:         func(c *Config) { c.ESWeights = "some" },
		`es_weights "skip": only`:   func(c *Config) { c.Learner, c.ESWeights, c.Model.Architecture = LearnerES, ESWeightsSkip, "paper" },
		"temperature is 0":          func(c *Config) { c.Temperature = 0 },
		"entropy is -1":             func(c *Config) { c.Entropy = -1 },
		"segment is 0":              func(c *Config) { c.Segment = 0 },
		`the learner es cannot`:     func(c *Config) { c.Learner, c.Guide, c.GuideShare = LearnerES, GuideTabu, 0.5 },
		`guide "tabu" counts for`:   func(c *Config) { c.Guide, c.GuideShare = GuideTabu, 0 },
		"step_penalty is NaN":       func(c *Config) { c.StepPenalty = math.NaN() },
		"temperature is +Inf":       func(c *Config) { c.Temperature = math.Inf(1) },
		"environments is 1000000:":  func(c *Config) { c.Environments = 1e6 },
		"4800000000 samples":        func(c *Config) { c.Learner, c.Environments, c.Segment = LearnerPPO, 60000, 40000 },
		"guide_weight is -1":        func(c *Config) { c.Guide, c.GuideShare, c.GuideWeight = GuideTabu, 0.5, -1 },
		"guide is empty":            func(c *Config) { c.Guide, c.GuideShare = "", 0.5 },
	} {
		c := tinyConfig(t)
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// guidedSource gives every instance a guide.
type guidedSource struct {
	randomSource
	guide func(n int) []float64
}

func (s guidedSource) Guide(in *qap.Instance) ([]float64, error) {
	n, _ := in.Size()
	return s.guide(n), nil
}

// TestGuidesComeWithTheInstances: from a source that has them, and nowhere else.
func TestGuidesComeWithTheInstances(t *testing.T) {
	c := tinyConfig(t)
	c.Guide, c.GuideShare = "guides.npy", 0.5
	identity := func(n int) []float64 {
		g := make([]float64, n*n)
		for i := range n {
			g[i*n+i] = 0.5
		}
		return g
	}
	trainer, err := New(context.Background(), c, guidedSource{guide: identity})
	if err != nil {
		t.Fatal(err)
	}
	if g := trainer.problems[0].guide; g[0] != 0.5 || g[1] != 0 || trainer.validation[0].guide != nil {
		t.Errorf("guide %v of an instance to train on, %v of one to validate on", g, trainer.validation[0].guide)
	}
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	resumed, err := Resume(context.Background(), path, randomSource{}) // the checkpoint holds the guides
	if err != nil || !slices.Equal(resumed.problems[1].guide, trainer.problems[1].guide) {
		t.Errorf("resumed: error %v, or another guide", err)
	}
	for want, source := range map[string]InstanceSource{
		"come without one": randomSource{},
		"want 4·4":         guidedSource{guide: func(n int) []float64 { return identity(n + 1) }},
		"of at least 0":    guidedSource{guide: func(n int) []float64 { return slices.Repeat([]float64{-1}, n*n) }},
	} {
		if _, err := New(context.Background(), c, source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestPreTrainingImitates: by the guide alone, the cross-entropy with it falls, for
// both learners that can imitate.
func TestPreTrainingImitates(t *testing.T) {
	for _, learner := range []string{LearnerDQN, LearnerPPO} {
		c := tinyConfig(t)
		c.Learner, c.Guide, c.GuideShare, c.LearningRate, c.Episodes = learner, GuideTabu, 1, 2e-3, 1<<30
		trainer := newTrainer(t, c)
		var falls []float64
		for len(falls) < 150 {
			out, err := trainer.algorithm.round(context.Background(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range out.updates {
				falls = append(falls, u.imitation)
			}
		}
		first, last := mean(falls[:20]), mean(falls[len(falls)-20:])
		t.Logf("%s: cross-entropy %.3f, then %.3f", learner, first, last)
		if last > 0.8*first {
			t.Errorf("%s: cross-entropy %.3f after 150 updates, %.3f at first: want at most 0.8 of it", learner, last, first)
		}
	}
}

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
// every Q with central differences, for A2C and PPO, with a ratio that is clipped
// and ones that are not.
func TestPolicyLossMatchesFiniteDifferences(t *testing.T) {
	_, env, q := tinyState(t)
	guide := make([]float32, 16)
	guide[0], guide[1], guide[6], guide[11] = 0.2, 0.3, 0.7, 0.4 // 0 is matched
	for _, test := range []struct {
		learner           string
		advantage, before float64
	}{{LearnerA2C, 0.7, 0}, {LearnerA2C, -1.2, 0}, {LearnerPPO, 0.7, 0.05}, {LearnerPPO, -0.7, -0.1}, {LearnerPPO, 0.7, -0.5}, {LearnerPPO, -0.7, 0.5}} {
		c := tinyConfig(t)
		c.Learner, c.Temperature, c.Entropy, c.ValueWeight = test.learner, 0.7, 0.2, 0.6
		p := policy{temperature: c.Temperature}
		p.set(env, q)
		s := sample{Action: 6, Advantage: test.advantage, Return: 0.4, Logarithm: p.logarithm(6) + test.before}
		loss := func(dq []float32) float64 {
			p.set(env, q)
			return c.policyLoss(&p, &s, q, dq, guide, 0.25, aims{0.8, 0.3}).loss
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

func TestCentredRanks(t *testing.T) {
	for _, test := range []struct{ values, want []float64 }{
		{[]float64{3, 1, 2}, []float64{0.5, -0.5, 0}},
		{[]float64{5, 5, 1, 9, 5}, []float64{0, 0, -0.5, 0.5, 0}},
		{[]float64{2, 2}, []float64{0, 0}},
		{[]float64{7}, []float64{-0.5}},
	} {
		if got := centredRanks(test.values); !slices.Equal(got, test.want) {
			t.Errorf("ranks of %v are %v, want %v", test.values, got, test.want)
		}
	}
}

// TestEvolutionEstimate: members are antithetic, differ in what is searched only,
// and play the same; the estimate is Σ worth·ε/(2·pairs·σ), downhill.
func TestEvolutionEstimate(t *testing.T) {
	for _, kind := range []string{ESWeightsAll, ESWeightsSkip} {
		c := tinyConfig(t)
		c.Learner, c.ESWeights, c.ESPairs, c.ESInstances, c.ESSigma = LearnerES, kind, 3, 2, 0.25
		e := newTrainer(t, c).algorithm.(*evolution)
		e.mutate()
		worth := []float64{0.5, -0.25, 0, 0.125, -0.5, 1}
		e.estimate(worth)
		center := e.learns.network.Parameters()
		for k, p := range center {
			searched := kind == ESWeightsAll || p.Name == skipWeights
			if kind == ESWeightsSkip && p.Name == otherWeights && slices.Max(p.Data) != 0 {
				t.Error("the policy is not linear at first")
			}
			for i, w := range p.Data {
				want := 0.0
				for m := range e.members {
					epsilon := float64(e.members[m].Parameters()[k].Data[i]-w) / 0.25
					opposite := float64(e.members[m^1].Parameters()[k].Data[i]-w) / 0.25
					if math.Abs(epsilon+opposite) > 1e-4 || (epsilon != 0) != searched {
						t.Fatalf("%s: %s[%d] is tried with ε = %v and %v", kind, p.Name, i, epsilon, opposite)
					}
					want -= worth[m] * epsilon / (6 * 0.25)
				}
				if got := float64(e.gradient[k][i]); math.Abs(got-want) > 1e-4 {
					t.Fatalf("%s: estimate by %s[%d] is %v, want %v", kind, p.Name, i, got, want)
				}
			}
		}
		for _, m := range e.members {
			models.Copy(m, e.learns.network)
		}
		fitness, err := e.play(context.Background())
		if err != nil || slices.Min(fitness) != slices.Max(fitness) {
			t.Errorf("equal members reach %v, error %v", fitness, err)
		}
	}
}

// TestCancelledRoundChangesNothing: a generation, or the update of a whole segment,
// that a signal cuts short is made again when resumed.
func TestCancelledRoundChangesNothing(t *testing.T) {
	for learner, before := range map[string]int{LearnerES: 0, LearnerA2C: 5, LearnerPPO: 6} { // rounds
		c := tinyConfig(t)
		c.Learner, c.ESPairs, c.ESInstances, c.Segment, c.Episodes = learner, 2, 2, 5, 1<<30
		trainer := newTrainer(t, c)
		for range before {
			if err := trainer.round(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		state := func() checkpoint {
			path := filepath.Join(t.TempDir(), CheckpointFile)
			if err := trainer.WriteCheckpoint(path); err != nil {
				t.Fatal(err)
			}
			saved, err := readCheckpoint(path) // a copy
			if err != nil {
				t.Fatal(err)
			}
			return *saved
		}
		was := state()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := trainer.round(ctx); err != nil {
			t.Fatal(err)
		}
		if !sameState(was, state()) {
			t.Errorf("%s: a cancelled round changes the training", learner)
		}
		if err := trainer.round(t.Context()); err != nil || trainer.counters.Updates != was.Counters.Updates+1 {
			t.Errorf("%s: then %d updates, before %d, error %v", learner, trainer.counters.Updates, was.Counters.Updates, err)
		}
	}
}

// endsAfter is a context that ends once it was asked a number of times.
type endsAfter struct {
	context.Context
	left *atomic.Int64
}

func (e endsAfter) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
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
	pieces := int64(len(g.split(g.batch())))
	left := new(atomic.Int64)
	left.Store(3)
	_, err := g.round(endsAfter{t.Context(), left}, 0)
	if asked := 3 - left.Load(); !errors.Is(err, context.Canceled) || asked != pieces+1 || g.learns.adam.Updates != 0 {
		t.Errorf("asked %d times for %d pieces, error %v, %d updates", asked, pieces, err, g.learns.adam.Updates)
	}
}
