package kinds

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

// Broad draws what learned affinities are trained on: five eighths of the pairs are points
// with smooth kernels, of a pairs.Mixture; three eighths are Kinds of every sort: points in the
// plane and graphs of attributes, complete, sparse and triangulated, narrow and wide kernels
// of many shapes, signs, node affinities, outliers in one graph, in both or none, sizes that
// differ. KernelCauchy, KernelSteps, JoinNearest, JoinScaleFree and points in space are left
// out, so that they can show what happens to kinds that were never seen.
type Broad struct{}

// MostDense is the number of nodes up to which a Broad draws kinds whose affinity matrix is
// dense: it has the fourth power of it.
const MostDense = 16

// mostSmooth is the number of nodes up to which a Broad draws complete graphs of a pairs.Mixture.
const mostSmooth = 20

// Problem returns the problem and the true matching of a random pair: see Pair.
func (b Broad) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	p, err := b.Pair(n, rng)
	return p.Instance, p.Truth, err
}

// Pair returns a random pair whose larger graph has n ≥ 2 nodes, in a random order;
// a dense one has MostDense, of a pairs.Mixture mostSmooth at most. The same state of rng gives
// the same pair.
func (Broad) Pair(n int, rng *rand.Rand) (pairs.Pair, error) {
	const kinds, mixture, delaunay = 0.5, 0.25, 0.2 // shares
	if rng.Float64() < kinds {
		if rng.Float64() < mixture {
			var m pairs.Mixture
			if n > MostDense || rng.IntN(5) == 0 {
				m.Edges = graphs.Delaunay
			}
			return m.Pair(n, rng)
		}
		k := drawKind(n, rng)
		return k.Pair(rng)
	}
	m := pairs.Mixture{Edges: graphs.Complete}
	if rng.Float64() < delaunay || n > mostSmooth {
		m.Edges = graphs.Delaunay
	}
	return m.Pair(n, rng)
}

// drawKind draws the numbers of a Kind.
func drawKind(n int, rng *rand.Rand) Kind {
	k := Kind{Name: "broad"}
	k.edges(n, rng)
	if k.Joins == JoinShare && k.Density > 0.5 {
		n = min(n, MostDense)
	}
	k.sizes(n, rng)
	k.Kernel = []Kernel{KernelGauss, KernelGauss, KernelLaplace, KernelLinear, KernelBinary}[rng.IntN(5)]
	k.Width = statistics.LogBetween(0.04, 0.8, rng)
	k.Noise = statistics.LogBetween(0.003, 0.1, rng)
	if rng.IntN(10) == 0 {
		k.Noise = 0
	}
	if k.Dimensions == 2 && rng.IntN(2) == 0 {
		k.Direction = statistics.LogBetween(0.1, 1, rng)
	}
	if rng.IntN(8) == 0 {
		k.Signs = 1 + Signs(rng.IntN(2))
	}
	if rng.IntN(5) == 0 {
		k.Nodes = statistics.LogBetween(0.05, 1, rng)
	}
	return k
}

// edges draws what the nodes are and which are joined.
func (k *Kind) edges(n int, rng *rand.Rand) {
	switch rng.IntN(4) {
	case 0:
		k.Dimensions, k.Joins = 2, JoinDelaunay
	case 1:
		k.Dimensions, k.Density = 2, 1
	case 2:
		k.Density = 1
		if n > MostDense || rng.IntN(4) > 0 {
			k.Density = statistics.Between(0.1, 0.6, rng)
		}
	case 3:
		k.Density = statistics.Between(max(0.1, 3/float64(n)), 0.3, rng)
		k.Dimensions = 2 * rng.IntN(2)
	}
	if k.Density < 1 && rng.IntN(2) == 0 {
		k.Flipped = statistics.Between(0, 0.2, rng)
	}
}

// leastInliers is how many inliers a pair has at least, where it has as many nodes.
const leastInliers = 4

// sizes draws inliers and outliers of two graphs, the larger with n nodes: in a third
// of the pairs no outliers, in a third as many in both graphs, else in one of them more.
func (k *Kind) sizes(n int, rng *rand.Rand) {
	most := min(n-min(n, leastInliers), int(math.Ceil(float64(n)/2)))
	more, fewer := 0, 0
	switch rng.IntN(3) {
	case 1:
		more = rng.IntN(most + 1)
		fewer = more
	case 2:
		more = rng.IntN(most + 1)
		fewer = rng.IntN(more + 1)
	}
	k.Inliers, k.Outliers1, k.Outliers2 = n-more, more, fewer
	if rng.IntN(2) == 0 {
		k.Outliers1, k.Outliers2 = fewer, more
	}
}
