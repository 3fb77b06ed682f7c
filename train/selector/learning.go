package selector

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/train/internal/loop"
)

// example is a state to learn from: the questions, and the log-gap at the end of the
// time where one option is kept to.
type example struct {
	inputs [auto.Options * features.SelectorChannels]float32
	values [auto.Options]float64
}

// statesOf is how many states of a search are learned from.
const statesOf = 4

// draw returns the examples of a round: states of searches on what was recorded, half of
// them led by the network, the others by chance.
func draw(ctx context.Context, c *Config, records []Recorded, network *auto.Network, round int) ([]example, error) {
	all := make([][]example, c.Searches)
	parallel.For(c.Searches, func(k int) {
		if ctx.Err() != nil {
			return
		}
		rng := rand.New(rand.NewPCG(c.Seed, streamRounds<<32|uint64(round*c.Searches+k)))
		r := records[rng.IntN(len(records))]
		d := time.Duration(logUniform(float64(leastTime), float64(r.Time), rng))
		visit := &visitor{trace: r.Trace, time: d, best: r.Best(), rule: auto.Rule(), rng: rng}
		if (round > 0 || c.From != "") && k%2 == 0 {
			learned, err := auto.Learned(network)
			if err != nil {
				panic(err) // it has the right features
			}
			visit.chooser = explorer{learned, rng}
		} else {
			visit.chooser = newHaphazard(rng)
		}
		r.Replay(visit, d)
		all[k] = visit.examples
	})
	var examples []example
	for _, part := range all {
		examples = append(examples, part...)
	}
	return examples, ctx.Err()
}

// visitor lets a chooser choose and keeps a few of the states, each with equal chances.
type visitor struct {
	chooser  auto.Chooser
	trace    *auto.Trace
	time     time.Duration // that the search may take in all
	best     float64
	rng      *rand.Rand
	rule     auto.Chooser
	chosen   []auto.Component // so far
	examples []example
}

func (v *visitor) Next(s *auto.State) auto.Component {
	place := len(v.examples)
	if place == statesOf {
		place = v.rng.IntN(len(v.chosen) + 1)
	}
	byRule := v.rule.Next(s)
	if place < statesOf {
		if place == len(v.examples) {
			v.examples = append(v.examples, example{})
		}
		v.fill(&v.examples[place], s, byRule)
	}
	k := v.chooser.Next(s)
	v.chosen = append(v.chosen, k)
	return k
}

// fill writes what is to be learned of a state.
func (v *visitor) fill(e *example, s *auto.State, byRule auto.Component) {
	n := s.Features.N
	auto.Ask(s, byRule, e.inputs[:])
	left := float64(auto.SwapsIn(v.time, n))
	for k := range auto.Component(auto.Components) {
		left -= auto.Work(k, n) * float64(s.Parts[k].Steps)
	}
	for k := range auto.Component(auto.Components) {
		steps := s.Parts[k].Steps + int(max(left, 0)/auto.Work(k, n))
		e.values[k] = LogGap(&s.Features, min(s.BestCost, v.trace.CostAt(k, steps)), v.best)
	}
	end := v.trace.Replay(&repeater{chosen: v.chosen, then: auto.Rule()}, v.time)
	e.values[auto.Components] = LogGap(&s.Features, end.BestCost, v.best)
}

// repeater chooses what was chosen, and then as a chooser does that has seen all.
type repeater struct {
	chosen []auto.Component
	then   auto.Chooser
}

func (r *repeater) Next(s *auto.State) auto.Component {
	k := r.then.Next(s)
	if at := s.Turns - 1; at < len(r.chosen) {
		k = r.chosen[at]
	}
	return k
}

// explorer now and then does something else than a chooser says.
type explorer struct {
	auto.Chooser
	rng *rand.Rand
}

const exploring = 0.1

func (e explorer) Next(s *auto.State) auto.Component {
	if k := e.Chooser.Next(s); e.rng.Float64() >= exploring {
		return k
	}
	return auto.Component(e.rng.IntN(auto.Components))
}

// haphazard gives each component a random share of the turns.
type haphazard struct {
	shares [auto.Components]float64
	rng    *rand.Rand
}

func newHaphazard(rng *rand.Rand) *haphazard {
	h := &haphazard{rng: rng}
	sum := 0.0
	for k := range h.shares {
		h.shares[k] = math.Pow(rng.Float64(), 3)
		sum += h.shares[k]
	}
	for k := range h.shares {
		h.shares[k] /= sum
	}
	return h
}

func (h *haphazard) Next(*auto.State) auto.Component {
	at := h.rng.Float64()
	for k, share := range h.shares {
		if at -= share; at < 0 {
			return auto.Component(k)
		}
	}
	return auto.Trajectory
}

// batchStates is the states of an update.
const batchStates = 128

// fit fits the network to the examples of a round and returns the mean misfit. If the
// context ends, what was learned of the round is of no use.
func fit(ctx context.Context, c *Config, n *models.Selector, adam *models.Adam, examples []example, round int) (float64, error) {
	pass := n.NewPass(batchStates, 1, auto.Options)
	rng := rand.New(rand.NewPCG(c.Seed, streamUpdates<<32|uint64(round)))
	dq, gradient := make([]float32, batchStates*auto.Options), models.NewGradient(n)
	loss := 0.0
	var drawn [batchStates]*example
	for update := range c.Updates {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for k := range drawn {
			drawn[k] = &examples[rng.IntN(len(examples))]
			copy(pass.Inputs()[0][k*len(drawn[k].inputs):], drawn[k].inputs[:])
		}
		q := pass.Forward()
		for k, e := range drawn {
			at := k * auto.Options
			loss += e.misfit(q[at:at+auto.Options], dq[at:at+auto.Options]) / float64(batchStates*c.Updates)
		}
		for _, g := range gradient {
			clear(g)
		}
		pass.Backward(dq, gradient)
		done := float64(round*c.Updates+update) / float64(c.Rounds*c.Updates)
		rate := c.LearningRate * (1 + math.Cos(math.Pi*done)) / 2
		adam.Update(n, gradient, rate)
		loop.Decay(n.Parameters(), rate*c.Decay)
	}
	return loss, nil
}

// misfit returns the mean square by which the answers of q about components, less that
// about the rule, miss how much less each leaves than the rule does, and writes its
// derivative, over the states of a batch, into dq.
func (e *example) misfit(q, dq []float32) float64 {
	const rule = auto.Components
	clear(dq)
	sum := 0.0
	for k := range auto.Components {
		gain := min(max(e.values[rule]-e.values[k], -mostGain), mostGain)
		miss := float64(q[k]-q[rule]) - gain
		sum += miss * miss / auto.Components
		d := float32(2 * miss / (auto.Components * batchStates))
		dq[k] += d
		dq[rule] -= d
	}
	return sum
}

// mostGain bounds what counts of a difference of log-gaps: beyond it luck speaks.
const mostGain = 1

// Forward returns the network as the search evaluates it.
func Forward(n *models.Selector) *auto.Network {
	weights := map[string][]float32{}
	for _, p := range n.Parameters() {
		weights[p.Name] = p.Data
	}
	network, err := auto.NewNetwork(weights)
	if err != nil {
		panic(err) // both follow docs/MODEL_FORMAT.md
	}
	return network
}
