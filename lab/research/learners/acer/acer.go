// Package acer is actor-critic with experience replay as a learner of package train (Wang, Bapst,
// Heess, Mnih, Munos, Kavukcuoglu, de Freitas 2017, arXiv:1611.01224). It plays segments as the
// policy gradients do, learns from each once, and then several times from what earlier policies
// played: Q by Retrace, the policy by truncated importance weights with bias correction,
// kept near the policy of the averaged weights.
package acer

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/flat"
	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// Name is what train.Config.Learner calls it.
const Name = "acer"

// Config holds what ACER has beside train.Config.
type Config struct {
	policygradient.Config `mapstructure:",squash"`
	KLLimit               float64 `mapstructure:"kl_limit" want:"above 0"`   // of how fast a step leaves the averaged policy
	Truncation            float64 `mapstructure:"truncation" want:"above 0"` // c, the largest importance weight
	ReplayRatio           int     `mapstructure:"replay_ratio"`              // updates from the replay for one from what was just played
}

func init() {
	own := Config{policygradient.Defaults(), 1, 10, 4}
	policygradient.Register(Name, own, 500, func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
		return newLearner(c, problems, network)
	})
}

// Check implements train.Own.
func (o Config) Check(c *train.Config, f *train.Faults) {
	o.CheckPlaying(c, f)
	f.Require(o.ReplayRatio >= 0 && o.ReplayRatio <= 1000, "replay_ratio is %d: want 0..1000", o.ReplayRatio)
}

// learner has Q of the network as its critic, and the policy is softmax(Q/temperature), so V is
// the mean of Q under the policy.
type learner struct {
	*policygradient.Learner
	config  *train.Config
	own     Config
	memory  episodeMemory
	average *train.MemoryPool[models.Pass]
}

func newLearner(c *train.Config, problems []*train.Problem, network models.Network) *learner {
	own := c.Own.(Config)
	a := &learner{Learner: policygradient.New(c, own.Config, problems, network), config: c, own: own}
	a.KeepsBehaviour = true
	a.average = train.NewPassPool(a.Net.Average)
	return a
}

// Held implements train.Algorithm.
func (a *learner) Held() int { return a.memory.Held }

// Round plays one step everywhere, or learns from one batch.
func (a *learner) Round(ctx context.Context, progress float64) (train.Outcome, error) {
	if !a.Played() {
		out := a.Play()
		if a.Played() {
			a.keep()
		}
		return out, nil
	}
	drawing := *a.PCG
	chosen, fresh := a.choose()
	u, err := a.learnFrom(ctx, chosen, progress)
	if err != nil {
		*a.PCG = drawing
		return train.Outcome{}, err
	}
	a.advance(fresh)
	return a.Learned(u), nil
}

// keep puts the segment that was played into the memory, in place of the oldest, and
// plans what to learn from.
func (a *learner) keep() {
	c, m := a.config, &a.memory
	var fresh []fragment
	for s, group := range a.Groups {
		for k, actor := range group.Actors {
			fresh = append(fresh, cut(a.Steps(s, k), actor.State)...)
		}
	}
	samples := len(a.Segment.Samples)
	m.add(fresh, samples, c.Replay)
	m.Fresh = a.Rng.Perm(len(fresh))
	for k := range m.Fresh {
		m.Fresh[k] += len(m.Fragments) - len(fresh)
	}
	m.Replays = 0
	if m.Held >= c.Warmup {
		m.Replays = a.own.ReplayRatio * ((samples + c.Batch - 1) / c.Batch)
	}
}

// choose returns the fragments to learn from now, about a batch of steps, and how many of
// them are the next fresh ones: those first, then any.
func (a *learner) choose() (chosen []int, fresh int) {
	m, steps := &a.memory, 0
	for steps < a.config.Batch {
		var k int
		if len(m.Fresh) == 0 {
			k = a.Rng.IntN(len(m.Fragments))
		} else if len(chosen) < len(m.Fresh) {
			k = m.Fresh[len(chosen)]
		} else {
			break
		}
		chosen = append(chosen, k)
		steps += len(m.Fragments[k].Steps)
	}
	return chosen, min(len(chosen), len(m.Fresh))
}

