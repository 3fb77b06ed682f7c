package training

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/train/affinity"
)

// TestGuessNoise: of files whose points have no partner for the most part more are guessed to have none than of files
// that have all points in common, and weights add up.
func TestGuessNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	object := make([][]float64, 10)
	for i := range object {
		object[i] = []float64{rng.Float64(), rng.Float64()}
	}
	strangersOf := func(share float64) float64 {
		var files []*graphs.Graph
		for range 6 {
			g, _, _, err := pairs.Noise{Places: .02, Strangers: share}.Copies(&graphs.Graph{Nodes: len(object), Points: object}, rng)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, &g)
		}
		sum, mean := 0.0, 0.0
		for _, g := range must.Get(guessNoise(t.Context(), &affinity.Graphs{}, files, rng))(t) {
			sum += g.weight
			mean += g.weight * g.noise.Strangers
		}
		if sum < 1-1e-9 || sum > 1+1e-9 {
			t.Errorf("weights of %v", sum)
		}
		return mean
	}
	if few, many := strangersOf(0), strangersOf(.5); few > .2 || many < few+.2 {
		t.Errorf("%.2f and %.2f have no partner; of most of the files .0 and .75", few, many)
	}
}
