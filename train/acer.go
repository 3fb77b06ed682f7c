package train

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// acer is actor-critic with experience replay (ACER; Wang, Bapst, Heess, Mnih, Munos,
// Kavukcuoglu, de Freitas 2017, arXiv:1611.01224). It plays segments as the policy
// gradients do, learns from each once, and then several times from what earlier policies
// played: Q by Retrace, the policy by truncated importance weights with bias correction,
// kept near the policy of the averaged weights.
//
// Q of the network is the critic, and the policy is softmax(Q/temperature), so V is the
// mean of Q under the policy.
type acer struct {
	policyGradient
	memory  episodeMemory
	average *memoryPool[models.Pass]
}

func newACER(c *Config, problems []*problem, network models.Network) *acer {
	a := &acer{policyGradient: *newPolicyGradient(c, problems, network)}
	a.average = newPassPool(a.net.average)
	return a
}

func (a *acer) held() int { return a.memory.Held }

// round plays one step everywhere, or learns from one batch.
func (a *acer) round(ctx context.Context, progress float64) (outcome, error) {
	a.out.updates, a.out.episodes = a.out.updates[:0], a.out.episodes[:0]
	c := a.net.config
	if a.segment.Steps < c.Segment {
		if a.play(); a.segment.Steps == c.Segment {
			a.keep()
		}
		return a.out, nil
	}
	drawing := *a.pcg
	chosen, fresh := a.choose()
	u, err := a.learnFrom(ctx, chosen, progress)
	if err != nil {
		*a.pcg = drawing
		return outcome{}, err
	}
	a.advance(fresh)
	a.out.updates = append(a.out.updates, u)
	return a.out, nil
}

// keep puts the segment that was played into the memory, in place of the oldest, and
// plans what to learn from.
func (a *acer) keep() {
	c, m := a.net.config, &a.memory
	var fresh []fragment
	for s, group := range a.groups {
		for k, actor := range group.actors {
			steps := a.segment.Samples[(s*c.Environments+k)*c.Segment:][:c.Segment]
			fresh = append(fresh, cut(steps, actor.state)...)
		}
	}
	samples := len(a.segment.Samples)
	m.add(fresh, samples, c.Replay)
	m.Fresh = a.rng.Perm(len(fresh))
	for k := range m.Fresh {
		m.Fresh[k] += len(m.Fragments) - len(fresh)
	}
	m.Replays = 0
	if m.Held >= c.Warmup {
		m.Replays = c.ReplayRatio * ((samples + c.Batch - 1) / c.Batch)
	}
}