// advance goes on to the next update, or to the next segment.
func (a *learner) advance(fresh int) {
	m := &a.memory
	if m.Fresh = m.Fresh[fresh:]; fresh == 0 {
		m.Replays--
	}
	if len(m.Fresh) == 0 && m.Replays <= 0 {
		a.Segment.Steps = 0
	}
}

// learnFrom takes one step of the optimiser on some fragments.
func (a *learner) learnFrom(ctx context.Context, chosen []int, progress float64) (train.Update, error) {
	c, steps := a.config, 0
	for _, k := range chosen {
		steps += len(a.memory.Fragments[k].Steps)
	}
	share, aims := 1/float64(steps), c.Aims(progress)
	updates, gradients := make([]train.Update, len(chosen)), make([][][]float32, len(chosen))
	parallel.For(len(chosen), func(k int) {
		if ctx.Err() == nil {
			gradients[k] = models.NewGradient(a.Net.Network)
			updates[k] = a.learnFragment(&a.memory.Fragments[chosen[k]], gradients[k], share, aims)
		}
	})
	if err := ctx.Err(); err != nil {
		return train.Update{}, err
	}
	for _, part := range a.Sum {
		clear(part)
	}
	var u train.Update
	for k := range chosen {
		u.Add(updates[k])
		policygradient.AddGradient(a.Sum, gradients[k])
	}
	var err error
	u.Norm, err = a.Net.Descend(u.Loss, a.Sum, c.Rate(progress))
	return u, err
}

// learnFragment returns the loss of a fragment and adds its gradient, each step by a share.
func (a *learner) learnFragment(f *fragment, gradient [][]float32, share float64, aims train.Aims) train.Update {
	c, problem := a.config, a.Problems[train.ProblemOf(f.Steps[0].State)]
	n1, n2 := problem.Instance.Size()
	states, vertices := len(f.Steps), n1*n2
	if f.After != nil {
		states++
	}
	of := train.Shape{Batch: states, N1: n1, N2: n2}
	pass, averagePass := a.Passes.Get(of), a.average.Get(of)
	defer a.Passes.Put(of, pass)
	defer a.average.Put(of, averagePass)
	workspaces := make([]*train.Workspace, states)
	for j := range states {
		state := f.After
		if j < len(f.Steps) {
			state = f.Steps[j].State
		}
		workspaces[j] = problem.At(state)
		workspaces[j].Extractor.Fill(pass.Inputs(), j)
	}
	for tensor, values := range pass.Inputs() {
		copy(averagePass.Inputs()[tensor], values)
	}
	q, averageQ := pass.Forward(), averagePass.Forward()
	row := func(q []float32, j int) []float32 { return q[j*vertices : (j+1)*vertices] }

	policies := make([]policygradient.Policy, states)
	steps := make([]judged, len(f.Steps))
	after := 0.0
	for j := range states {
		policies[j].Temperature = c.Temperature
		policies[j].Set(workspaces[j].Env, row(q, j))
		o := offPolicy{policy: &policies[j], q: row(q, j)}
		if j == len(f.Steps) {
			after = o.value()
			break
		}
		s := &f.Steps[j]
		steps[j] = judged{
			reward: s.Reward, value: o.value(), chosen: float64(o.q[s.Action]),
			ratio: math.Exp(policies[j].Logarithm(int(s.Action)) - s.Logarithm),
		}
	}
	targets := retrace(steps, after, c.Gamma, a.own.GAELambda)

	var u train.Update
	dq := make([]float32, len(q))
	average := policygradient.NewPolicy(c.Temperature)
	for j := range f.Steps {
		average.Set(workspaces[j].Env, row(averageQ, j))
		u.Add(a.own.replayLoss(&policies[j], &average, &f.Steps[j], targets[j], row(q, j), row(dq, j), problem.Guide, share, aims))
	}
	for _, w := range workspaces {
		w.Release()
	}
	pass.Backward(dq, gradient)
	return u
}

