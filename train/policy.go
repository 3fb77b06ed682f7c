package train

import (
	"math"

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
