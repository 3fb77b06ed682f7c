package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// policyGradient is advantage actor-critic (A2C; Mnih et al. 2016,
// arXiv:1602.01783), proximal policy optimisation (PPO; Schulman et al. 2017,
// arXiv:1707.06347) and trust region policy optimisation (TRPO; see trust_region.go).
// Every environment plays a segment of some steps by the policy softmax(Q/temperature);
// then the network learns from what was played, once as a whole (A2C), several times in
// batches (PPO), or the policy by one step on the whole and then the critic in batches
// (TRPO).
//
// The duelling network serves both parts: the state value cancels in the softmax,
// so the policy is that of the advantages, and the mean of Q over the vertices is
// the state value, the critic.
type policyGradient struct {
	net      trainable
	problems []*problem
	groups   []*group
	policies []policy // one an actor, by group
	segment  segment
	pcg      *rand.PCG
	rng      *rand.Rand
	passes   *memoryPool[models.Pass]
	sum      [][]float32
	region   *trustRegion // of TRPO
	out      outcome
}

// segment is what the environments play between updates.
type segment struct {
	Steps   int      // played so far
	Samples []sample // by group, by actor, by step
	Order   []int    // in which the samples are learned from
	Next    int      // position in Order
	Epoch   int
}

// sample is one step of a segment.
type sample struct {
	State             []byte // packed
	Action            int32
	Logarithm         float64 // of the action's probability
	Value             float64 // by the critic
	Reward            float64
	Done              bool // the episode ended
	Advantage, Return float64

	// Behaviour are the logarithms of the probabilities of all allowed actions, in the
	// order of the vertices, where what is played is kept (ACER).
	Behaviour []float32
}

func newPolicyGradient(c *Config, problems []*problem, network models.Network) *policyGradient {
	pcg := rand.NewPCG(c.Seed, streamSampling)
	g := &policyGradient{
		net: newTrainable(c, network), problems: problems, groups: newGroups(c, problems, network),
		pcg: pcg, rng: rand.New(pcg), passes: newPassPool(network), sum: models.NewGradient(network),
	}
	if c.Learner == LearnerTRPO {
		g.region = newTrustRegion(network)
	}
	actors := len(g.groups) * c.Environments
	g.segment.Samples = make([]sample, actors*c.Segment)
	g.policies = make([]policy, actors)
	for k := range g.policies {
		g.policies[k].temperature = c.Temperature
	}
	return g
}

func (g *policyGradient) trainable() *trainable { return &g.net }

func (g *policyGradient) held() int {
	return g.segment.Steps * len(g.policies)
}

// round plays one step everywhere, or learns from one batch.
func (g *policyGradient) round(ctx context.Context, progress float64) (outcome, error) {
	g.out.updates, g.out.episodes = g.out.updates[:0], g.out.episodes[:0]
	if g.segment.Steps < g.net.config.Segment {
		if g.play(); g.segment.Steps == g.net.config.Segment {
			g.judge()
		}
		return g.out, nil
	}
	learn := g.update
	if g.movesPolicy() {
		learn = g.naturalStep
	}
	u, err := learn(ctx, g.batch(), progress)
	if err != nil {
		return outcome{}, err
	}
	g.advance()
	g.out.updates = append(g.out.updates, u)
	return g.out, nil
}

// play takes a step in every environment.
func (g *policyGradient) play() {
	c := g.net.config
	for s, group := range g.groups {
		group.each(func(k int, a *actor, q []float32) {
			index := s*c.Environments + k
			p := &g.policies[index]
			p.set(a.env, q)
			action, logarithm := p.sample(a.rng)
			played := sample{State: a.state, Action: int32(action), Logarithm: logarithm, Value: stateValue(q)}
			if c.Learner == LearnerACER {
				played.Behaviour = p.packed()
			}
			a.step(action)
			played.Reward, played.Done = a.gained, a.ended != nil
			g.segment.Samples[index*c.Segment+g.segment.Steps] = played
		})
		for _, a := range group.actors {
			if a.ended != nil {
				g.out.episodes = append(g.out.episodes, *a.ended)
			}
		}
	}
	g.segment.Steps++
}

// stateValue returns the critic's value of a state: v of v + a − mean a.
func stateValue(q []float32) float64 {
	sum := 0.0
	for _, v := range q {
		sum += float64(v)
	}
	return sum / float64(len(q))
}

// judge estimates the advantages of a whole segment and begins to learn from it.
func (g *policyGradient) judge() {
	c := g.net.config
	for s, group := range g.groups {
		group.each(func(k int, _ *actor, q []float32) {
			index := s*c.Environments + k
			estimateAdvantages(g.segment.Samples[index*c.Segment:][:c.Segment], stateValue(q), c.Gamma, c.GAELambda)
		})
	}
	standardise(g.segment.Samples)
	g.segment.Order = g.rng.Perm(len(g.segment.Samples))
	g.segment.Next, g.segment.Epoch = 0, 0
}

