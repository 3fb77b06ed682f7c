package matchers

import (
	"cmp"
	"context"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
)

// BPF is branching path following: it follows the path of GNCCP, and where the
// path is singular, so that a small change of the function moves its minimum far,
// it follows the branch on the other side as well. The best end counts.
//
// The publication finds singular points by the determinant of the Jacobian matrix
// of the path's equations and branches along its null space; that takes a
// factorisation of a matrix as large as K at every point. This version finds them
// by the length of the jump, and branches to the opposite side of it: what leaves
// a symmetric bifurcation one way also leaves it the other way.
//
// Sources: Wang, Ling, Lang, Feng, ECCV 2016, doi:10.1007/978-3-319-46475-6_32;
// Wang, Ling, Lang, Feng, Hou, IEEE Trans. Pattern Analysis and Machine Intelligence
// 40 (2018), doi:10.1109/TPAMI.2017.2767591.
type BPF struct {
	Step     float64 // by which ζ falls; default 0.01
	MaxIter  int     // iterations of Frank–Wolfe for each ζ; default 30
	Branches int     // paths in all; default 10
	Jump     float64 // distance, divided by √n, that makes a point singular; default 0.2
}

// Solve returns the best end of all paths. A step is an iteration of Frank–Wolfe;
// MaxSteps bounds those of each ζ.
func (m BPF) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	p, err := newPath(ctx, in, o, cmp.Or(m.Step, 0.01), cmp.Or(m.MaxIter, 30))
	if err != nil {
		return qap.Result{}, err
	}
	branches := cmp.Or(m.Branches, 10)
	jump := cmp.Or(m.Jump, 0.2) * math.Sqrt(float64(min(p.N1, p.N2)))
	found := relaxation.NewContest(in)
	pending := []branchPoint{{append([]float64{}, p.X...), 1}}
	status := qap.Converged
	for done := 0; done < len(pending); done++ {
		status = p.follow(pending[done].x, pending[done].zeta, func(zeta, distance float64) {
			if distance > jump && len(pending) < branches {
				pending = append(pending, branchPoint{p.opposite(), zeta})
			}
		})
		found.Enter(p.Project(p.X))
		if _, reached := p.Watch.Reached(0, 0, found.Score); reached || status != qap.Converged {
			break
		}
	}
	p.Search.Steps = p.taken
	result := p.Result(found.Best, o, status)
	result.Rollouts = len(pending)
	return result, nil
}

// branchPoint is where a path begins.
type branchPoint struct {
	x    []float64
	zeta float64
}

// opposite returns a soft assignment on the other side of before, as seen from x,
// and as far away unless it meets the assignment there first.
func (p *path) opposite() []float64 {
	away := make([]float64, len(p.X))
	for k, v := range p.before {
		away[k] = v - p.X[k]
	}
	target := make([]float64, len(p.X))
	relaxation.Indicate(target, p.InStep().Maximize(away, p.N1, p.N2), p.N2)
	t := min(1, math.Sqrt(relaxation.Dot(away, away))/max(relaxation.Distance(target, p.before), math.SmallestNonzeroFloat64))
	for k, v := range p.before {
		away[k] = v + t*(target[k]-v)
	}
	return away
}
