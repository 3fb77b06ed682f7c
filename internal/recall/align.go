package recall

import (
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
)

// Flows are kept, to align problems by them, up to mostAligned nodes; the mostRenumbered newest problems
// are aligned with the one at hand.
const (
	mostAligned    = 256
	mostRenumbered = 4
)

// flowsOf returns the flows of a problem.
func flowsOf(in *qap.Instance) []float64 {
	a, _, _ := in.Affinity.(*qap.KoopmansBeckmann).Given()
	return a
}

// sumsOf returns, of each node, the sum of its flows both ways.
func sumsOf(flows []float64, n int) []float64 {
	sums := make([]float64, n)
	for i := range n {
		for j := range n {
			sums[i] += flows[i*n+j]
			sums[j] += flows[i*n+j]
		}
	}
	return sums
}

// renumbered reports whether nodes have other numbers than in a problem with the given sums: their sums
// are alike in order of size, by renumberedShare of what they differ by number.
func (p *problem) renumbered(sums []float64) bool {
	const renumberedShare = 0.5
	if p.Flows == nil {
		return false
	}
	difference := func(x, y []float64) (sum float64) {
		for i, v := range x {
			sum += math.Abs(v - y[i])
		}
		return sum
	}
	sorted := func(x []float64) []float64 {
		x = slices.Clone(x)
		slices.Sort(x)
		return x
	}
	return difference(sorted(p.Sums), sorted(sums)) < renumberedShare*difference(p.Sums, sums)
}

// align returns the node of the problem that each node with the given flows is, nil where no time is left.
func (p *problem) align(ctx context.Context, flows []float64) qap.Matching {
	n := len(p.Assignment)
	in, err := qap.NewKoopmansBeckmann(n, n, flows, p.Flows, nil, qap.Maximize)
	if err != nil {
		return nil // the flows of both are too large to multiply
	}
	var best qap.Result
	for _, by := range []classic.FAQ{{Profiles: true}, {Similar: true}} {
		found, err := by.Solve(ctx, in, qap.Options{})
		if err != nil || ctx.Err() != nil {
			return nil
		}
		if best.Matching == nil || found.Score > best.Score {
			best = found
		}
	}
	return best.Matching
}
