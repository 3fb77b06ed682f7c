package pairs

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Broad draws what learned affinities are trained on: half of the pairs are points with
// smooth kernels, of a Mixture with complete graphs and, for a fifth, Delaunay
// triangulations; half are of every sort, of a Wide.
type Broad struct{}

// Problem returns the problem and the true matching of a random pair, the larger graph of
// which has n ≥ 2 nodes; a dense one has MostDense of a Wide, mostSmooth of a Mixture at
// most. The same state of rng gives the same pair.
func (Broad) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	const wide, delaunay = 0.5, 0.2 // shares
	if rng.Float64() < wide {
		return Wide{}.Problem(n, rng)
	}
	m := Mixture{Edges: graphs.Complete}
	if rng.Float64() < delaunay || n > mostSmooth {
		m.Edges = graphs.Delaunay
	}
	p, err := m.Pair(n, rng)
	return p.Instance, p.Truth, err
}

// mostSmooth is the number of nodes up to which a Broad draws complete graphs of a Mixture.
const mostSmooth = 20
