package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/rollout"
)

// learner updates the network from replayed transitions (paper, A.2.3).
type learner struct {
	student
	problems []*problem
	target   models.Network // f_θ⁻
	replay   *Replay
	pcg      *rand.PCG
	rng      *rand.Rand

	indices []int
	weights []float32
	errors  []float64 // TD errors of the batch
	values  []float64 // Q of the batch
	chunks  map[chunkShape][]*chunk
	sum     [][]float32
	aims    aims // of the updates to come
}

// update is what is reported of one update.
type update struct {
	loss, meanTD, meanQ, norm float64
	entropy, imitation        float64 // of a policy; cross-entropy with a guide
}

func (u *update) add(o update) {
	u.loss += o.loss
	u.meanTD += o.meanTD
	u.meanQ += o.meanQ
	u.entropy += o.entropy
	u.imitation += o.imitation
}

// chunkSize is the largest number of states that one goroutine evaluates in one
// go. It does not depend on the machine, so neither do the sums of gradients.
const chunkSize = 8

type chunkShape struct{ batch, n1, n2 int }

// chunk is the working memory for some transitions of one shape.
type chunk struct {
	shape        chunkShape
	members      []int // positions in the batch
	online, next models.Pass
	target       models.Pass
	dq           []float32
	gradient     [][]float32
	loss         float64
	imitation    float64
	policy       policy
}

func newLearner(c *Config, problems []*problem, network models.Network) *learner {
	pcg := rand.NewPCG(c.Seed, streamSampling)
	return &learner{
		student: newStudent(c, network), problems: problems, target: models.Clone(network),
		replay: NewReplay(c.Replay, c.PriorityAlpha, c.PriorityFloor), pcg: pcg, rng: rand.New(pcg),
		indices: make([]int, c.Batch), weights: make([]float32, c.Batch),
		errors: make([]float64, c.Batch), values: make([]float64, c.Batch),
		chunks: map[chunkShape][]*chunk{}, sum: models.NewGradient(network), aims: aims{reward: 1},
	}
}

