package classic

import (
	"context"
	"math"

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
	p, err := newPath(ctx, in, o, or(m.Step, 0.01), or(m.MaxIter, 30))
	if err != nil {
		return qap.Result{}, err
	}
	branches := or(m.Branches, 10)
	jump := or(m.Jump, 0.2) * math.Sqrt(float64(min(p.n1, p.n2)))
	found := newContest(in)
	pending := []branchPoint{{append([]float64{}, p.x...), 1}}
	status := qap.Converged
	for done := 0; done < len(pending); done++ {
		status = p.follow(pending[done].x, pending[done].zeta, func(zeta, distance float64) {
			if distance > jump && len(pending) < branches {
				pending = append(pending, branchPoint{p.opposite(), zeta})
			}
		})
		found.enter(p.project(p.x))
		if _, reached := p.watch.Reached(0, 0, found.score); reached || status != qap.Converged {
			break
		}
	}
	p.search.steps = p.taken
	result := p.result(found.best, o, status)
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
	away := make([]float64, len(p.x))
	for k, v := range p.before {
		away[k] = v - p.x[k]
	}
	target := make([]float64, len(p.x))
	indicate(target, p.inStep().Maximize(away, p.n1, p.n2), p.n2)
	t := min(1, math.Sqrt(dot(away, away))/max(distance(target, p.before), math.SmallestNonzeroFloat64))
	for k, v := range p.before {
		away[k] = v + t*(target[k]-v)
	}
	return away
}
