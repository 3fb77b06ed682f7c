package research

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
)

// spirals are pairs of points along a spiral, the second graph's disturbed, whose k-th points
// match.
func spirals(count, n int, noise float64, seed uint64) pairs.Set {
	point := func(k int, rng *rand.Rand) graphs.Point {
		r := 1 + float64(k)
		sin, cos := math.Sincos(0.9 * float64(k))
		return graphs.Point{X: r*cos + noise*rng.NormFloat64(), Y: r*sin + noise*rng.NormFloat64()}
	}
	return pairs.Set{Name: "spirals", About: "points along a spiral", Pairs: func(yield func(pairs.Pair, error) bool) {
		rng := rand.New(rand.NewPCG(seed, 0))
		for range count {
			p := pairs.Pair{Class: "spiral", Truth: qap.NewMatching(n)}
			for k := range n {
				p.Truth[k] = k
				p.Points1, p.Points2 = append(p.Points1, point(k, rng)), append(p.Points2, point(k, rng))
			}
			var err error
			p.Instance, err = affinities.LengthDirection.Instance(p.Points1, p.Points2)
			if !yield(p, err) {
				return
			}
		}
	}}
}

// TestDataSet: with little noise RRWM finds the truth, whatever the order of the nodes.
func TestDataSet(t *testing.T) {
	sum := 0.0
	for p, err := range pairs.Relabelled(spirals(5, 8, 0.05, 1), 2).Pairs {
		if err != nil {
			t.Fatal(err)
		}
		result, err := classic.RRWM{}.Solve(t.Context(), p.Instance, qap.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum += p.Judge(result.Matching).F1 / 5
	}
	if sum < 0.95 {
		t.Errorf("mean F1 %v", sum)
	}
}