// replayLoss returns what a step that an earlier policy took adds to the loss, and adds the
// gradient to dq. The target of Q, V and the importance weights count as constants.
func (c Config) replayLoss(p, average *policygradient.Policy, s *policygradient.Sample, target float64, q, dq, guide []float32, share float64, aims train.Aims) train.Update {
	o := offPolicy{p, q, s.Behaviour, c.Truncation}
	value, entropy, chosen := o.value(), p.Entropy(), float64(q[s.Action])
	miss := chosen - target
	u := train.Update{MeanTD: share * math.Abs(miss), MeanQ: share * chosen, Entropy: share * entropy}

	if aims.Reward > 0 {
		gradient, taken := make([]float64, len(p.Actions)), p.Index(int(s.Action))
		o.addTruncated(gradient, taken, target-value)
		o.addCorrection(gradient, value)
		for k, l := range p.Logarithms {
			gradient[k] -= c.Entropy * math.Exp(l) * (l + entropy)
		}
		keepNear(gradient, p, average, c.KLLimit)
		for k, vertex := range p.Actions {
			dq[vertex] -= float32(aims.Reward * share * gradient[k] / p.Temperature)
		}
		weight := min(c.Truncation, o.ratio(taken))
		u.Loss = aims.Reward * share * (-weight*(target-value)*p.Logarithms[taken] - c.Entropy*entropy)
	}
	u.Loss += aims.Critic * share * c.ValueWeight * miss * miss / 2
	dq[s.Action] += float32(aims.Critic * share * c.ValueWeight * miss)
	if guide != nil {
		u.Imitation = share * p.AddImitation(dq, guide, aims.Guide*share)
		u.Loss += aims.Guide * u.Imitation
	}
	return u
}

// Save implements train.Algorithm.
func (a *learner) Save() (any, error) {
	played, err := a.Learner.Save()
	if err != nil {
		return nil, err
	}
	return flat.Join(played, state{a.memory}), nil
}

// state is what a checkpoint holds beside the policy gradients' part.
type state struct{ Memory episodeMemory }

// Load implements train.Algorithm.
func (a *learner) Load(read func(any) error) error {
	if err := a.Learner.Load(read); err != nil {
		return err
	}
	var s state
	if err := read(&s); err != nil {
		return err
	}
	m, held := s.Memory, 0
	for k := range m.Fragments {
		if err := m.Fragments[k].check(a.Problems); err != nil {
			return fmt.Errorf("%w: fragment %d of episodes: %w", train.ErrCheckpoint, k, err)
		}
		held += len(m.Fragments[k].Steps)
	}
	ready := len(m.Fresh) > 0 || m.Replays > 0
	if held != m.Held || ready != a.Played() || ready && len(m.Fragments) == 0 {
		return fmt.Errorf("%w: %d steps of episodes in %d fragments, %d still to be learned from", train.ErrCheckpoint, m.Held, len(m.Fragments), len(m.Fresh))
	}
	for _, k := range m.Fresh {
		if k < 0 || k >= len(m.Fragments) {
			return fmt.Errorf("%w: fragment %d of %d", train.ErrCheckpoint, k, len(m.Fragments))
		}
	}
	for k := range a.Segment.Samples {
		if s := &a.Segment.Samples[k]; k%a.own.Segment < a.Segment.Steps {
			if err := checkBehaviour(s, a.Problems); err != nil {
				return fmt.Errorf("%w: %w", train.ErrCheckpoint, err)
			}
		}
	}
	a.memory = m
	return nil
}
