package published

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
)

// TestSplitSharesNoGroup: by image and by true points.
func TestSplitSharesNoGroup(t *testing.T) {
	var all []pairs.Pair
	for k := range 200 {
		all = append(all, pairs.Pair{Groups: []string{fmt.Sprint(k % 20), fmt.Sprint(k * 7 % 19)}})
	}
	first, second := Split(all, 2./3, rand.New(rand.NewPCG(1, 1)))
	if len(first) == 0 || len(second) == 0 {
		t.Fatalf("%d and %d pairs", len(first), len(second))
	}
	for _, x := range first {
		for _, y := range second {
			for _, g := range x.Groups {
				if slices.Contains(y.Groups, g) {
					t.Fatalf("both parts have %s", g)
				}
			}
		}
	}
	some := must.Get(pairs.Synthetic{Inliers: 10, Noise: 0.1, Count: 30, PerTruth: 10, Affinity: affinities.PaperSynthetic}.Set().All())(t)
	if first, second := Split(some, 2./3, rand.New(rand.NewPCG(1, 1))); len(first) != 20 || len(second) != 10 {
		t.Errorf("%d and %d pairs, want 20 and 10", len(first), len(second))
	}
}
