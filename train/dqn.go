package train

import (
	"context"
	"errors"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// dqn is the paper's Algorithm 1: actors fill a replay memory that a learner draws
// from.
type dqn struct {
	config  *Config
	groups  []*group
	learner *learner
	acts    int
	out     outcome
}

func newDQN(c *Config, problems []*problem, network models.Network) *dqn {
	return &dqn{config: c, groups: newGroups(c, problems, network), learner: newLearner(c, problems, network)}
}

func (d *dqn) pupil() *student { return &d.learner.student }
func (d *dqn) held() int       { return d.learner.replay.Len() }

func (d *dqn) round(_ context.Context, progress float64) (outcome, error) {
	d.out.updates, d.out.episodes = d.out.updates[:0], d.out.episodes[:0]
	d.act(progress)
	if d.learner.replay.Len() < d.config.Warmup || d.acts%d.config.ActsPerUpdate != 0 {
		return d.out, nil
	}
	return d.out, d.learn(progress)
}

// act steps every environment of one size, the sizes in turn, and stores the
// transitions.
func (d *dqn) act(progress float64) {
	g := d.groups[d.acts%len(d.groups)]
	d.acts++
	g.act(d.config.epsilon(progress))
	for _, a := range g.actors {
		for _, transition := range a.made {
			d.learner.replay.Add(transition)
		}
		if a.ended != nil {
			d.out.episodes = append(d.out.episodes, *a.ended)
		}
	}
}

// learn is Algorithm 1's "Updating the neural networks".
func (d *dqn) learn(progress float64) error {
	d.learner.aims = d.config.aims(progress)
	u, err := d.learner.update(d.config.beta(progress), d.config.rate(progress))
	if err != nil {
		return err
	}
	d.out.updates = append(d.out.updates, u)
	if d.learner.adam.Updates%d.config.TargetEvery == 0 {
		d.learner.copyToTarget()
	}
	return nil
}

func (d *dqn) save(c *checkpoint) error {
	sampling, err := d.learner.pcg.MarshalBinary()
	if err != nil {
		return err
	}
	c.Acts, c.Sampling = d.acts, sampling
	c.Target, c.Replay = weights(d.learner.target), saveReplay(d.learner.replay)
	return saveActors(d.groups, c)
}

func (d *dqn) load(c *checkpoint) error {
	l := d.learner
	memory := l.network.Features() == features.Gain
	d.acts = c.Acts
	if d.acts < 0 {
		return ErrCheckpoint
	}
	return errors.Join(
		setWeights(l.target, c.Target), l.pcg.UnmarshalBinary(c.Sampling),
		c.Replay.load(l.replay, l.problems, memory), loadActors(d.groups, c, memory),
	)
}
