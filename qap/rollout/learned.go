package rollout

import (
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Learned chooses the vertex with the largest Q, all episodes in one evaluation.
type Learned struct{ Q qap.QFunction }

func (p Learned) NewActor(envs []*qap.Environment, _ []*rand.Rand, horizon int) (Actor, error) {
	in := envs[0].Instance()
	n1, n2 := in.Size()
	inputs, err := features.New(p.Q.Features(), in)
	if err != nil {
		return nil, err
	}
	q, err := p.Q.NewBatch(len(envs), n1, n2)
	if err != nil {
		return nil, err
	}
	a := &learnedActor{envs: envs, q: q, size: n1 * n2}
	if err := checkInputs(p.Q, q, len(envs), n1, n2); err != nil {
		q.Close()
		return nil, err
	}
	for _, env := range envs {
		a.extractors = append(a.extractors, inputs.NewExtractor(env, horizon))
	}
	return a, nil
}

type learnedActor struct {
	envs       []*qap.Environment
	extractors []features.Extractor
	q          qap.QBatch
	size       int // vertices
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
func (a *learnedActor) Close() error  { return a.q.Close() }

func (a *learnedActor) Act(actions []int) error {
	inputs := a.q.Inputs()
	for k, x := range a.extractors {
		x.Fill(inputs, k)
	}
	q, err := a.q.Evaluate()
	if err != nil {
		return err
	}
	for k, env := range a.envs {
		actions[k] = BestAction(env, q[k*a.size:(k+1)*a.size])
	}
	return nil
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
