package propagation

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// Name is what results of Start are found by.
const Name = "learned"

const (
	firstSteps = 16
	againSteps = 10
	failures   = 2 // loops of the second stage without more shared edges that end a chain
	chains     = 3 // where no time limit ends them
)

// Start proposes the matchings of chains, one after the other while there is time: the beliefs of
// the first stage, and then those of the second on the best matching so far. The first chain begins
// without beliefs, the others with random ones.
func (n *Network) Start() align.Start {
	return align.Start{Name: Name, Propose: func(ctx context.Context, p *align.Problem, seed uint64, offer align.Offer) error {
		if p.A.Nodes()*p.B.Nodes() > belief.MostPairs {
			return nil
		}
		watch := qap.Limits{}.Watch(ctx, nil)
		_, limited := watch.Remaining()
		c := chain{network: n, pair: belief.NewPair(p.A, p.B), watch: &watch, offer: offer}
		rng := rand.New(rand.NewPCG(seed, 0x6c6561726e))
		for k := 0; !c.watch.Over() && (k < chains || limited); k++ {
			c.run(k, rng)
		}
		return nil
	}}
}

// chain makes matchings by a network.
type chain struct {
	network *Network
	pair    *belief.Pair
	watch   *qap.Watch
	offer   align.Offer
}

// doubtful is the deviation of the beliefs that later chains begin with.
const doubtful = 1

// run makes the k-th chain.
func (c *chain) run(k int, rng *rand.Rand) {
	first := c.network.First.NewPass(c.pair, nil)
	state := first.NewState()
	if k > 0 {
		for i := range c.pair.Size() {
			state[i] = doubtful * float32(rng.NormFloat64())
		}
	}
	if !first.through(c.watch, state, firstSteps) {
		return
	}
	s := state[:c.pair.Size()]
	m, most := c.offer(align.Proposal{Matching: c.pair.Match(s)})
	for bad := 0; bad < failures; {
		again := c.network.Again.NewPass(c.pair, Clues(c.pair, s, m))
		state := again.NewState()
		if !again.through(c.watch, state, againSteps) {
			return
		}
		s = state[:c.pair.Size()]
		next, score := c.offer(align.Proposal{Matching: c.pair.Match(s)})
		if score > most {
			most, bad = score, 0
		} else {
			bad++
		}
		m = next
	}
}

// through makes steps, unless time is up, and reports whether it made them.
func (t *Pass) through(watch *qap.Watch, state []float32, steps int) bool {
	for range steps {
		if watch.Over() {
			return false
		}
		t.Step(state, state)
	}
	return true
}
