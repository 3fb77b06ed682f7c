package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/rgm-go/rgm/models"
)

// learner updates the network from replayed transitions (paper, A.2.3).
type learner struct {
	config   *Config
	problems []*problem
	network  models.Network // f_θ
	target   models.Network // f_θ⁻
	average  models.Network // moving average of f_θ, steadier than its last step
	adam     *adam
	replay   *Replay
	pcg      *rand.PCG
	rng      *rand.Rand

	indices []int
	weights []float32
	errors  []float64 // TD errors of the batch
	values  []float64 // Q of the batch
	order   []int     // the batch by size
	chunks  []*chunk
	benches []bench // one a worker
	sum     [][]float32
}

// update is what is reported of one update.
type update struct {
	loss, meanTD, meanQ, norm float64
}

func newLearner(c *Config, problems []*problem, network models.Network) *learner {
	pcg := rand.NewPCG(c.Seed, streamSampling)
	return &learner{
		config: c, problems: problems, network: network, target: models.Clone(network),
		average: models.Clone(network), adam: newAdam(network),
		replay: NewReplay(c.Replay, c.PriorityAlpha, c.PriorityFloor), pcg: pcg, rng: rand.New(pcg),
		indices: make([]int, c.Batch), weights: make([]float32, c.Batch),
		errors: make([]float64, c.Batch), values: make([]float64, c.Batch),
		order: make([]int, c.Batch), sum: models.NewGradient(network),
	}
}

// draw samples the batch of the next update and returns it in chunks, to be
// learned from in any order.
func (l *learner) draw(beta float64) []*chunk {
	l.replay.Sample(l.indices, l.weights, beta, l.rng)
	for len(l.benches) < runtime.GOMAXPROCS(0) {
		l.benches = append(l.benches, bench{})
	}
	return l.split()
}

// update takes one step of the optimiser against the loss of equation 10, given
// the batch's chunks once they are learned from, and sets the priorities of the
// batch. An error means that the loss is not finite; the network is then
// unchanged.
func (l *learner) update(chunks []*chunk, rate float64) (update, error) {
	for _, part := range l.sum {
		clear(part)
	}
	var u update
	for _, c := range chunks { // in a fixed order: sums of floats depend on it
		u.loss += c.loss
		for k, part := range c.gradient {
			for i, g := range part {
				l.sum[k][i] += g
			}
		}
	}
	for k, td := range l.errors {
		u.meanTD += math.Abs(td) / float64(len(l.errors))
		u.meanQ += l.values[k] / float64(len(l.errors))
	}
	u.norm = clip(l.sum, l.config.ClipNorm)
	if math.IsNaN(u.loss+u.norm) || math.IsInf(u.loss+u.norm, 0) {
		return u, fmt.Errorf("%w: the loss is %v, the gradient's norm %v: lower learning_rate", ErrNotFinite, u.loss, u.norm)
	}
	l.adam.update(l.network, l.sum, rate)
	l.follow()
	for k, index := range l.indices {
		l.replay.Update(index, l.errors[k])
	}
	return u, nil
}

// follow moves the average towards the network: early on it is the mean of all
// weights so far, later it forgets by the configured decay (Polyak, Juditsky,
// SIAM J. Control Optim. 30 (1992), doi:10.1137/0330046).
func (l *learner) follow() {
	updates := float64(l.adam.Updates)
	share := float32(1 - min(l.config.AverageDecay, (updates-1)/updates))
	latest := l.network.Parameters()
	for k, p := range l.average.Parameters() {
		for i, w := range latest[k].Data {
			p.Data[i] += share * (w - p.Data[i])
		}
	}
}

// copyToTarget is f_θ⁻ ← f_θ.
func (l *learner) copyToTarget() { models.Copy(l.target, l.network) }

// lossOf returns the loss of a TD error and its derivative. The Huber loss is
// quadratic up to an error of 1 and linear beyond.
func (l *learner) lossOf(td float64) (loss, slope float64) {
	if l.config.Loss == LossSquared {
		return td * td, 2 * td
	}
	if math.Abs(td) <= 1 {
		return td * td / 2, td
	}
	return math.Abs(td) - 0.5, math.Copysign(1, td)
}
