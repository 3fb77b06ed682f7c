package relaxation

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// FrankWolfe climbs the quadratic function
//
//	Weight·xᵀKx + Ridge·xᵀx
//
// over soft assignments, by default those whose min(n1, n2) nodes are all matched:
// each step goes towards the assignment that is best for the gradient, as far as is
// best. A Ridge below 0 favours soft assignments, one above 0 hard ones.
//
// Source: Frank, Wolfe, Naval Research Logistics Quarterly 3 (1956),
// doi:10.1002/nav.3800030109.
type FrankWolfe struct {
	*Search
	Weight, Ridge float64
	Assign        func(gradient []float64) []int // the assignment to go towards

	kx       []float64 // K·x
	gradient []float64 // half of it
	target   []float64 // the assignment ahead, as a 0/1 matrix
	product  []float64 // K·target
}

// NewFrankWolfe returns one of weight 1 without a ridge.
func NewFrankWolfe(s *Search) *FrankWolfe {
	size := len(s.X)
	f := &FrankWolfe{
		Search: s, Weight: 1,
		kx: make([]float64, size), gradient: make([]float64, size), target: make([]float64, size), product: make([]float64, size),
	}
	f.Assign = func(gradient []float64) []int { return s.InStep().Maximize(gradient, s.N1, s.N2) }
	return f
}

// Start moves to a soft assignment.
func (f *FrankWolfe) Start(x []float64) {
	copy(f.X, x)
	f.Multiply(f.kx, f.X)
}

// Step moves x and returns how far.
func (f *FrankWolfe) Step() (moved float64) {
	for p, v := range f.kx {
		f.gradient[p] = f.Weight*v + f.Ridge*f.X[p]
	}
	ahead := f.Assign(f.gradient)
	Indicate(f.target, ahead, f.N2)
	f.MultiplyMatching(f.product, f.target, ahead)
	slope, curvature, length := 0.0, 0.0, 0.0 // along d = target − x
	for p, v := range f.target {
		d := v - f.X[p]
		slope += 2 * d * f.gradient[p]
		curvature += d * (f.Weight*(f.product[p]-f.kx[p]) + f.Ridge*d)
		length += d * d
	}
	t := farthest(slope, curvature)
	f.move(t)
	return t * math.Sqrt(length)
}

// move goes a part t of the way to target.
func (f *FrankWolfe) move(t float64) {
	if t == 0 {
		return
	}
	for p, v := range f.target {
		f.X[p] += t * (v - f.X[p])
		f.kx[p] += t * (f.product[p] - f.kx[p])
	}
}

// farthest returns the t in [0, 1] for which slope·t + curvature·t² is greatest.
func farthest(slope, curvature float64) float64 {
	if curvature < 0 {
		return min(1, max(0, -slope/(2*curvature)))
	}
	if slope+curvature > 0 {
		return 1
	}
	return 0
}

// Barycentre is the soft assignment in which every match is as likely.
func Barycentre(n1, n2 int) []float64 {
	x := make([]float64, n1*n2)
	for p := range x {
		x[p] = 1 / float64(max(n1, n2))
	}
	return x
}

// Contest keeps the best of several matchings.
type Contest struct {
	in    *qap.Instance
	Best  qap.Matching
	Score float64
}

// NewContest returns one without an entry.
func NewContest(in *qap.Instance) *Contest { return &Contest{in: in, Score: math.Inf(-1)} }

// Enter offers a matching, which the contest copies.
func (c *Contest) Enter(m qap.Matching) {
	if score := c.in.Score(m); score > c.Score {
		c.Best, c.Score = m.Clone(), score
	}
}