// update draws a batch, takes one step of the optimiser against the loss of
// equation 10 and sets the priorities of the batch. An error means that the loss
// is not finite; the network is then unchanged.
func (l *learner) update(beta, rate float64) (update, error) {
	l.replay.Sample(l.indices, l.weights, beta, l.rng)
	chunks := l.split()
	parallel(len(chunks), func(k int) { l.learn(chunks[k]) })

	for _, part := range l.sum {
		clear(part)
	}
	var u update
	for _, c := range chunks { // in a fixed order: sums of floats depend on it
		u.loss += c.loss
		u.imitation += c.imitation
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
	var err error
	if u.norm, err = l.descend(u.loss, l.sum, rate); err != nil {
		return u, err
	}
	for k, index := range l.indices {
		l.replay.Update(index, l.errors[k])
	}
	return u, nil
}

// copyToTarget is f_θ⁻ ← f_θ.
func (l *learner) copyToTarget() { models.Copy(l.target, l.network) }

// split groups the batch into chunks of one shape.
func (l *learner) split() []*chunk {
	byShape := map[chunkShape][]int{}
	for k, index := range l.indices {
		n1, n2 := l.problems[problemOf(l.replay.At(index).State)].instance.Size()
		shape := chunkShape{n1: n1, n2: n2}
		byShape[shape] = append(byShape[shape], k)
	}
	shapes := make([]chunkShape, 0, len(byShape))
	for shape := range byShape {
		shapes = append(shapes, shape)
	}
	slices.SortFunc(shapes, func(x, y chunkShape) int { return x.n1*x.n2 - y.n1*y.n2 })
	var chunks []*chunk
	used := map[chunkShape]int{}
	for _, shape := range shapes {
		for members := range slices.Chunk(byShape[shape], chunkSize) {
			shape.batch = len(members)
			c := l.chunk(shape, used[shape])
			used[shape]++
			c.members = members
			chunks = append(chunks, c)
		}
	}
	return chunks
}

// chunk returns the k-th working memory of a shape.
func (l *learner) chunk(s chunkShape, k int) *chunk {
	if k == len(l.chunks[s]) {
		l.chunks[s] = append(l.chunks[s], &chunk{
			shape:  s,
			online: l.network.NewPass(s.batch, s.n1, s.n2), next: l.network.NewPass(s.batch, s.n1, s.n2),
			target: l.target.NewPass(s.batch, s.n1, s.n2),
			dq:     make([]float32, s.batch*s.n1*s.n2), gradient: models.NewGradient(l.network),
			policy: policy{temperature: l.config.Temperature},
		})
	}
	return l.chunks[s][k]
}

// learn computes the loss, the TD errors and the gradient of a chunk: double
// Q-learning, in which the network chooses the next action and the target
// network judges it (van Hasselt et al. 2016, arXiv:1509.06461), or plain
// Q-learning, in which the target network does both.
func (l *learner) learn(c *chunk) {
	vertices := c.shape.n1 * c.shape.n2
	stride := len(c.online.Inputs()) / c.shape.batch
	nextActions := l.fillNext(c, vertices, stride)
	for j, k := range c.members {
		l.look(l.replay.At(l.indices[k]).State, c.online.Inputs()[j*stride:(j+1)*stride], nil)
	}
	q, judged := c.online.Forward(), c.target.Forward()
	clear(c.dq)
	c.loss = 0
	for j, k := range c.members {
		t := l.replay.At(l.indices[k])
		goal := float64(t.Reward)
		if t.Discount > 0 && nextActions[j] != rollout.Stop {
			goal += float64(t.Discount) * float64(judged[j*vertices+nextActions[j]])
		}
		value := float64(q[j*vertices+int(t.Action)])
		td := value - goal
		loss, slope := l.lossOf(td)
		share := l.aims.reward * float64(l.weights[k]) / float64(len(l.indices))
		l.errors[k], l.values[k] = td, value
		c.loss += share * loss
		c.dq[j*vertices+int(t.Action)] = float32(share * slope)
	}
	l.imitate(c, q, vertices)
	for _, part := range c.gradient {
		clear(part)
	}
	c.online.Backward(c.dq, c.gradient)
}

// imitate adds the cross-entropy with the guides to the loss and the gradient of a
// chunk.
func (l *learner) imitate(c *chunk, q []float32, vertices int) {
	c.imitation = 0
	if l.config.Guide == GuideNone {
		return
	}
	share := 1 / float64(len(l.indices))
	for j, k := range c.members {
		state := l.replay.At(l.indices[k]).State
		p := l.problems[problemOf(state)]
		d := p.at(state)
		c.policy.set(d.env, q[j*vertices:(j+1)*vertices])
		c.imitation += share * c.policy.addImitation(c.dq[j*vertices:(j+1)*vertices], p.guide, l.aims.guide*share)
		p.desks.Put(d)
	}
	c.loss += l.aims.guide * c.imitation
}

// fillNext returns the chosen actions in the next states of a chunk and
// leaves these states in the target's inputs.
func (l *learner) fillNext(c *chunk, vertices, stride int) []int {
	desks := make([]*desk, len(c.members))
	for j, k := range c.members {
		l.look(l.replay.At(l.indices[k]).Next, c.next.Inputs()[j*stride:(j+1)*stride], &desks[j])
	}
	copy(c.target.Inputs(), c.next.Inputs())
	chooser := c.target
	if l.config.Double {
		chooser = c.next
	}
	q := chooser.Forward()
	actions := make([]int, len(c.members))
	for j, k := range c.members {
		actions[j] = rollout.BestAction(desks[j].env, q[j*vertices:(j+1)*vertices])
		l.problems[problemOf(l.replay.At(l.indices[k]).Next)].desks.Put(desks[j])
	}
	return actions
}

// look writes the inputs of a packed state. The desk is kept for the caller where
// it wants it.
func (l *learner) look(state []byte, inputs []float32, keep **desk) {
	p := l.problems[problemOf(state)]
	d := p.at(state)
	d.extractor.Fill(inputs)
	if keep != nil {
		*keep = d
		return
	}
	p.desks.Put(d)
}

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
