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
	a := &learnedActor{envs: envs, q: q, size: n1 * n2, channels: inputs.Channels()}
	if got, want := len(q.Inputs()), len(envs)*a.size*a.channels; got != want {
		q.Close()
		return nil, fmt.Errorf("rollout: network takes %d inputs for %d states of %d vertices, want %d", got, len(envs), a.size, want)
	}
	for _, env := range envs {
		a.extractors = append(a.extractors, inputs.NewExtractor(env, horizon))
	}
	return a, nil
}

type learnedActor struct {
	envs           []*qap.Environment
	extractors     []features.Extractor
	q              qap.QBatch
	size, channels int
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
	stride := a.size * a.channels
	for k, x := range a.extractors {
		x.Fill(inputs[k*stride : (k+1)*stride])
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
	best := Stop
	for v, value := range q {
		if (best == Stop || value > q[best]) && env.Allowed(v) {
			best = v
		}
	}
	return best
}
