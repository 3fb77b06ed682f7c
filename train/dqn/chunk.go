package dqn

import (
	"cmp"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/rollout"

	"github.com/rgm-go/rgm/train"
)

// chunkSize is the largest number of transitions whose gradients one worker sums
// before they are put together. It does not depend on the machine, so neither do
// the sums.
const chunkSize = 8

// fewVertices is how many vertices a pass takes together, unless one state has
// more: enough for a tall product, few enough for a processor's cache.
const fewVertices = 1024

// chunk is a part of a batch, of one shape, and what is learned from it.
type chunk struct {
	n1, n2   int
	members  []int // positions in the batch
	gradient [][]float32
	loss     float64

	imitation float64 // mean cross-entropy with the guides, see learner.imitate
}

// split cuts the batch into chunks. Their memory serves every batch.
func (l *learner) split() []*chunk {
	size := func(k int) (n1, n2 int) {
		return l.problems[train.ProblemOf(l.replay.at(l.indices[k]).State)].Instance.Size()
	}
	for k := range l.order {
		l.order[k] = k
	}
	slices.SortStableFunc(l.order, func(x, y int) int {
		x1, x2 := size(x)
		y1, y2 := size(y)
		return cmp.Or(cmp.Compare(x1*x2, y1*y2), cmp.Compare(x1, y1))
	})
	used := 0
	for rest := l.order; len(rest) > 0; used++ {
		n1, n2 := size(rest[0])
		count := 1
		for count < min(chunkSize, len(rest)) {
			if m1, m2 := size(rest[count]); m1 != n1 || m2 != n2 {
				break
			}
			count++
		}
		if used == len(l.chunks) {
			l.chunks = append(l.chunks, &chunk{gradient: models.NewGradient(l.Network)})
		}
		c := l.chunks[used]
		c.n1, c.n2, c.members = n1, n2, rest[:count]
		rest = rest[count:]
	}
	return l.chunks[:used]
}

// evaluation is the memory to learn from states of one shape.
type evaluation struct {
	online, target models.Pass
	dq             []float32
	workspaces     []*train.Workspace // of the next states, then of the states
	policy         train.Policy
	actions        []int // that the network would choose there
}

func (l *learner) newEvaluation(s train.Shape) *evaluation {
	return &evaluation{
		online: l.Network.NewPass(s.Batch, s.N1, s.N2), target: l.target.NewPass(s.Batch, s.N1, s.N2),
		dq: make([]float32, s.Batch*s.N1*s.N2), workspaces: make([]*train.Workspace, s.Batch), actions: make([]int, s.Batch),
		policy: train.Policy{Temperature: l.Config.Temperature},
	}
}

// together returns how many of count states a pass takes: a power of two, so that
// there are few shapes.
func together(count, vertices int) int {
	states := 1
	for 2*states <= count && 2*states*vertices <= fewVertices {
		states *= 2
	}
	return states
}

// learn computes the loss, the TD errors and the gradient of a chunk, unless it is told to
// stop.
func (l *learner) learn(c *chunk, stop func() bool) {
	c.loss, c.imitation = 0, 0
	for _, part := range c.gradient {
		clear(part)
	}
	vertices := c.n1 * c.n2
	for rest := c.members; len(rest) > 0 && !stop(); {
		states := together(len(rest), vertices)
		s := train.Shape{Batch: states, N1: c.n1, N2: c.n2}
		e := l.evaluations.Get(s)
		loss, imitation := l.learnFrom(rest[:states], e, vertices, c.gradient)
		l.evaluations.Put(s, e)
		c.loss += loss
		c.imitation += imitation
		rest = rest[states:]
	}
}

// learnFrom adds the gradient of some members of the batch and returns their
// loss and cross-entropy with the guides: double Q-learning, in which the network
// chooses the next action and the target network judges it (van Hasselt et al. 2016,
// arXiv:1509.06461), or plain Q-learning, in which the target network does both.
func (l *learner) learnFrom(members []int, e *evaluation, vertices int, gradient [][]float32) (loss, imitation float64) {
	next := l.nextValues(members, e, vertices)
	for j, k := range members {
		e.workspaces[j] = l.fill(l.replay.at(l.indices[k]).State, e.online.Inputs(), j)
	}
	q := e.online.Forward()
	clear(e.dq)
	for j, k := range members {
		t := l.replay.at(l.indices[k])
		target := float64(t.Reward)
		if t.Discount > 0 && e.actions[j] != rollout.Stop {
			target += float64(t.Discount) * float64(next[j*vertices+e.actions[j]])
		}
		value := float64(q[j*vertices+int(t.Action)])
		td := value - target
		cost, slope := l.lossOf(td)
		share := l.aims.Reward * float64(l.weights[k]) / float64(len(l.indices))
		l.errors[k], l.values[k] = td, value
		loss += share * cost
		e.dq[j*vertices+int(t.Action)] = float32(share * slope)
	}
	imitation = l.imitate(e, q, vertices)
	e.online.Backward(e.dq, gradient)
	return loss + l.aims.Guide*imitation, imitation
}

// imitate adds the gradient of the cross-entropy with the guides of the states on the
// workspaces, returns the cross-entropy, and releases the workspaces.
func (l *learner) imitate(e *evaluation, q []float32, vertices int) (crossEntropy float64) {
	share := 1 / float64(len(l.indices))
	for j, w := range e.workspaces {
		if guide := w.Problem.Guide; guide != nil {
			e.policy.Set(w.Env, q[j*vertices:(j+1)*vertices])
			crossEntropy += share * e.policy.AddImitation(e.dq[j*vertices:(j+1)*vertices], guide, l.aims.Guide*share)
		}
		w.Release()
	}
	return crossEntropy
}

// nextValues returns the target network's Q of the next states of some members, and
// finds the actions that are chosen there.
func (l *learner) nextValues(members []int, e *evaluation, vertices int) []float32 {
	for j, k := range members {
		e.workspaces[j] = l.fill(l.replay.at(l.indices[k]).Next, e.online.Inputs(), j)
	}
	for tensor, values := range e.online.Inputs() {
		copy(e.target.Inputs()[tensor], values)
	}
	next := e.target.Forward()
	q := next
	if l.own.Double {
		q = e.online.Forward()
	}
	for j, w := range e.workspaces {
		e.actions[j] = rollout.BestAction(w.Env, q[j*vertices:(j+1)*vertices])
		w.Release()
	}
	return next
}

// fill writes the inputs of a packed state as those of the j-th of a batch, and returns
// the workspace that is in the state.
func (l *learner) fill(state []byte, inputs [][]float32, j int) *train.Workspace {
	w := l.problems[train.ProblemOf(state)].At(state)
	w.Extractor.Fill(inputs, j)
	return w
}
