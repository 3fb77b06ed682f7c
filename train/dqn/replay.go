package dqn

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/train"
)

// replay is the prioritised experience replay memory M (paper, A.2.2; Schaul et
// al. 2016, arXiv:1511.05952): a transition is drawn with a probability in
// proportion to (|TD| + floor)^α.
type replay struct {
	alpha, floor float64
	transitions  []train.Transition // a ring
	next, size   int
	tree         *sumTree
	largest      float64 // priority^α that new transitions get
}

// newReplay returns an empty memory for capacity transitions.
func newReplay(capacity int, alpha, floor float64) *replay {
	return &replay{
		alpha: alpha, floor: floor, transitions: make([]train.Transition, capacity),
		tree: newSumTree(capacity), largest: 1,
	}
}

// length returns how many transitions are held.
func (r *replay) length() int { return r.size }

// add stores a transition, over the oldest one if the memory is full, with the
// largest priority so far so that it is learned from soon.
func (r *replay) add(t train.Transition) {
	r.transitions[r.next] = t
	r.tree.set(r.next, r.largest)
	r.next = (r.next + 1) % len(r.transitions)
	r.size = min(r.size+1, len(r.transitions))
}

// at returns a transition by the index that Sample gave.
func (r *replay) at(k int) *train.Transition { return &r.transitions[k] }

// sample draws len(indices) transitions, one from each of as many equal parts of
// the sum of priorities, and writes their importance weights (N·P)^−β, scaled so
// that the largest is 1.
func (r *replay) sample(indices []int, weights []float32, beta float64, rng *rand.Rand) {
	part := r.tree.total() / float64(len(indices))
	largest := 0.0
	for k := range indices {
		indices[k] = r.tree.find((float64(k) + rng.Float64()) * part)
		probability := r.tree.weight(indices[k]) / r.tree.total()
		w := math.Pow(float64(r.size)*probability, -beta)
		weights[k] = float32(w)
		largest = max(largest, w)
	}
	for k := range weights {
		weights[k] /= float32(largest)
	}
}

// update sets the priority of a transition by its TD error.
func (r *replay) update(k int, td float64) {
	priority := math.Pow(math.Abs(td)+r.floor, r.alpha)
	r.tree.set(k, priority)
	r.largest = max(r.largest, priority)
}
