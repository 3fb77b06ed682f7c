package acer

import (
	"math"

	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
)

// retrace returns the targets of the values Q of the actions that consecutive steps of an
// episode took (Retrace(λ); Munos, Stepleton, Harutyunyan, Bellemare 2016,
// arXiv:1606.02647):
//
//	T_k = r_k + γ·(V_{k+1} + λ·min(1, ρ_{k+1})·(T_{k+1} − Q_{k+1}))
//
// with the value after the last step in the place of what follows it, 0 where the episode
// ended.
func retrace(steps []judged, after, gamma, lambda float64) []float64 {
	targets := make([]float64, len(steps))
	for k := len(steps) - 1; k >= 0; k-- {
		s := &steps[k]
		targets[k] = s.reward + gamma*after
		after = s.value + lambda*min(1, s.ratio)*(targets[k]-s.chosen)
	}
	return targets
}

// judged is a step that was taken by another policy, as the present network sees it.
type judged struct {
	reward float64
	value  float64 // V, the mean of Q under the policy
	chosen float64 // Q of the action taken
	ratio  float64 // ρ, of its probabilities now and when it was taken
}

// offPolicy is the gradient that a step taken by another policy gives to the logits of the
// present one, to be followed upwards.
type offPolicy struct {
	policy     *policygradient.Policy // of the state
	q          []float32              // of all vertices
	behaviour  []float32              // logarithms of the probabilities when the action was taken, by allowed action
	truncation float64                // c
}

// ratio returns ρ of the k-th allowed action.
func (o *offPolicy) ratio(k int) float64 {
	return math.Exp(o.policy.Logarithms[k] - float64(o.behaviour[k]))
}

// value returns V, the mean of Q under the policy.
func (o *offPolicy) value() float64 {
	sum := 0.0
	for k, vertex := range o.policy.Actions {
		sum += math.Exp(o.policy.Logarithms[k]) * float64(o.q[vertex])
	}
	return sum
}

// addTruncated adds the gradient of min(c, ρ)·advantage·log π of the action taken, the
// k-th: the importance weight is truncated at c.
func (o *offPolicy) addTruncated(gradient []float64, k int, advantage float64) {
	o.addWeighted(gradient, k, min(o.truncation, o.ratio(k))*advantage)
}

// addCorrection adds what truncation takes away, in the mean: the sum over all actions a of
// π(a)·max(0, 1 − c/ρ(a))·(Q(a) − V)·log π(a), with the network's Q in place of returns.
func (o *offPolicy) addCorrection(gradient []float64, value float64) {
	for k, vertex := range o.policy.Actions {
		if ratio := o.ratio(k); ratio > o.truncation {
			share := math.Exp(o.policy.Logarithms[k]) * (1 - o.truncation/ratio)
			o.addWeighted(gradient, k, share*(float64(o.q[vertex])-value))
		}
	}
}

// addWeighted adds weight times the gradient of log π of the k-th action.
func (o *offPolicy) addWeighted(gradient []float64, k int, weight float64) {
	for i, l := range o.policy.Logarithms {
		gradient[i] -= weight * math.Exp(l)
	}
	gradient[k] += weight
}

// keepNear changes a gradient by the least that keeps its product with the gradient of
// KL(average‖policy), by the logits, at or below a limit.
func keepNear(gradient []float64, p, average *policygradient.Policy, limit float64) {
	product, square := 0.0, 0.0
	for i, l := range p.Logarithms {
		away := math.Exp(l) - math.Exp(average.Logarithms[i])
		product += away * gradient[i]
		square += away * away
	}
	if product <= limit || square == 0 {
		return
	}
	for i, l := range p.Logarithms {
		gradient[i] -= (product - limit) / square * (math.Exp(l) - math.Exp(average.Logarithms[i]))
	}
}
