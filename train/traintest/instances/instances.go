// Package instances makes those that trainings are tested on.
package instances

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Assignments are problems with real-valued matrices, whose incremental sums round: what
// resumes exactly with them resumes exactly with all.
type Assignments struct{}

// Instance implements train.InstanceSource.
func (Assignments) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	a, b := make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = rng.Float64()*10, math.Floor(rng.Float64()*10)
	}
	return qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize)
}

// Pairs are affinity matrices of graphs of n and n−2..n nodes, dense or
// sparse, with entries of both signs.
type Pairs struct{}

// Instance implements train.InstanceSource.
func (Pairs) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	n1, n2 := n, n-rng.IntN(3)
	if rng.IntN(2) == 0 {
		n1, n2 = n2, n1
	}
	vertices := n1 * n2
	if rng.IntN(2) == 0 {
		k := make([]float64, vertices*vertices)
		for p := range k {
			k[p] = rng.NormFloat64()
		}
		return qap.NewDense(n1, n2, k, qap.Maximize)
	}
	var entries []qap.Entry
	for range vertices * vertices / 8 {
		p, q, value := rng.IntN(vertices), rng.IntN(vertices), rng.NormFloat64()
		entries = append(entries, qap.Entry{P: p, Q: q, Value: value}, qap.Entry{P: q, Q: p, Value: value})
	}
	return qap.NewSparse(n1, n2, entries, qap.Maximize)
}

// Problem implements train.PairSource.
func (s Pairs) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	in, err := s.Instance(n, rng)
	if err != nil {
		return nil, nil, err
	}
	n1, n2 := in.Size()
	truth := qap.RandomMatching(n1, n2, rng)
	truth[0] = qap.Unmatched
	return in, truth, nil
}
