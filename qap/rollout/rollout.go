// Package rollout runs the sequential revocable matching loop: a policy looks at
// a state, chooses a vertex, the environment takes the step, and the best
// solution seen is the result (the paper's Algorithm 1 at test time).
//
// Several rollouts of one instance, which differ in where they start, advance
// together, so that a policy evaluates them in one batch.
package rollout

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Stop is the action of a policy that has nothing left to do in an episode.
const Stop = -1

// A Policy chooses the actions of episodes.
type Policy interface {
	// NewActor prepares for episodes of one instance that last horizon steps, one
	// an environment. random gives each episode its own stream.
	NewActor(envs []*qap.Environment, random []*rand.Rand, horizon int) (Actor, error)
}

// An Actor acts in a batch of episodes. It must be closed.
type Actor interface {
	// Reset follows the reset of every environment.
	Reset()
	// Act writes the next vertex of every episode, or Stop.
	Act(actions []int) error
	// Observe follows the step of environment k.
	Observe(k int)
	Close() error
}

// Start says where a rollout begins.
type Start int

const (
	// StartGreedy begins at a matching built greedily by exact changes of value,
	// and further rollouts at random ones.
	StartGreedy Start = iota
	// StartEmpty begins at the empty matching, as the paper does, and further
	// rollouts at random ones.
	StartEmpty
	// StartRandom begins every rollout at a random matching.
	StartRandom
	// StartSupported is for rules without revoking, where all else begins at the empty
	// matching: it begins at one match, rollout k at the one that K supports k-th most
	// (the entries of its leading eigenvector, see supported). Where nodes have no
	// affinities of their own, the empty matching tells nothing of the first match, and
	// the first match decides all others.
	StartSupported
)

// Solver is a search by rollouts of a policy. Limits.MaxSteps counts steps of
// each rollout and defaults to StepsPerNode·n with n = max(n1, n2); under a time
// limit without MaxSteps, rollouts start anew until the time is up.
type Solver struct {
	Policy   Policy
	Rollouts int // rollouts at a time (1)
	Start    Start
	Rules    qap.EnvironmentOptions // and the goal
}

// StepsPerNode is the default number of steps of a rollout, for each node of the
// larger graph.
const StepsPerNode = 20

// Solve follows the policy until a limit, or until it stops in every rollout.
func (s *Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if err := s.Rules.Goal.CheckStart(in, o.Initial); err != nil {
		return qap.Result{}, err
	}
	o, repeat := withDefaults(in, o)
	watch := o.Watch(ctx, in)
	w := workspaces.Get().(*workspace)
	defer w.giveBack()
	b := w.newBatch(s, in, o, &watch)
	if status, stop := watch.Expired(); stop && b.over != nil {
		return b.result(status), nil
	}
	actor, err := w.actor(s.Policy, o.MaxSteps)
	if err != nil {
		return qap.Result{}, err
	}
	defer actor.Close()
	return b.rounds(&watch, s.Start, o, repeat, func(watch *qap.Watch) (qap.Status, error) {
		actor.Reset()
		return b.run(actor, watch)
	})
}

// withDefaults returns o with a number of steps, and whether rollouts start anew
// after it.
func withDefaults(in *qap.Instance, o qap.Options) (_ qap.Options, repeat bool) {
	repeat = o.MaxSteps == 0 && o.TimeLimit > 0
	if o.MaxSteps == 0 {
		n1, n2 := in.Size()
		o.MaxSteps = StepsPerNode * max(n1, n2)
	}
	return o, repeat
}

// rounds runs from a start, and if repeat from others until the time is up.
func (b *batch) rounds(
	watch *qap.Watch, start Start, o qap.Options, repeat bool, run func(*qap.Watch) (qap.Status, error),
) (qap.Result, error) {
	for round := uint64(0); ; round++ {
		b.reset(start, o, round)
		status, err := run(watch)
		if err != nil {
			return qap.Result{}, err
		}
		if again := repeat && (status == qap.MaxSteps || status == qap.Patience || status == b.goal.EndStatus()); again {
			n1, n2 := b.instance.Size()
			if _, stop := watch.Expired(); !stop && n1*n2 > 0 {
				continue
			}
			status = qap.TimeLimit
		}
		return b.result(status), nil
	}
}

