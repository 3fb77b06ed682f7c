package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// policy is softmax(q/temperature) over the allowed actions of a state. Its slices
// are used again for the next state.
type policy struct {
	temperature float64
	actions     []int
	logarithms  []float64 // of the probabilities, by action
}

// set takes the state of an environment and its Q.
func (p *policy) set(env *qap.Environment, q []float32) {
	p.actions, p.logarithms = p.actions[:0], p.logarithms[:0]
	largest := math.Inf(-1)
	for v, value := range q {
		if env.Allowed(v) {
			logit := float64(value) / p.temperature
			p.actions, p.logarithms = append(p.actions, v), append(p.logarithms, logit)
			largest = max(largest, logit)
		}
	}
	sum := 0.0
	for _, logit := range p.logarithms {
		sum += math.Exp(logit - largest)
	}
	shift := largest + math.Log(sum)
	for k := range p.logarithms {
		p.logarithms[k] -= shift
	}
}

// sample draws an action and returns it with the logarithm of its probability.
func (p *policy) sample(rng *rand.Rand) (action int, logarithm float64) {
	left := rng.Float64()
	for k, l := range p.logarithms {
		if left -= math.Exp(l); left < 0 || k == len(p.actions)-1 {
			return p.actions[k], l
		}
	}
	panic("train: a policy without an action")
}

// logarithm returns the logarithm of an action's probability.
func (p *policy) logarithm(action int) float64 {
	if k := p.index(action); k >= 0 {
		return p.logarithms[k]
	}
	return math.Inf(-1)
}

// index returns the position of an action among the allowed ones, −1 if it is none.
func (p *policy) index(action int) int { return slices.Index(p.actions, action) }

// packed returns the logarithms of the probabilities of all allowed actions.
func (p *policy) packed() []float32 {
	packed := make([]float32, len(p.logarithms))
	for k, l := range p.logarithms {
		packed[k] = float32(l)
	}
	return packed
}

func (p *policy) entropy() float64 {
	sum := 0.0
	for _, l := range p.logarithms {
		sum -= math.Exp(l) * l
	}
	return sum
}

// The functions below add to dq, by the Q of all vertices, gradients of terms of a
// loss.

// addLogarithm adds weight times the gradient of an action's log-probability.
func (p *policy) addLogarithm(dq []float32, action int, weight float64) {
	weight /= p.temperature
	for k, v := range p.actions {
		dq[v] -= float32(weight * math.Exp(p.logarithms[k]))
	}
	dq[action] += float32(weight)
}

// addEntropy adds weight times the gradient of the entropy.
func (p *policy) addEntropy(dq []float32, entropy, weight float64) {
	weight /= p.temperature
	for k, v := range p.actions {
		l := p.logarithms[k]
		dq[v] -= float32(weight * math.Exp(l) * (l + entropy))
	}
}

// addImitation adds weight times the gradient of the cross-entropy of the policy
// with a guide, a soft matching, and returns the cross-entropy. Only what the guide
// gives to allowed actions counts, in proportion; where that is nothing, as in a
// state that holds all of the guide's matches, there is nothing to imitate.
func (p *policy) addImitation(dq []float32, guide []float32, weight float64) (crossEntropy float64) {
	total := 0.0
	for _, v := range p.actions {
		total += float64(guide[v])
	}
	if total < leastGuided {
		return 0
	}
	weight /= p.temperature
	for k, v := range p.actions {
		wanted := float64(guide[v]) / total
		crossEntropy -= wanted * p.logarithms[k]
		dq[v] += float32(weight * (math.Exp(p.logarithms[k]) - wanted))
	}
	return crossEntropy
}

// leastGuided is the sum of a guide over the allowed actions below which it says
// nothing of them.
const leastGuided = 1e-6
