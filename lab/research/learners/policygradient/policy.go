package policygradient

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/train"
)

// Policy is one that draws its actions, and whose probabilities are learned.
type Policy struct{ train.Policy }

// NewPolicy returns the policy of a temperature.
func NewPolicy(temperature float64) Policy { return Policy{train.Policy{Temperature: temperature}} }

// Sample draws an action and returns it with the logarithm of its probability.
func (p *Policy) Sample(rng *rand.Rand) (action int, logarithm float64) {
	left := rng.Float64()
	for k, l := range p.Logarithms {
		if left -= math.Exp(l); left < 0 || k == len(p.Actions)-1 {
			return p.Actions[k], l
		}
	}
	panic("policygradient: a policy without an action")
}

// Logarithm returns the logarithm of an action's probability.
func (p *Policy) Logarithm(action int) float64 {
	if k := p.Index(action); k >= 0 {
		return p.Logarithms[k]
	}
	return math.Inf(-1)
}

// Index returns the position of an action among the allowed ones, −1 if it is none.
func (p *Policy) Index(action int) int { return slices.Index(p.Actions, action) }

// Packed returns the logarithms of the probabilities of all allowed actions.
func (p *Policy) Packed() []float32 {
	packed := make([]float32, len(p.Logarithms))
	for k, l := range p.Logarithms {
		packed[k] = float32(l)
	}
	return packed
}

// Entropy is that of the probabilities, in nats.
func (p *Policy) Entropy() float64 {
	sum := 0.0
	for _, l := range p.Logarithms {
		sum -= math.Exp(l) * l
	}
	return sum
}

// AddLogarithm adds to dq, by the Q of all vertices, weight times the gradient of an action's
// log-probability.
func (p *Policy) AddLogarithm(dq []float32, action int, weight float64) {
	weight /= p.Temperature
	for k, v := range p.Actions {
		dq[v] -= float32(weight * math.Exp(p.Logarithms[k]))
	}
	dq[action] += float32(weight)
}

// AddEntropy adds weight times the gradient of the entropy.
func (p *Policy) AddEntropy(dq []float32, entropy, weight float64) {
	weight /= p.Temperature
	for k, v := range p.Actions {
		l := p.Logarithms[k]
		dq[v] -= float32(weight * math.Exp(l) * (l + entropy))
	}
}
