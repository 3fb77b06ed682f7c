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
	growth     = 1.15 // of the shared edges in two loops of the second stage: what grows less seldom finds more
	doubtful   = 0.3  // the deviation of the beliefs that later chains begin with
	hard       = 0.7  // of the bound of shared edges: what searches that find more do well without
	mostDegree = 12   // on average: twice what it learned from
	dispersion = 2    // the variance of degrees over their mean, which is 1 of random graphs, or the mean over it, at most
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
		_, limited := qap.Remaining(ctx)
		watch := qap.Limits{}.Watch(ctx, nil)
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

// serves reports whether a problem is of the kind that it helps: no weights, no known pairs, not too
// many nodes nor edges, and degrees like those of random graphs, neither equal nor with hubs.
func serves(p *align.Problem) bool {
	n1, n2 := p.A.Nodes(), p.B.Nodes()
	if n1*n2 > belief.MostPairs || !p.Counts() || len(p.Known) > 0 {
		return false
	}
	sum, squares := 0.0, 0.0
	for i := range n1 {
		d := float64(p.A.Degree(i))
		sum += d
		squares += d * d
	}
	mean := sum / float64(n1)
	ratio := (squares/float64(n1) - mean*mean) / mean
	return mean <= mostDegree && ratio <= dispersion && ratio >= 1.0/dispersion
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

// begin makes the steps of the first stage and returns their matching, nil where time was up.
func (c *chain) begin(rng *rand.Rand) qap.Matching {
	c.turn(c.network.First, nil)
	if c.begun {
		for i := range c.pair.Size() {
			c.state[i] = doubtful * float32(rng.NormFloat64())
		}
	}
	c.begun = true
	if !c.pass.through(c.watch, c.state, firstSteps) {
		return nil
	}
	c.s = c.state[:c.pair.Size()]
	m, _ := c.propose()
	return m
}

// propose offers the likeliest matching, and returns what rounds of witnesses make of it.
func (c *chain) propose() (qap.Matching, float64) {
	m, score := c.offer(align.Proposal{Matching: c.pair.Match(c.s)})
	c.most = max(c.most, score)
	return m, score
}

// loop repeats the second stage on a matching as long as that grows.
func (c *chain) loop(m qap.Matching) {
	if c.clues == nil {
		c.clues = make([]float32, clues*c.pair.Size())
	}
	for before, last := 0.0, 0.0; m != nil && !c.watch.Over(); {
		c.turn(c.network.Again, clueTo(c.clues, c.pair, c.s, m))
		if !c.pass.through(c.watch, c.state, againSteps) {
			return
		}
		next, score := c.propose()
		if score < growth*before {
			return
		}
		m, before, last = next, last, max(last, score)
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
