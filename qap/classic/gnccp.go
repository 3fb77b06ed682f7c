package classic

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// GNCCP is the graduated non-convexity and concavity procedure. With the score F
// turned into a cost, it minimises
//
//	(1−|ζ|)·F(x) + ζ·xᵀx
//
// by Frank–Wolfe while ζ falls from 1, where that is convex, to −1, where only
// assignments are left; each minimum is the start of the next.
//
// Two things differ from the publication: F is divided by the greatest absolute
// eigenvalue of K, so that the schedule means the same for every scale of K, and
// the default step of ζ is ten times as large.
//
// Source: Liu, Qiao, IEEE Trans. Pattern Analysis and Machine Intelligence 36
// (2014), doi:10.1109/TPAMI.2013.223.
type GNCCP struct {
	Step    float64 // by which ζ falls; default 0.01
	MaxIter int     // iterations of Frank–Wolfe for each ζ; default 30
}

// Solve returns the assignment at the end of the path. A step is an iteration of
// Frank–Wolfe; MaxSteps bounds those of each ζ.
func (m GNCCP) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	p, err := newPath(ctx, in, o, or(m.Step, 0.01), or(m.MaxIter, 30))
	if err != nil {
		return qap.Result{}, err
	}
	status := p.follow(p.x, 1, nil)
	p.search.steps = p.taken
	return p.result(p.project(p.x), o, status), nil
}

// path follows the minima of GNCCP's functions.
type path struct {
	*frankWolfe
	radius float64 // greatest absolute eigenvalue of K
	zeta   float64 // by which ζ falls
	before []float64
	taken  int // iterations of all ζ
}

// atMinimum is how far an iteration moves, divided by √n, when a minimum is reached.
const atMinimum = 1e-3

func newPath(ctx context.Context, in *qap.Instance, o qap.Options, step float64, maxIter int) (*path, error) {
	n1, n2 := in.Size()
	s, err := newSearch(ctx, in, o, barycentre(n1, n2), maxIter)
	if err != nil {
		return nil, err
	}
	return &path{frankWolfe: newFrankWolfe(s), radius: spectralRadius(s), zeta: step, before: make([]float64, n1*n2)}, nil
}

// follow walks from x, at some ζ, to the end of the path. After each ζ it calls
// moved, if set, with how far x went; p.before is where it was.
func (p *path) follow(x []float64, zeta float64, moved func(zeta, distance float64)) qap.Status {
	p.start(x)
	near := atMinimum * math.Sqrt(float64(min(p.n1, p.n2)))
	for k := 0; ; k++ {
		// Counting steps keeps ζ from drifting by rounding.
		z := max(-1, zeta-float64(k)*p.zeta)
		p.weight, p.ridge = (1-math.Abs(z))/p.radius, -z
		copy(p.before, p.x)
		status := p.iterate(func() bool { return p.step() < near })
		p.taken += p.steps
		if status.OutOfTime() {
			return status
		}
		if moved != nil {
			moved(z, distance(p.x, p.before))
		}
		if z == -1 || z < 0 && p.settledOnAssignment() {
			return qap.Converged
		}
	}
}

// settledOnAssignment reports whether x is an assignment. Where the function is
// concave, the rest of the path stays there.
func (p *path) settledOnAssignment() bool {
	for _, v := range p.x {
		if v > 1e-9 && v < 1-1e-9 {
			return false
		}
	}
	return true
}

// powerSteps find the greatest eigenvalue to a few per cent.
const powerSteps = 30

// spectralRadius estimates the greatest absolute eigenvalue of K by power
// iteration; it is 1 where K is 0. Where the time is up it is as good as it got.
func spectralRadius(s *search) float64 {
	x, product := make([]float64, len(s.x)), make([]float64, len(s.x))
	for p := range x {
		x[p] = 1 + math.Mod(float64(p)*math.Phi, 1) // in no special position
	}
	radius := 0.0
	for range powerSteps {
		length := math.Sqrt(dot(x, x))
		if length == 0 || s.watch.Over() {
			break
		}
		for p := range x {
			x[p] /= length
		}
		s.multiply(product, x)
		radius = max(radius, math.Sqrt(dot(product, product)))
		x, product = product, x
	}
	if radius == 0 {
		return 1
	}
	return radius
}
