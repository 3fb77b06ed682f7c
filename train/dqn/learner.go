package dqn

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/models"

	"github.com/rgm-go/rgm/train"
)

// learner updates the network from replayed transitions (paper, A.2.3).
type learner struct {
	train.Trainable
	own      Config
	problems []*train.Problem
	target   models.Network // f_θ⁻
	replay   *replay
	pcg      *rand.PCG
	rng      *rand.Rand

	indices []int
	weights []float32
	errors  []float64 // TD errors of the batch
	values  []float64 // Q of the batch
	order   []int     // the batch by size
	chunks  []*chunk
	sum     [][]float32
	aims    train.Aims // of the updates to come

	evaluations *train.MemoryPool[*evaluation]
}

func newLearner(c *train.Config, own Config, problems []*train.Problem, network models.Network) *learner {
	pcg := rand.NewPCG(c.Seed, train.StreamSampling)
	l := &learner{
		Trainable: train.NewTrainable(c, network), own: own, problems: problems, target: models.Clone(network),
		replay: newReplay(c.Replay, own.PriorityAlpha, own.PriorityFloor), pcg: pcg, rng: rand.New(pcg),
		indices: make([]int, c.Batch), weights: make([]float32, c.Batch),
		errors: make([]float64, c.Batch), values: make([]float64, c.Batch),
		order: make([]int, c.Batch), sum: models.NewGradient(network), aims: train.Aims{Reward: 1},
	}
	l.evaluations = train.NewMemoryPool(l.newEvaluation)
	return l
}

// draw samples the batch of the next update and returns it in chunks, to be
// learned from in any order.
func (l *learner) draw(beta float64) []*chunk {
	l.replay.sample(l.indices, l.weights, beta, l.rng)
	return l.split()
}

// update takes one step of the optimiser against the loss of equation 10, given
// the batch's chunks once they are learned from, and sets the priorities of the
// batch. An error means that the loss is not finite; the network is then
// unchanged.
func (l *learner) update(chunks []*chunk, rate float64) (train.Update, error) {
	for _, part := range l.sum {
		clear(part)
	}
	var u train.Update
	for _, c := range chunks { // in a fixed order: sums of floats depend on it
		u.Loss += c.loss
		u.Imitation += c.imitation
		for k, part := range c.gradient {
			for i, g := range part {
				l.sum[k][i] += g
			}
		}
	}
	for k, td := range l.errors {
		u.MeanTD += math.Abs(td) / float64(len(l.errors))
		u.MeanQ += l.values[k] / float64(len(l.errors))
	}
	var err error
	if u.Norm, err = l.Descend(u.Loss, l.sum, rate); err != nil {
		return u, err
	}
	for k, index := range l.indices {
		l.replay.update(index, l.errors[k])
	}
	return u, nil
}

// copyToTarget is f_θ⁻ ← f_θ.
func (l *learner) copyToTarget() { models.Copy(l.target, l.Network) }

// lossOf returns the loss of a TD error and its derivative. The Huber loss is
// quadratic up to an error of 1 and linear beyond.
func (l *learner) lossOf(td float64) (loss, slope float64) {
	if l.own.Loss == LossSquared {
		return td * td, 2 * td
	}
	if math.Abs(td) <= 1 {
		return td * td / 2, td
	}
	return math.Abs(td) - 0.5, math.Copysign(1, td)
}
