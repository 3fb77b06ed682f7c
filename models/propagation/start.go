package propagation

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// Name is what results of Start are found by.
const Name = "learned"

const (
	firstSteps = 32
	againSteps = 10
	looks      = 8   // steps of the first stage between two matchings
	failures   = 3   // loops of the second stage without more shared edges that end a chain
	doubtful   = 1   // the deviation of the beliefs that later chains begin with
	share      = 0.5 // of the time that a start has: searches that it does not help are to find what they else would
	hard       = 0.7 // of the bound of shared edges: what searches that find more do well without
	mostDegree = 12  // on average: twice what it learned from
)

// Start proposes matchings where few edges are shared, for one call of align.Solve. Asked again, it
// first goes on from the best matching there is, by the second stage. Then the first stage begins,
// from the second time on with random beliefs, and the second stage goes on from that: anew as long
// as a time limit leaves, or else once, since from some beliefs most nodes are found, and from others none.
func (n *Network) Start() align.Start {
	var c *chain
	return align.Start{Name: Name, Below: hard, Propose: func(ctx context.Context, p *align.Problem, best qap.Matching, seed uint64, offer align.Offer) error {
		if !serves(p) {
			return nil
		}
		if c == nil {
			c = &chain{network: n, pair: belief.NewPair(p.A, p.B)}
		}
		left, limited := qap.Remaining(ctx)
		watch := qap.Limits{}.Watch(qap.WithTimeLimit(ctx, time.Duration(share*float64(left))), nil)
		c.watch, c.offer = &watch, offer
		if c.s != nil {
			c.loop(best)
		}
		rng := rand.New(rand.NewPCG(seed, 0x6c6561726e))
		for again := true; again; again = limited && !watch.Over() && c.most < hard*float64(p.Bound()) {
			c.loop(c.begin(rng))
		}
		return nil
	}}
}

// serves reports whether a problem is of the kind that was learned from: no weights, no known pairs,
// not too many nodes nor edges.
func serves(p *align.Problem) bool {
	n1, n2 := p.A.Nodes(), p.B.Nodes()
	return n1*n2 <= belief.MostPairs && p.Counts() && len(p.Known) == 0 && 2*(p.A.Edges()+p.B.Edges()) <= mostDegree*(n1+n2)
}

// chain makes matchings by a network.
type chain struct {
	network *Network
	pair    *belief.Pair
	watch   *qap.Watch
	offer   align.Offer
	begun   bool
	most    float64 // shared edges so far
	pass    *Pass   // of both stages, since it is large
	state   []float32
	clues   []float32
	s       []float32 // the beliefs of the last stage that ran, in state
}

// turn begins a stage.
func (c *chain) turn(s *Stage, clues []float32) {
	if c.pass == nil {
		c.pass = s.NewPass(c.pair, clues)
		c.state = c.pass.NewState()
	}
	c.pass.turn(s, clues)
	clear(c.state)
}

// begin makes steps of the first stage, and returns the best of the matchings on the way.
func (c *chain) begin(rng *rand.Rand) (best qap.Matching) {
	c.turn(c.network.First, nil)
	if c.begun {
		for i := range c.pair.Size() {
			c.state[i] = doubtful * float32(rng.NormFloat64())
		}
	}
	c.begun = true
	most := -1.0
	for range firstSteps / looks {
		if !c.pass.through(c.watch, c.state, looks) {
			break
		}
		c.s = c.state[:c.pair.Size()]
		if m, score := c.propose(); score > most {
			best, most = m, score
		}
	}
	return best
}

// propose offers the likeliest matching, and returns what rounds of witnesses make of it.
func (c *chain) propose() (qap.Matching, float64) {
	m, score := c.offer(align.Proposal{Matching: c.pair.Match(c.s)})
	c.most = max(c.most, score)
	return m, score
}

// loop repeats the second stage on a matching as long as that grows.
func (c *chain) loop(m qap.Matching) {
	most := 0.0
	for bad := 0; bad < failures && m != nil && !c.watch.Over(); {
		if c.clues == nil {
			c.clues = make([]float32, clues*c.pair.Size())
		}
		c.turn(c.network.Again, clueTo(c.clues, c.pair, c.s, m))
		if !c.pass.through(c.watch, c.state, againSteps) {
			return
		}
		next, score := c.propose()
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
