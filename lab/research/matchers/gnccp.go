package matchers

import (
	"cmp"
	"context"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
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
	p, err := newPath(ctx, in, o, cmp.Or(m.Step, 0.01), cmp.Or(m.MaxIter, 30))
	if err != nil {
		return qap.Result{}, err
	}
	status := p.follow(p.X, 1, nil)
	p.Search.Steps = p.taken
	return p.Result(p.Project(p.X), o, status), nil
}

// path follows the minima of GNCCP's functions.
type path struct {
	*relaxation.FrankWolfe
	radius float64 // greatest absolute eigenvalue of K
	zeta   float64 // by which ζ falls
	before []float64
	taken  int // iterations of all ζ
}

// atMinimum is how far an iteration moves, divided by √n, when a minimum is reached.
const atMinimum = 1e-3

func newPath(ctx context.Context, in *qap.Instance, o qap.Options, step float64, maxIter int) (*path, error) {
	n1, n2 := in.Size()
	s, err := relaxation.NewSearch(ctx, in, o, relaxation.Barycentre(n1, n2), maxIter)
	if err != nil {
		return nil, err
	}
	return &path{FrankWolfe: relaxation.NewFrankWolfe(s), radius: spectralRadius(s), zeta: step, before: make([]float64, n1*n2)}, nil
}

// follow walks from x, at some ζ, to the end of the path. After each ζ it calls
// moved, if set, with how far x went; p.before is where it was.
func (p *path) follow(x []float64, zeta float64, moved func(zeta, distance float64)) qap.Status {
	p.Start(x)
	near := atMinimum * math.Sqrt(float64(min(p.N1, p.N2)))
	for k := 0; ; k++ {
		// Counting steps keeps ζ from drifting by rounding.
		z := max(-1, zeta-float64(k)*p.zeta)
		p.Weight, p.Ridge = (1-math.Abs(z))/p.radius, -z
		copy(p.before, p.X)
		status := p.Iterate(func() bool { return p.Step() < near })
		p.taken += p.Steps
		if status.OutOfTime() {
			return status
		}
		if moved != nil {
			moved(z, relaxation.Distance(p.X, p.before))
		}
		if z == -1 || z < 0 && p.settledOnAssignment() {
			return qap.Converged
		}
	}
}

// settledOnAssignment reports whether x is an assignment. Where the function is
// concave, the rest of the path stays there.
func (p *path) settledOnAssignment() bool {
	for _, v := range p.X {
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
func spectralRadius(s *relaxation.Search) float64 {
	x, product := make([]float64, len(s.X)), make([]float64, len(s.X))
	for p := range x {
		x[p] = 1 + math.Mod(float64(p)*math.Phi, 1) // in no special position
	}
	radius := 0.0
	for range powerSteps {
		length := math.Sqrt(relaxation.Dot(x, x))
		if length == 0 || s.Watch.Over() {
			break
		}
		for p := range x {
			x[p] /= length
		}
		s.Multiply(product, x)
		radius = max(radius, math.Sqrt(relaxation.Dot(product, product)))
		x, product = product, x
	}
	if radius == 0 {
		return 1
	}
	return radius
}
