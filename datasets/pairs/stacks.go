package pairs

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Relabelled returns a set with every pair relabelled: see Pair.Relabelled. A pair's
// order depends on the seed and its place in the set.
func Relabelled(s Set, seed uint64) Set {
	given := s.Pairs
	s.Pairs = func(yield func(Pair, error) bool) {
		k := uint64(0)
		for p, err := range given {
			if err == nil {
				p, err = p.Relabelled(rand.New(rand.NewPCG(seed, k)))
			}
			if !yield(p, err) || err != nil {
				return
			}
			k++
		}
	}
	return s
}

// Stacks returns the points (k, n1, 2) and (k, n2, 2) and the true matchings as 0/1
// matrices (k, n1, n2) of k ≥ 1 pairs of graphs of the same sizes, as Points reads
// them.
func Stacks(all []Pair) (points1, points2, truths datasets.Array) {
	n1, n2 := all[0].Instance.Size()
	points1.Shape, points2.Shape, truths.Shape = []int{len(all), n1, 2}, []int{len(all), n2, 2}, []int{len(all), n1, n2}
	truths.Data = make([]float64, len(all)*n1*n2)
	for k, p := range all {
		points1.Data, points2.Data = appendPoints(points1.Data, p.Points1), appendPoints(points2.Data, p.Points2)
		for i, a := range p.Truth {
			if a != qap.Unmatched {
				truths.Data[(k*n1+i)*n2+a] = 1
			}
		}
	}
	return points1, points2, truths
}

func appendPoints(data []float64, points []graphs.Point) []float64 {
	for _, p := range points {
		data = append(data, p.X, p.Y)
	}
	return data
}
