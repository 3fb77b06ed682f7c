package policygradient

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/models"

	"github.com/rgm-go/rgm/train"
)

// Learner plays segments and learns from them. What distinguishes the methods is the loss of
// an action, and the Plan of a round.
//
// The duelling network serves both parts: the state value cancels in the softmax,
// so the policy is that of the advantages, and the mean of Q over the vertices is
// the state value, the critic.
type Learner struct {
	Net      train.Trainable
	Problems []*train.Problem
	Groups   []*train.Group
	Segment  Segment
	Loss     Loss
	Passes   *train.MemoryPool[models.Pass]
	Sum      [][]float32 // the gradient of Differentiate

	KeepsBehaviour bool // what is played is kept for later, with all its probabilities

	config   *train.Config
	policies []Policy // one an actor, by group
	PCG      *rand.PCG
	Rng      *rand.Rand
	out      train.Outcome
}

// Plan is how a segment that was played is learned from.
type Plan struct {
	Epochs int // how often
	Batch  int // samples of an update; 0 is all
	Learn  func(ctx context.Context, batch []int, progress float64) (train.Update, error)
}

// Segment is what the environments play between updates.
type Segment struct {
	Steps   int      // played so far
	Samples []Sample // by group, by actor, by step
	Order   []int    // in which the samples are learned from
	Next    int      // position in Order
	Epoch   int
}

