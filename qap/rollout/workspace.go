package rollout

import (
	"math/rand/v2"
	"sync"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// workspace is the memory of a search by rollouts. Later searches use it again, and
// allocate only where their graphs are larger or their rollouts more.
type workspace struct {
	batch   batch
	starts  starts
	envs    []*qap.Environment
	sources []*rand.PCG
	random  []*rand.Rand
	learned learnedActor
	gain    []*features.GainExtractor
	scaler  features.Scaler
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// giveBack keeps the workspace for another search, but nothing of this one's instance.
func (w *workspace) giveBack() {
	w.batch.instance, w.batch.goal, w.batch.onBest, w.batch.initial, w.batch.over = nil, qap.Goal{}, nil, nil, nil
	for _, env := range w.envs {
		env.Forget()
	}
	w.starts.env.Forget()
	w.scaler.Forget()
	workspaces.Put(w)
}

// manyVertices is from how many vertices on getting ready looks at the clock.
const manyVertices = 1000

// newBatch returns the batch of a search; where the time is up on the way, one of fewer rollouts.
func (w *workspace) newBatch(s *Solver, in *qap.Instance, o qap.Options, watch *qap.Watch) *batch {
	size := max(s.Rollouts, 1)
	n1, n2 := in.Size()
	for k := len(w.envs); k < size; k++ {
		source := &rand.PCG{}
		w.envs = append(w.envs, &qap.Environment{})
		w.sources, w.random = append(w.sources, source), append(w.random, rand.New(source))
	}
	b := &w.batch
	*b = batch{
		instance: in, goal: s.Rules.Goal, envs: w.envs[:size], random: w.random[:size],
		stopped: resized(b.stopped, size), actions: resized(b.actions, size), best: resized(b.best, n1),
		onBest: o.OnBest, initial: o.Initial, starts: &w.starts,
	}
	clear(b.stopped)
	for i := range b.best {
		b.best[i] = qap.Unmatched
	}
	if n1*n2 >= manyVertices {
		b.over = watch.Over
	}
	least, _ := b.goal.Sizes(in)
	b.found = least == 0 // the empty matching is one then
	for k, env := range b.envs {
		if k > 0 && b.over != nil && b.over() {
			b.envs = b.envs[:k]
			break
		}
		env.Renew(in, s.Rules)
		w.sources[k].Seed(o.Seed, uint64(k))
	}
	return b
}

// resized returns a slice of n elements, in the memory of s where that is enough.
func resized[S ~[]E, E any](s S, n int) S {
	if cap(s) < n {
		return make(S, n)
	}
	return s[:n]
}

// actor returns the actor of the batch.
func (w *workspace) actor(p Policy, horizon int) (Actor, error) {
	if own, ok := p.(interface {
		newActorIn(w *workspace, envs []*qap.Environment, horizon int) (Actor, error)
	}); ok {
		return own.newActorIn(w, w.batch.envs, horizon)
	}
	return p.NewActor(w.batch.envs, w.batch.random, horizon)
}

// extractors returns those of the environments, over one instance; where the time is up on the way, fewer.
func (w *workspace) extractors(set string, envs []*qap.Environment, horizon int) ([]features.Extractor, error) {
	all := w.learned.extractors[:0]
	if set == features.Gain {
		w.scaler.Over = w.batch.over
		scale := w.scaler.Scale(envs[0].Instance())
		for k, env := range envs {
			if k > 0 && w.batch.over != nil && w.batch.over() {
				break
			}
			if k == len(w.gain) {
				w.gain = append(w.gain, &features.GainExtractor{})
			}
			w.gain[k].Renew(env, scale, horizon)
			all = append(all, w.gain[k])
		}
		return all, nil
	}
	inputs, err := features.New(set, envs[0].Instance())
	if err != nil {
		return nil, err
	}
	for _, env := range envs {
		all = append(all, inputs.NewExtractor(env, horizon))
	}
	return all, nil
}

// starts makes the matchings where rollouts begin; each is valid until the next one.
type starts struct {
	env     qap.Environment
	random  qap.Matching
	scratch []int
}

// matching returns a random matching.
func (s *starts) matching(n1, n2 int, rng *rand.Rand) qap.Matching {
	s.random, s.scratch = resized(s.random, n1), resized(s.scratch, max(n1, n2))
	s.random.Randomize(n2, rng, s.scratch)
	return s.random
}

// complete extends a matching greedily, releasing nothing, and returns the best
// solution on the way.
// Where over, if it is not nil, says to stop, the next best matches are made at once, as many
// as the goal demands.
func (s *starts) complete(in *qap.Instance, m qap.Matching, goal qap.Goal, over func() bool) qap.Matching {
	env := &s.env
	env.Renew(in, qap.EnvironmentOptions{Irrevocable: true, Goal: goal})
	whole := env.ResetUntil(m, over)
	for whole && !env.Finished() {
		if over != nil && over() {
			break
		}
		v, _, _ := env.BestAction()
		env.Step(v)
	}
	if !env.HasBest() {
		if whole {
			m = env.Matching()
		}
		return goal.Solution(in, m, env.Gains())
	}
	best, _ := env.Best()
	return best
}