// estimateAdvantages sets advantages and returns of consecutive steps of an
// environment, after which the critic gives a value to the state: generalised
// advantage estimation (Schulman et al. 2016, arXiv:1506.02438).
func estimateAdvantages(steps []sample, valueAfter, gamma, lambda float64) {
	advantage := 0.0
	for k := len(steps) - 1; k >= 0; k-- {
		s := &steps[k]
		if s.Done {
			valueAfter, advantage = 0, 0
		}
		advantage = s.Reward + gamma*valueAfter - s.Value + gamma*lambda*advantage
		s.Advantage, s.Return = advantage, advantage+s.Value
		valueAfter = s.Value
	}
}

// standardise gives the advantages mean 0 and deviation 1.
func standardise(samples []sample) {
	n := float64(len(samples))
	average, square := 0.0, 0.0
	for _, s := range samples {
		average += s.Advantage / n
	}
	for _, s := range samples {
		square += (s.Advantage - average) * (s.Advantage - average) / n
	}
	for k := range samples {
		samples[k].Advantage = (samples[k].Advantage - average) / (math.Sqrt(square) + 1e-8)
	}
}

// movesPolicy tells whether what is due is TRPO's step of the policy.
func (g *policyGradient) movesPolicy() bool {
	return g.net.config.Learner == LearnerTRPO && g.segment.Epoch == 0
}

// batch returns the indices of the samples to learn from now.
func (g *policyGradient) batch() []int {
	s := &g.segment
	size := len(s.Order)
	if c := g.net.config; c.Learner != LearnerA2C && !g.movesPolicy() {
		size = min(c.Batch, size)
	}
	return s.Order[s.Next:min(s.Next+size, len(s.Order))]
}

// epochs is how often a segment is learned from.
func (c *Config) epochs() int {
	switch c.Learner {
	case LearnerPPO:
		return c.Epochs
	case LearnerTRPO:
		return 1 + c.Epochs // the policy, then the critic
	}
	return 1
}

// advance goes on to the next batch. After the last one a new segment begins.
func (g *policyGradient) advance() {
	s := &g.segment
	if s.Next += len(g.batch()); s.Next < len(s.Order) {
		return
	}
	s.Next = 0
	if s.Epoch++; s.Epoch < g.net.config.epochs() {
		s.Order = g.rng.Perm(len(s.Order))
	} else {
		s.Steps = 0
	}
}

func (g *policyGradient) save(c *checkpoint) error {
	sampling, err := g.pcg.MarshalBinary()
	if err != nil {
		return err
	}
	c.Sampling, c.Segment = sampling, g.segment
	return saveActors(g.groups, c)
}

func (g *policyGradient) load(c *checkpoint) error {
	memory := g.net.network.Features() == features.Gain
	s, steps := &c.Segment, g.net.config.Segment
	if len(s.Samples) != len(g.segment.Samples) || s.Steps < 0 || s.Steps > steps || s.Next < 0 || s.Next > len(s.Order) {
		return fmt.Errorf("%w: a segment of %d samples, want %d", ErrCheckpoint, len(s.Samples), len(g.segment.Samples))
	}
	if s.Steps == steps && len(s.Order) != len(s.Samples) && g.net.config.Learner != LearnerACER {
		return fmt.Errorf("%w: a segment of %d samples in an order of %d", ErrCheckpoint, len(s.Samples), len(s.Order))
	}
	for _, k := range s.Order {
		if k < 0 || k >= len(s.Samples) {
			return fmt.Errorf("%w: a segment names sample %d of %d", ErrCheckpoint, k, len(s.Samples))
		}
	}
	for k := range s.Samples {
		if k%steps >= s.Steps {
			continue
		}
		if err := s.Samples[k].check(g.problems, memory); err != nil {
			return fmt.Errorf("%w: %w", ErrCheckpoint, err)
		}
	}
	g.segment = *s
	return errors.Join(g.pcg.UnmarshalBinary(c.Sampling), loadActors(g.groups, c, memory))
}

// check refuses a sample, read from a file, that could not be learned from.
func (s *sample) check(problems []*problem, memory bool) error {
	if err := checkState(s.State, problems, memory); err != nil {
		return err
	}
	n1, n2 := problems[problemOf(s.State)].instance.Size()
	if s.Action < 0 || int(s.Action) >= n1*n2 {
		return fmt.Errorf("train: a sample of %d vertices chooses vertex %d", n1*n2, s.Action)
	}
	return nil
}
