package models

import (
	"math"
	"slices"
)

// Adam is the optimiser of Kingma, Ba 2015, arXiv:1412.6980.
type Adam struct {
	First, Second [][]float32 // moments, one slice a parameter
	Updates       int
}

const adamBeta1, adamBeta2, adamEpsilon = 0.9, 0.999, 1e-8

// NewAdam returns the optimiser of a network that has learned nothing yet.
func NewAdam(n Network) *Adam {
	return &Adam{First: NewGradient(n), Second: NewGradient(n)}
}

// Clone returns a copy.
func (a *Adam) Clone() *Adam {
	c := &Adam{Updates: a.Updates}
	for k := range a.First {
		c.First, c.Second = append(c.First, slices.Clone(a.First[k])), append(c.Second, slices.Clone(a.Second[k]))
	}
	return c
}

// Update moves the parameters against the gradient.
func (a *Adam) Update(n Network, gradient [][]float32, rate float64) {
	a.Updates++
	step := rate * math.Sqrt(1-math.Pow(adamBeta2, float64(a.Updates))) / (1 - math.Pow(adamBeta1, float64(a.Updates)))
	for k, p := range n.Parameters() {
		first, second := a.First[k], a.Second[k]
		for i, g := range gradient[k] {
			first[i] = adamBeta1*first[i] + (1-adamBeta1)*g
			second[i] = adamBeta2*second[i] + (1-adamBeta2)*g*g
			p.Data[i] -= float32(step * float64(first[i]) / (math.Sqrt(float64(second[i])) + adamEpsilon))
		}
	}
}

// ClipNorm scales the gradient down to a norm of at most limit (0: no limit) and
// returns the norm it had.
func ClipNorm(gradient [][]float32, limit float64) float64 {
	sum := 0.0
	for _, part := range gradient {
		for _, g := range part {
			sum += float64(g) * float64(g)
		}
	}
	norm := math.Sqrt(sum)
	if limit > 0 && norm > limit {
		factor := float32(limit / norm)
		for _, part := range gradient {
			for i := range part {
				part[i] *= factor
			}
		}
	}
	return norm
}
