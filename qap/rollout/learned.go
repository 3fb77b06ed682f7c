package rollout

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Learned chooses the vertex with the largest Q. The episodes are evaluated in one batch,
// or on large graphs in parts, each in a batch of its own: how they are divided does not
// depend on Threads, which changes nothing but the time.
type Learned struct {
	Q       qap.QFunction
	Threads int // parts evaluated side by side (1)
}

// A part has partSize episodes where graphs have at least partVertices vertices, since below a
// larger batch costs less; and one where they have singleVertices, whose inputs take long to make room for.
const (
	partSize       = 4
	partVertices   = 400
	singleVertices = 100_000
)

// NewActor prepares for episodes. A Q-function that says Whole() is evaluated in one
// batch; one that has NewPart makes the batches after the first by that.
func (p Learned) NewActor(envs []*qap.Environment, _ []*rand.Rand, horizon int) (Actor, error) {
	return p.newActorIn(new(workspace), envs, horizon)
}

func (p Learned) newActorIn(w *workspace, envs []*qap.Environment, horizon int) (Actor, error) {
	extractors, err := w.extractors(p.Q.Features(), envs, horizon)
	if err != nil {
		return nil, err
	}
	n1, n2 := envs[0].Instance().Size()
	a := &w.learned
	*a = learnedActor{envs: envs, extractors: extractors, parts: a.parts[:0], size: n1 * n2, over: w.batch.over}
	if err := a.divide(p.Q, n1, n2); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if threads := min(p.Threads, len(a.parts)); threads > 1 {
		a.workers = parallel.NewWorkers(threads, a.act)
	}
	return a, nil
}

type learnedActor struct {
	envs       []*qap.Environment
	extractors []features.Extractor
	parts      []part
	size       int // vertices
	actions    []int
	workers    *parallel.Workers // nil: one thread
	over       func() bool       // reports whether the time is up, and actions are of no use; nil where none take long
}

// part is episodes that are evaluated together.
type part struct {
	from, to int // episodes
	q        qap.QBatch
	err      error
}

// divide makes the parts; where the time is up on the way, fewer, since none acts then.
func (a *learnedActor) divide(q qap.QFunction, n1, n2 int) error {
	size := len(a.envs)
	if whole, ok := q.(interface{ Whole() bool }); n1*n2 >= partVertices && !(ok && whole.Whole()) {
		size = partSize
		if n1*n2 >= singleVertices {
			size = 1
		}
	}
	newBatch := q.NewBatch
	for from := 0; from < len(a.envs); from += size {
		if from > 0 && a.over != nil && a.over() {
			break
		}
		to := min(from+size, len(a.envs))
		batch, err := newBatch(to-from, n1, n2)
		if err != nil {
			return err
		}
		a.parts = append(a.parts, part{from: from, to: to, q: batch})
		if err := checkInputs(q, batch, to-from, n1, n2); err != nil {
			return err
		}
		if more, ok := q.(interface {
			NewPart(size, n1, n2 int) (qap.QBatch, error)
		}); ok {
			newBatch = more.NewPart
		}
	}
	return nil
}

// checkInputs fails if a batch does not take the inputs that the function names.
func checkInputs(q qap.QFunction, batch qap.QBatch, size, n1, n2 int) error {
	inputs, tensors := batch.Inputs(), features.Tensors(q.Features())
	if len(inputs) != len(tensors) {
		return fmt.Errorf("rollout: network takes %d tensors, want %d of %s", len(inputs), len(tensors), q.Features())
	}
	for k, t := range tensors {
		if got, want := len(inputs[k]), size*t.Size(n1, n2); got != want {
			return fmt.Errorf("rollout: network takes %d numbers of %s for %d states, want %d", got, t.Name, size, want)
		}
	}
	return nil
}

func (a *learnedActor) Reset() {
	for _, x := range a.extractors {
		x.Reset()
	}
}

func (a *learnedActor) Observe(k int) { a.extractors[k].Observe() }

func (a *learnedActor) Close() error {
	if a.workers != nil {
		a.workers.End()
	}
	var errs []error
	for _, p := range a.parts {
		if err := p.q.Close(); err != nil {
			errs = append(errs, err)
		}
	}
	clear(a.extractors)
	clear(a.parts)
	*a = learnedActor{extractors: a.extractors, parts: a.parts}
	return errors.Join(errs...)
}

func (a *learnedActor) Act(actions []int) error {
	a.actions = actions
	if a.workers != nil {
		a.workers.Run(len(a.parts))
	} else {
		for k := range a.parts {
			a.act(k)
		}
	}
	for _, p := range a.parts {
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

// act chooses the actions of a part.
func (a *learnedActor) act(k int) {
	p := &a.parts[k]
	inputs := p.q.Inputs()
	for k, x := range a.extractors[p.from:p.to] {
		if a.over != nil && a.over() {
			return
		}
		x.Fill(inputs, k)
	}
	q, err := p.q.Evaluate()
	if p.err = err; err != nil {
		return
	}
	for k, env := range a.envs[p.from:p.to] {
		a.actions[p.from+k] = BestAction(env, q[k*a.size:(k+1)*a.size])
	}
}

// BestAction returns the allowed vertex with the largest Q, the first of equal
// ones; Stop if none is allowed.
func BestAction(env *qap.Environment, q []float32) int {
	best, largest := Stop, float32(0)
	for v, value := range q {
		if (value > largest || best == Stop) && env.Allowed(v) {
			best, largest = v, value
		}
	}
	return best
}
