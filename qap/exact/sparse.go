package exact

import (
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
)

const (
	mostLowerings = 3000 // of the bound of package bound, at most
	patienceOfIt  = 150  // lowerings in which it must come nearer by a twentieth
	smallest      = 150  // vertices; below, the tree is searched sooner
)

// sparseBound returns the bound on costs of package bound, which knows that nodes may stay
// unmatched better than the bounder does, and marks the vertices of the root that it rules
// out as dead. It is −Inf where there is none.
func (s *search) sparseBound(root *node) float64 {
	m1, m2 := root.size()
	d, err := bound.New(s.in, qap.Goal{}, s.stopped)
	if d == nil || err != nil || m1*m2 < smallest {
		return math.Inf(-1)
	}
	score := -s.cutoff() // above which solutions are better
	known := score - bound.Tolerance*math.Abs(score)
	nearest, at := math.Inf(1), 0
	for k := 0; k < mostLowerings && !s.stopped(); k++ {
		d.Improve(known, s.stopped)
		if d.Bound() <= score {
			break
		}
		if gap := d.Bound() - score; gap < 0.95*nearest {
			nearest, at = gap, k
		} else if k-at > patienceOfIt {
			break
		}
	}
	for v := range m1 * m2 {
		p := v
		if s.transposed {
			p = v%m2*m1 + v/m2
		}
		root.dead[v] = root.dead[v] || d.Excluded(p)
	}
	return min(-d.Bound(), s.bestCost) // what was ruled out is no better than the best
}