// batch is the rollouts of one search.
type batch struct {
	instance *qap.Instance
	goal     qap.Goal
	envs     []*qap.Environment
	random   []*rand.Rand
	stopped  []bool
	actions  []int
	steps    int // of all rollouts and rounds
	best     qap.Matching
	score    float64 // of the best
	value    float64 // what makes it the best, see qap.Goal
	found    bool
	onBest   func(qap.Incumbent)
	initial  qap.Matching
	over     func() bool // reports whether the time is up, where getting ready takes long; else nil
	*starts
}

// reset puts every rollout at its start.
func (b *batch) reset(start Start, o qap.Options, round uint64) {
	n1, n2 := b.instance.Size()
	for k, env := range b.envs {
		if b.stopped[k] = false; b.over != nil && b.over() {
			return
		}
		first := k == 0 && round == 0
		switch {
		case first && o.Initial != nil:
			env.ResetUntil(o.Initial, b.over)
		case env.Options().Irrevocable && start == StartSupported:
			b.resetSupported(env, k+int(round)*len(b.envs))
		case env.Options().Irrevocable || first && start == StartEmpty:
			env.Reset(nil)
		case first && start == StartGreedy:
			env.ResetUntil(b.complete(b.instance, nil, b.goal, b.over), b.over)
		default:
			env.ResetUntil(b.matching(n1, n2, b.random[k]), b.over)
		}
		b.keepBest(env)
	}
}

// run is one round: steps until every rollout stopped or a limit is reached.
func (b *batch) run(actor Actor, watch *qap.Watch) (qap.Status, error) {
	for step := 0; ; step++ {
		live, sinceBest := 0, step
		for k, env := range b.envs {
			b.stopped[k] = b.stopped[k] || env.Finished()
			if !b.stopped[k] {
				live++
				sinceBest = min(sinceBest, step-env.BestStep())
			}
		}
		if status, stop := watch.Reached(step, sinceBest, b.score); stop && (status != qap.Target || b.found) {
			return status, nil
		}
		if live == 0 {
			return b.goal.EndStatus(), nil
		}
		if status, stop := watch.Expired(); stop {
			return status, nil
		}
		if err := actor.Act(b.actions); err != nil {
			return "", err
		}
		if status, stop := watch.Expired(); stop && b.over != nil {
			return status, nil
		}
		for k, env := range b.envs {
			switch {
			case b.stopped[k]:
			case b.actions[k] == Stop:
				b.stopped[k] = true
			default:
				env.Step(b.actions[k])
				actor.Observe(k)
				b.steps++
				b.keepBest(env)
			}
		}
	}
}

// keepBest remembers the best solution of all rollouts.
func (b *batch) keepBest(env *qap.Environment) {
	if !env.HasBest() {
		return
	}
	if value := env.BestValue(); !b.found || value > b.value {
		m, score := env.Best()
		b.found, b.score, b.value = true, score, value
		copy(b.best, m)
		if b.onBest != nil {
			b.onBest(qap.NewIncumbent(b.instance, b.best, score, b.steps))
		}
	}
}

func (b *batch) result(status qap.Status) qap.Result {
	cut := b.over != nil && status.OutOfTime() // maybe before there was time for the start
	switch {
	case b.found:
	case cut && b.initial != nil:
		copy(b.best, b.complete(b.instance, b.initial, b.goal, b.over))
	default: // stopped before any rollout completed a matching
		copy(b.best, b.complete(b.instance, b.envs[0].Matching(), b.goal, b.over))
	}
	if cut && b.found && b.goal.Admits(b.instance, b.initial) {
		if score := b.instance.Score(b.initial); b.goal.Value(b.instance, score, b.initial.Size()) > b.value {
			copy(b.best, b.initial)
		}
	}
	r := qap.NewResult(b.instance, b.best.Clone(), status)
	r.Steps, r.Rollouts = b.steps, len(b.envs)
	if b.steps == 0 && status.OutOfTime() {
		r.FoundBy = qap.ByStart
	}
	return r
}

// GreedyMatching builds a matching as large as the goal allows by the largest exact
// change of value and returns the best solution on the way. It goes on where the
// score does not grow: with edge affinities alone the first match brings nothing.
func GreedyMatching(in *qap.Instance, goal qap.Goal) qap.Matching {
	return GreedyMatchingUntil(in, goal, nil)
}

// GreedyMatchingUntil is GreedyMatching that asks over, if it is not nil, whether to stop before
// each match. Where it did, the matching is completed at once, as far as the goal demands.
func GreedyMatchingUntil(in *qap.Instance, goal qap.Goal, over func() bool) qap.Matching {
	return new(starts).complete(in, nil, goal, over)
}
