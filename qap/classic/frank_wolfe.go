package classic

import (
	"math"

	"github.com/rgm-go/rgm/qap"
)

// frankWolfe climbs the quadratic function
//
//	weight·xᵀKx + ridge·xᵀx
//
// over soft assignments, by default those whose min(n1, n2) nodes are all matched:
// each step goes towards the assignment that is best for the gradient, as far as is
// best. A
// ridge below 0 favours soft assignments, one above 0 hard ones.
//
// Source: Frank, Wolfe, Naval Research Logistics Quarterly 3 (1956),
// doi:10.1002/nav.3800030109.
type frankWolfe struct {
	*search
	weight, ridge float64
	assign        func(gradient []float64) []int // the assignment to go towards

	kx       []float64 // K·x
	gradient []float64 // half of it
	target   []float64 // the assignment ahead, as a 0/1 matrix
	product  []float64 // K·target
}

func newFrankWolfe(s *search) *frankWolfe {
	size := len(s.x)
	f := &frankWolfe{
		search: s, weight: 1,
		kx: make([]float64, size), gradient: make([]float64, size), target: make([]float64, size), product: make([]float64, size),
	}
	f.assign = func(gradient []float64) []int { return s.inStep().Maximize(gradient, s.n1, s.n2) }
	return f
}

// start moves to a soft assignment.
func (f *frankWolfe) start(x []float64) {
	copy(f.x, x)
	f.multiply(f.kx, f.x)
}

// step moves x and returns how far.
func (f *frankWolfe) step() (moved float64) {
	for p, v := range f.kx {
		f.gradient[p] = f.weight*v + f.ridge*f.x[p]
	}
	ahead := f.assign(f.gradient)
	indicate(f.target, ahead, f.n2)
	f.multiplyMatching(f.product, f.target, ahead)
	slope, curvature, length := 0.0, 0.0, 0.0 // along d = target − x
	for p, v := range f.target {
		d := v - f.x[p]
		slope += 2 * d * f.gradient[p]
		curvature += d * (f.weight*(f.product[p]-f.kx[p]) + f.ridge*d)
		length += d * d
	}
	t := farthest(slope, curvature)
	f.move(t)
	return t * math.Sqrt(length)
}

// move goes a part t of the way to target.
func (f *frankWolfe) move(t float64) {
	if t == 0 {
		return
	}
	for p, v := range f.target {
		f.x[p] += t * (v - f.x[p])
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

// barycentre is the soft assignment in which every match is as likely.
func barycentre(n1, n2 int) []float64 {
	x := make([]float64, n1*n2)
	for p := range x {
		x[p] = 1 / float64(max(n1, n2))
	}
	return x
}

// A contest keeps the best of several matchings.
type contest struct {
	in    *qap.Instance
	best  qap.Matching
	score float64
}

func newContest(in *qap.Instance) *contest { return &contest{in: in, score: math.Inf(-1)} }

// enter offers a matching, which the contest copies.
func (c *contest) enter(m qap.Matching) {
	if score := c.in.Score(m); score > c.score {
		c.best, c.score = m.Clone(), score
	}
}
