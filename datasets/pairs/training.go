package pairs

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

// Training draws what a policy is trained on: pairs of a Mixture with complete or
// with Delaunay edges, half of them with node affinities and with edge affinities of
// both signs, as learned features have them.
type Training struct {
	Unsigned bool // leaves the second half as the first
	Sparse   bool // all have Delaunay edges and no signs, a quarter of the nodes may be outliers
}

// Instance returns the problem of a pair: see Pair.
func (t Training) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	p, err := t.Pair(n, rng)
	return p.Instance, err
}

// Problem returns the problem and the true matching of a pair: see Pair.
func (t Training) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	p, err := t.Pair(n, rng)
	return p.Instance, p.Truth, err
}

// Pair returns a random pair whose larger graph has n ≥ 2 nodes, in a random
// order. The same rng state gives the same pair.
func (t Training) Pair(n int, rng *rand.Rand) (Pair, error) {
	const delaunay, signed = 0.35, 0.5 // shares
	if t.Sparse {
		return Mixture{Edges: graphs.Delaunay, Outliers: max(n/4, 1)}.Pair(n, rng)
	}
	var mixture Mixture
	if rng.Float64() < delaunay {
		mixture.Edges = graphs.Delaunay
	}
	p, err := mixture.Pair(n, rng)
	if err != nil || t.Unsigned || rng.Float64() >= signed {
		return p, err
	}
	p.Instance, err = withSigns(p, rng)
	return p, err
}

// withSigns returns a pair's problem with node affinities about which true matches
// are a little better than others, and with a threshold taken off every edge affinity
// that is not 0, so that bad ones count against a match.
func withSigns(p Pair, rng *rand.Rand) (*qap.Instance, error) {
	n1, n2 := p.Instance.Size()
	n := n1 * n2
	nodes := statistics.Between(0, 1.5, rng) * float64(min(n1, n2)) // of the size of a match's edges
	hint, threshold := statistics.Between(0, 1, rng), statistics.Between(0, 0.5, rng)
	k := make([]float64, n*n)
	for v := range n {
		row := k[v*n : (v+1)*n]
		p.Instance.Affinity.Row(row, v)
		for w := range row {
			if row[w] != 0 {
				row[w] -= threshold
			}
		}
		row[v] = nodes * 0.3 * rng.NormFloat64()
		if p.Truth[v/n2] == v%n2 {
			row[v] += nodes * 0.3 * hint
		}
	}
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err == nil {
		in.Name = p.Instance.Name + "-signed"
	}
	return in, err
}
