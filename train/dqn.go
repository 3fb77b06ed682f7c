package train

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/rgm-go/rgm/internal/parallel"
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

func (d *dqn) trainable() *trainable { return &d.learner.trainable }
func (d *dqn) held() int             { return d.learner.replay.length() }

// round steps every environment of one size, the admitted sizes in turn, and where an
// update is due, learns at the same time: the actors play by the weights that the
// update starts from, and what they find can be sampled from the next update on. An
// update, which can take seconds, is cut short where the context ends before they play.
func (d *dqn) round(ctx context.Context, progress float64) (outcome, error) {
	d.out.updates, d.out.episodes = d.out.updates[:0], d.out.episodes[:0]
	g := d.groups[d.acts%d.config.admitted(len(d.groups), progress)]
	d.acts++
	epsilon, l := d.config.epsilon(progress), d.learner
	sampling := *l.pcg
	var chunks []*chunk
	cut := cutting{ctx: ctx}
	if d.learns() && !cut.now() {
		l.aims = d.config.aims(progress)
		chunks = l.draw(d.config.beta(progress))
	}
	parallel.For(len(chunks)+len(g.batches), func(k int) {
		if k < len(chunks) {
			l.learn(chunks[k], cut.now)
		} else if cut.tooLate() {
			g.batches[k-len(chunks)].act(epsilon)
		}
	})
	if cut.made() {
		d.acts, *l.pcg = d.acts-1, sampling
		return outcome{}, ctx.Err()
	}
	if chunks != nil {
		if err := d.learn(chunks, progress); err != nil {
			return d.out, err
		}
	}
	d.store(g)
	return d.out, nil
}

// cutting is whether a round is cut short: as long as no actor has played in it, all that
// it has changed is memory of the learner.
type cutting struct {
	ctx     context.Context
	decided atomic.Int32
}

const (
	cutShort  = 1 // for good
	goesToEnd = 2
)

// now tells the learner whether to stop.
func (c *cutting) now() bool {
	return c.made() || c.ctx.Err() != nil && c.decided.CompareAndSwap(0, cutShort)
}

// tooLate tells an actor whether to play; then the round goes to its end.
func (c *cutting) tooLate() bool {
	return c.decided.CompareAndSwap(0, goesToEnd) || !c.made()
}

func (c *cutting) made() bool { return c.decided.Load() == cutShort }

// learns tells whether an update is due (Algorithm 1, c1).
func (d *dqn) learns() bool {
	return d.learner.replay.length() >= d.config.Warmup && d.acts%d.config.ActsPerUpdate == 0
}

// learn is Algorithm 1's "Updating the neural networks".
func (d *dqn) learn(chunks []*chunk, progress float64) error {
	u, err := d.learner.update(chunks, d.config.rate(progress))
	if err != nil {
		return err
	}
	d.out.updates = append(d.out.updates, u)
	if d.learner.adam.Updates%d.config.TargetEvery == 0 {
		d.learner.copyToTarget()
	}
	return nil
}

// store puts what the actors of a group have found into the replay.
func (d *dqn) store(g *group) {
	for _, a := range g.actors {
		for _, made := range a.made {
			d.learner.replay.add(made)
		}
		if a.ended != nil {
			d.out.episodes = append(d.out.episodes, *a.ended)
		}
	}
}

func (d *dqn) save(c *checkpoint) error {
	sampling, err := d.learner.pcg.MarshalBinary()
	if err != nil {
		return err
	}
	c.Acts, c.Sampling = d.acts, sampling
	c.Target, c.Replay = models.Weights(d.learner.target), saveReplay(d.learner.replay)
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
