package soft_test

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/rgm-go/rgm/lab/research/soft"
)

// TestSinkhornIsSoft: the shares of the nodes of the smaller graph add up to 1, those of the
// larger one to at most 1, also of scores far apart.
func TestSinkhornIsSoft(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for _, size := range [][2]int{{5, 5}, {3, 6}, {6, 2}, {1, 1}, {1, 4}} {
		for _, spread := range []float64{1, 30, 1e4} {
			s := NewSinkhorn(size[0], size[1])
			scores := make([]float32, size[0]*size[1])
			for v := range scores {
				scores[v] = float32(spread * rng.NormFloat64())
			}
			s.Forward(scores)
			columns := make([]float64, size[1])
			total := 0.0
			for v, x := range scores {
				share := math.Exp(float64(x))
				if math.IsNaN(share) || share > 1+1e-6 {
					t.Fatalf("%v, spread %v: share %v", size, spread, share)
				}
				columns[v%size[1]] += share
				total += share
			}
			for _, c := range columns { // columns were normalised last
				if c > 1+1e-6 || size[0] >= size[1] && math.Abs(c-1) > 1e-6 && size[0] == size[1] {
					t.Errorf("%v, spread %v: a column adds up to %v", size, spread, c)
				}
			}
			if spread == 1 && math.Abs(total-float64(min(size[0], size[1]))) > 1e-3 {
				t.Errorf("%v: all adds up to %v", size, total)
			}
		}
	}
}
