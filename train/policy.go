package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Policy is softmax(q/temperature) over the allowed actions of a state. Its slices
// are used again for the next state.
type Policy struct {
	Temperature float64
	Actions     []int
	Logarithms  []float64 // of the probabilities, by action
}

// Set takes the state of an environment and its Q.
func (p *Policy) Set(env *qap.Environment, q []float32) {
	p.Actions, p.Logarithms = p.Actions[:0], p.Logarithms[:0]
	largest := math.Inf(-1)
	for v, value := range q {
		if env.Allowed(v) {
			logit := float64(value) / p.Temperature
			p.Actions, p.Logarithms = append(p.Actions, v), append(p.Logarithms, logit)
			largest = max(largest, logit)
		}
	}
	sum := 0.0
	for _, logit := range p.Logarithms {
		sum += math.Exp(logit - largest)
	}
	shift := largest + math.Log(sum)
	for k := range p.Logarithms {
		p.Logarithms[k] -= shift
	}
}

// Sample draws an action and returns it with the logarithm of its probability.
func (p *Policy) Sample(rng *rand.Rand) (action int, logarithm float64) {
	left := rng.Float64()
	for k, l := range p.Logarithms {
		if left -= math.Exp(l); left < 0 || k == len(p.Actions)-1 {
			return p.Actions[k], l
		}
	}
	panic("train: a policy without an action")
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

func (p *Policy) Entropy() float64 {
	sum := 0.0
	for _, l := range p.Logarithms {
		sum -= math.Exp(l) * l
	}
	return sum
}

// The functions below add to dq, by the Q of all vertices, gradients of terms of a
// loss.

// AddLogarithm adds weight times the gradient of an action's log-probability.
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

// AddImitation adds weight times the gradient of the cross-entropy of the policy
// with a guide, a soft matching, and returns the cross-entropy. Only what the guide
// gives to allowed actions counts, in proportion; where that is nothing, as in a
// state that holds all of the guide's matches, there is nothing to imitate.
func (p *Policy) AddImitation(dq []float32, guide []float32, weight float64) (crossEntropy float64) {
	total := 0.0
	for _, v := range p.Actions {
		total += float64(guide[v])
	}
	if total < leastGuided {
		return 0
	}
	weight /= p.Temperature
	for k, v := range p.Actions {
		wanted := float64(guide[v]) / total
		crossEntropy -= wanted * p.Logarithms[k]
		dq[v] += float32(weight * (math.Exp(p.Logarithms[k]) - wanted))
	}
	return crossEntropy
}

// leastGuided is the sum of a guide over the allowed actions below which it says
// nothing of them.
const leastGuided = 1e-6
