package research

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/sources"
)

// climb learns by trial: it changes all weights at random and keeps what lowers the mean gap of
// a greedy rollout on the instances. It returns the gap of each round.
func climb(ctx context.Context, n models.Network, on *train.HeldOut, rounds int, seed uint64) ([]float64, error) {
	rng, policy := rand.New(rand.NewPCG(seed, 0)), rollout.Learned{Q: models.QFunction(n)}
	var gaps []float64
	for round := range rounds {
		var before [][]float32
		for _, p := range n.Parameters() {
			before = append(before, slices.Clone(p.Data))
			for k := range p.Data {
				if round > 0 {
					p.Data[k] += 0.05 * float32(rng.NormFloat64())
				}
			}
		}
		each, err := on.Gaps(ctx, policy, 1)
		if err != nil {
			return gaps, err
		}
		gap := statistics.Mean(each)
		if round > 0 && gap > gaps[round-1] {
			gap = gaps[round-1]
			for k, p := range n.Parameters() {
				copy(p.Data, before[k])
			}
		}
		gaps = append(gaps, gap)
	}
	return gaps, nil
}

// TestLearner: the gap never rises, and a seed decides everything.
func TestLearner(t *testing.T) {
	config, err := train.Preset("smoke")
	if err != nil {
		t.Fatal(err)
	}
	source, err := sources.Open(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	instances, err := train.NewHeldOut(t.Context(), config, source)
	if err != nil {
		t.Fatal(err)
	}
	gaps, err := climb(t.Context(), newLinear(), instances, 12, 1)
	if err != nil || slices.Max(gaps) != gaps[0] || !slices.IsSortedFunc(gaps, func(a, b float64) int { return -int(a - b) }) || gaps[11] >= gaps[0] {
		t.Errorf("gaps %v, error %v", gaps, err)
	}
	again, err := climb(t.Context(), newLinear(), instances, 12, 1)
	if err != nil || !slices.Equal(gaps, again) {
		t.Errorf("gaps %v, then %v, error %v", gaps, again, err)
	}
}
