package dqn

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"

	"github.com/rgm-go/rgm/train"
)

// dqn is the paper's Algorithm 1: actors fill a replay memory that a learner draws
// from.
type dqn struct {
	config  *train.Config
	own     Config
	groups  []*train.Group
	learner *learner
	acts    int
	out     train.Outcome
}

func newDQN(c *train.Config, problems []*train.Problem, network models.Network) *dqn {
	own := c.Own.(Config)
	return &dqn{
		config: c, own: own, learner: newLearner(c, own, problems, network),
		groups: train.NewGroups(c, problems, network, own.Demonstrators),
	}
}

func (d *dqn) Trainable() *train.Trainable { return &d.learner.Trainable }
func (d *dqn) Held() int                   { return d.learner.replay.length() }

// Round steps every environment of one size, the admitted sizes in turn, and where an
// update is due, learns at the same time: the actors play by the weights that the
// update starts from, and what they find can be sampled from the next update on. An
// update, which can take seconds, is cut short where the context ends before they play.
func (d *dqn) Round(ctx context.Context, progress float64) (train.Outcome, error) {
	d.out.Updates, d.out.Episodes = d.out.Updates[:0], d.out.Episodes[:0]
	g := d.groups[d.acts%d.own.admitted(len(d.groups), progress)]
	d.acts++
	epsilon, l := d.config.Epsilon(progress), d.learner
	sampling := *l.pcg
	var chunks []*chunk
	cut := cutting{ctx: ctx}
	if d.learns() && !cut.now() {
		l.aims = d.config.Aims(progress)
		chunks = l.draw(d.config.Beta(progress))
	}
	parallel.For(len(chunks)+len(g.Batches), func(k int) {
		if k < len(chunks) {
			l.learn(chunks[k], cut.now)
		} else if cut.tooLate() {
			g.Batches[k-len(chunks)].Act(epsilon)
		}
	})
	if cut.made() {
		d.acts, *l.pcg = d.acts-1, sampling
		return train.Outcome{}, ctx.Err()
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

// learns reports whether an update is due (Algorithm 1, c1).
func (d *dqn) learns() bool {
	return d.learner.replay.length() >= d.config.Warmup && d.acts%d.own.ActsPerUpdate == 0
}

// learn is Algorithm 1's "Updating the neural networks".
func (d *dqn) learn(chunks []*chunk, progress float64) error {
	u, err := d.learner.update(chunks, d.config.Rate(progress))
	if err != nil {
		return err
	}
	d.out.Updates = append(d.out.Updates, u)
	if d.learner.Adam.Updates%d.own.TargetEvery == 0 {
		d.learner.copyToTarget()
	}
	return nil
}

// store puts what the actors of a group have found into the replay.
func (d *dqn) store(g *train.Group) {
	for _, a := range g.Actors {
		for _, made := range a.Made {
			d.learner.replay.add(made)
		}
		if a.Ended != nil {
			d.out.Episodes = append(d.out.Episodes, *a.Ended)
		}
	}
}

// state is what a checkpoint holds of the algorithm.
type state struct {
	Acts     int
	Target   [][]float32
	Replay   savedReplay
	Sampling []byte // random stream
	Actors   []train.SavedActor
}

func (d *dqn) Save() (any, error) {
	sampling, samplingErr := d.learner.pcg.MarshalBinary()
	actors, err := train.SaveActors(d.groups)
	return state{d.acts, models.Weights(d.learner.target), saveReplay(d.learner.replay), sampling, actors}, errors.Join(samplingErr, err)
}

func (d *dqn) Load(read func(any) error) error {
	var s state
	if err := read(&s); err != nil {
		return err
	}
	if d.acts = s.Acts; d.acts < 0 {
		return train.ErrCheckpoint
	}
	l := d.learner
	return errors.Join(
		sealed.Restore(models.Weights(l.target), s.Target), l.pcg.UnmarshalBinary(s.Sampling),
		s.Replay.load(l.replay, l.problems), train.LoadActors(d.groups, s.Actors),
	)
}