// choose returns the fragments to learn from now, about a batch of steps, and how many of
// them are the next fresh ones: those first, then any.
func (a *acer) choose() (chosen []int, fresh int) {
	m, steps := &a.memory, 0
	for steps < a.net.config.Batch {
		var k int
		if len(m.Fresh) == 0 {
			k = a.rng.IntN(len(m.Fragments))
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
func (a *acer) advance(fresh int) {
	m := &a.memory
	if m.Fresh = m.Fresh[fresh:]; fresh == 0 {
		m.Replays--
	}
	if len(m.Fresh) == 0 && m.Replays <= 0 {
		a.segment.Steps = 0
	}
}

// learnFrom takes one step of the optimiser on some fragments.
func (a *acer) learnFrom(ctx context.Context, chosen []int, progress float64) (update, error) {
	c, steps := a.net.config, 0
	for _, k := range chosen {
		steps += len(a.memory.Fragments[k].Steps)
	}
	share, aims := 1/float64(steps), c.aims(progress)
	updates, gradients := make([]update, len(chosen)), make([][][]float32, len(chosen))
	parallel.For(len(chosen), func(k int) {
		if ctx.Err() == nil {
			gradients[k] = models.NewGradient(a.net.network)
			updates[k] = a.learnFragment(&a.memory.Fragments[chosen[k]], gradients[k], share, aims)
		}
	})
	if err := ctx.Err(); err != nil {
		return update{}, err
	}
	for _, part := range a.sum {
		clear(part)
	}
	var u update
	for k := range chosen {
		u.add(updates[k])
		addGradient(a.sum, gradients[k])
	}
	var err error
	u.norm, err = a.net.descend(u.loss, a.sum, c.rate(progress))
	return u, err
}

// learnFragment returns the loss of a fragment and adds its gradient, each step by a share.
func (a *acer) learnFragment(f *fragment, gradient [][]float32, share float64, aims aims) update {
	c, problem := a.net.config, a.problems[problemOf(f.Steps[0].State)]
	n1, n2 := problem.instance.Size()
	states, vertices := len(f.Steps), n1*n2
	if f.After != nil {
		states++
	}
	of := shape{states, n1, n2}
	pass, averagePass := a.passes.get(of), a.average.get(of)
	defer a.passes.put(of, pass)
	defer a.average.put(of, averagePass)
	workspaces := make([]*workspace, states)
	for j := range states {
		state := f.After
		if j < len(f.Steps) {
			state = f.Steps[j].State
		}
		workspaces[j] = problem.at(state)
		workspaces[j].extractor.Fill(pass.Inputs(), j)
	}
	for tensor, values := range pass.Inputs() {
		copy(averagePass.Inputs()[tensor], values)
	}
	q, averageQ := pass.Forward(), averagePass.Forward()
	row := func(q []float32, j int) []float32 { return q[j*vertices : (j+1)*vertices] }

	policies := make([]policy, states)
	steps := make([]judged, len(f.Steps))
	after := 0.0
	for j := range states {
		policies[j].temperature = c.Temperature
		policies[j].set(workspaces[j].env, row(q, j))
		o := offPolicy{policy: &policies[j], q: row(q, j)}
		if j == len(f.Steps) {
			after = o.value()
			break
		}
		s := &f.Steps[j]
		steps[j] = judged{
			reward: s.Reward, value: o.value(), chosen: float64(o.q[s.Action]),
			ratio: math.Exp(policies[j].logarithm(int(s.Action)) - s.Logarithm),
		}
	}
	targets := retrace(steps, after, c.Gamma, c.GAELambda)

	var u update
	dq := make([]float32, len(q))
	average := policy{temperature: c.Temperature}
	for j := range f.Steps {
		average.set(workspaces[j].env, row(averageQ, j))
		u.add(c.replayLoss(&policies[j], &average, &f.Steps[j], targets[j], row(q, j), row(dq, j), problem.guide, share, aims))
	}
	for _, w := range workspaces {
		w.release()
	}
	pass.Backward(dq, gradient)
	return u
}

// replayLoss returns what a step that an earlier policy took adds to the loss, and adds the
// gradient to dq. The target of Q, V and the importance weights count as constants.
func (c *Config) replayLoss(p, average *policy, s *sample, target float64, q, dq, guide []float32, share float64, aims aims) update {
	o := offPolicy{p, q, s.Behaviour, c.Truncation}
	value, entropy, chosen := o.value(), p.entropy(), float64(q[s.Action])
	miss := chosen - target
	u := update{meanTD: share * math.Abs(miss), meanQ: share * chosen, entropy: share * entropy}

	if aims.reward > 0 {
		gradient, taken := make([]float64, len(p.actions)), p.index(int(s.Action))
		o.addTruncated(gradient, taken, target-value)
		o.addCorrection(gradient, value)
		for k, l := range p.logarithms {
			gradient[k] -= c.Entropy * math.Exp(l) * (l + entropy)
		}
		keepNear(gradient, p, average, c.KLLimit)
		for k, vertex := range p.actions {
			dq[vertex] -= float32(aims.reward * share * gradient[k] / p.temperature)
		}
		weight := min(c.Truncation, o.ratio(taken))
		u.loss = aims.reward * share * (-weight*(target-value)*p.logarithms[taken] - c.Entropy*entropy)
	}
	u.loss += aims.critic * share * c.ValueWeight * miss * miss / 2
	dq[s.Action] += float32(aims.critic * share * c.ValueWeight * miss)
	if guide != nil {
		u.imitation = share * p.addImitation(dq, guide, aims.guide*share)
		u.loss += aims.guide * u.imitation
	}
	return u
}

func (a *acer) save(c *checkpoint) error {
	c.Memory = a.memory
	return a.policyGradient.save(c)
}

func (a *acer) load(c *checkpoint) error {
	if err := a.policyGradient.load(c); err != nil {
		return err
	}
	m, memory := c.Memory, a.net.network.Features() == features.Gain
	held := 0
	for k := range m.Fragments {
		if err := m.Fragments[k].check(a.problems, memory); err != nil {
			return fmt.Errorf("%w: fragment %d of episodes: %w", ErrCheckpoint, k, err)
		}
		held += len(m.Fragments[k].Steps)
	}
	ready := len(m.Fresh) > 0 || m.Replays > 0
	if held != m.Held || ready != (a.segment.Steps == a.net.config.Segment) || ready && len(m.Fragments) == 0 {
		return fmt.Errorf("%w: %d steps of episodes in %d fragments, %d still to be learned from", ErrCheckpoint, m.Held, len(m.Fragments), len(m.Fresh))
	}
	for _, k := range m.Fresh {
		if k < 0 || k >= len(m.Fragments) {
			return fmt.Errorf("%w: fragment %d of %d", ErrCheckpoint, k, len(m.Fragments))
		}
	}
	for k := range a.segment.Samples {
		if s := &a.segment.Samples[k]; k%a.net.config.Segment < a.segment.Steps {
			if err := s.checkBehaviour(a.problems); err != nil {
				return fmt.Errorf("%w: %w", ErrCheckpoint, err)
			}
		}
	}
	a.memory = m
	return nil
}