// Sample is one step of a segment.
type Sample struct {
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

// New returns a learner that has played nothing.
func New(c *train.Config, own Config, problems []*train.Problem, network models.Network) *Learner {
	pcg := rand.NewPCG(c.Seed, train.StreamSampling)
	g := &Learner{
		Net: train.NewTrainable(c, network), Problems: problems, Groups: train.NewGroups(c, problems, network, 0),
		Loss: Loss{Own: own}, config: c, PCG: pcg, Rng: rand.New(pcg), Passes: train.NewPassPool(network), Sum: models.NewGradient(network),
	}
	actors := len(g.Groups) * c.Environments
	g.Segment.Samples = make([]Sample, actors*own.Segment)
	g.policies = make([]Policy, actors)
	for k := range g.policies {
		g.policies[k].Temperature = c.Temperature
	}
	return g
}

// Trainable implements train.Algorithm.
func (g *Learner) Trainable() *train.Trainable { return &g.Net }

// Held implements train.Algorithm.
func (g *Learner) Held() int { return g.Segment.Steps * len(g.policies) }

// Round plays one step everywhere, or learns once by a plan.
func (g *Learner) Round(ctx context.Context, progress float64, plan Plan) (train.Outcome, error) {
	if g.Played() {
		return g.learn(ctx, progress, plan)
	}
	out := g.Play()
	if g.Played() {
		g.judge()
	}
	return out, nil
}

// Played reports whether the segment is to be learned from.
func (g *Learner) Played() bool { return g.Segment.Steps == g.Loss.Own.Segment }

// learn makes the next update of a segment.
func (g *Learner) learn(ctx context.Context, progress float64, plan Plan) (train.Outcome, error) {
	batch := g.Batch(plan)
	u, err := plan.Learn(ctx, batch, progress)
	if err != nil {
		return train.Outcome{}, err
	}
	g.advance(len(batch), plan.Epochs)
	return g.Learned(u), nil
}

// Learned is the outcome of an update.
func (g *Learner) Learned(u train.Update) train.Outcome {
	g.out.Updates, g.out.Episodes = append(g.out.Updates[:0], u), g.out.Episodes[:0]
	return g.out
}

// Play takes a step in every environment.
func (g *Learner) Play() train.Outcome {
	g.out.Updates, g.out.Episodes = g.out.Updates[:0], g.out.Episodes[:0]
	steps := g.Loss.Own.Segment
	for s, group := range g.Groups {
		group.Each(func(k int, a *train.Actor, q []float32) {
			index := s*g.config.Environments + k
			p := &g.policies[index]
			p.Set(a.Env, q)
			action, logarithm := p.Sample(a.Rng)
			played := Sample{State: a.State, Action: int32(action), Logarithm: logarithm, Value: stateValue(q)}
			if g.KeepsBehaviour {
				played.Behaviour = p.Packed()
			}
			a.Step(action)
			played.Reward, played.Done = a.Gained, a.Ended != nil
			g.Segment.Samples[index*steps+g.Segment.Steps] = played
		})
		for _, a := range group.Actors {
			if a.Ended != nil {
				g.out.Episodes = append(g.out.Episodes, *a.Ended)
			}
		}
	}
	g.Segment.Steps++
	return g.out
}

// Steps returns what the k-th actor of the s-th group has played.
func (g *Learner) Steps(s, k int) []Sample {
	steps := g.Loss.Own.Segment
	return g.Segment.Samples[(s*g.config.Environments+k)*steps:][:steps]
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
func (g *Learner) judge() {
	for s, group := range g.Groups {
		group.Each(func(k int, _ *train.Actor, q []float32) {
			estimateAdvantages(g.Steps(s, k), stateValue(q), g.config.Gamma, g.Loss.Own.GAELambda)
		})
	}
	standardise(g.Segment.Samples)
	g.Segment.Order = g.Rng.Perm(len(g.Segment.Samples))
	g.Segment.Next, g.Segment.Epoch = 0, 0
}

// estimateAdvantages sets advantages and returns of consecutive steps of an
// environment, after which the critic gives a value to the state: generalised
// advantage estimation (Schulman et al. 2016, arXiv:1506.02438).
func estimateAdvantages(steps []Sample, valueAfter, gamma, lambda float64) {
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
func standardise(samples []Sample) {
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

// Batch returns the indices of the samples to learn from now.
func (g *Learner) Batch(plan Plan) []int {
	s := &g.Segment
	size := len(s.Order)
	if plan.Batch > 0 {
		size = min(plan.Batch, size)
	}
	return s.Order[s.Next:min(s.Next+size, len(s.Order))]
}

// advance goes on to the next samples. After the last ones of the last epoch a new segment
// begins.
func (g *Learner) advance(learned, epochs int) {
	s := &g.Segment
	if s.Next += learned; s.Next < len(s.Order) {
		return
	}
	s.Next = 0
	if s.Epoch++; s.Epoch < epochs {
		s.Order = g.Rng.Perm(len(s.Order))
	} else {
		s.Steps = 0
	}
}

// State is what a checkpoint holds of a learner.
type State struct {
	Sampling []byte // random stream
	Segment  Segment
	Actors   []train.SavedActor
}

// Save implements train.Algorithm.
func (g *Learner) Save() (any, error) {
	sampling, samplingErr := g.PCG.MarshalBinary()
	actors, err := train.SaveActors(g.Groups)
	return State{sampling, g.Segment, actors}, errors.Join(samplingErr, err)
}

// Load implements train.Algorithm.
func (g *Learner) Load(read func(any) error) error {
	var state State
	if err := read(&state); err != nil {
		return err
	}
	s, steps := &state.Segment, g.Loss.Own.Segment
	if len(s.Samples) != len(g.Segment.Samples) || s.Steps < 0 || s.Steps > steps || s.Next < 0 || s.Next > len(s.Order) {
		return fmt.Errorf("%w: a segment of %d samples, want %d", train.ErrCheckpoint, len(s.Samples), len(g.Segment.Samples))
	}
	if s.Steps == steps && len(s.Order) != len(s.Samples) && !g.KeepsBehaviour { // then the memory has an order
		return fmt.Errorf("%w: a segment of %d samples in an order of %d", train.ErrCheckpoint, len(s.Samples), len(s.Order))
	}
	for _, k := range s.Order {
		if k < 0 || k >= len(s.Samples) {
			return fmt.Errorf("%w: a segment names sample %d of %d", train.ErrCheckpoint, k, len(s.Samples))
		}
	}
	for k := range s.Samples {
		if k%steps >= s.Steps {
			continue
		}
		if err := s.Samples[k].Check(g.Problems); err != nil {
			return fmt.Errorf("%w: %w", train.ErrCheckpoint, err)
		}
	}
	g.Segment = *s
	return errors.Join(g.PCG.UnmarshalBinary(state.Sampling), train.LoadActors(g.Groups, state.Actors))
}

// Check refuses a Sample, read from a file, that could not be learned from.
func (s *Sample) Check(problems []*train.Problem) error {
	if err := train.CheckState(s.State, problems); err != nil {
		return err
	}
	if !train.IsVertex(s.Action, problems[train.ProblemOf(s.State)]) {
		return fmt.Errorf("train: a sample of %s chooses vertex %d", problems[train.ProblemOf(s.State)].Instance.Name, s.Action)
	}
	return nil
}
