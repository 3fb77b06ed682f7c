package confidence_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/datasets/pairs/kinds"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/confidence"
)

// TestRightAndWrong: right matches of pairs in space, a kind that the map was not fitted on, are told with much more than
// those of a matching by chance, and a node without a match with 0.
func TestRightAndWrong(t *testing.T) {
	var right, wrong, told, toldWrong float64
	for seed := range uint64(40) {
		k := kinds.Kind{Inliers: 12, Outliers1: 2, Outliers2: 2, Dimensions: 3, Density: 1, Noise: 0.02, Width: 0.15}
		rng := rand.New(rand.NewPCG(seed, 7))
		p := must.Get(k.Pair(rng))(t)
		_, n2 := p.Instance.Size()
		chance := qap.Matching(rng.Perm(n2)[:len(p.Truth)])
		for i, c := range confidence.Of(t.Context(), p.Instance, p.Truth) {
			if p.Truth[i] != qap.Unmatched {
				right, told = right+1, told+c
			} else if c != 0 {
				t.Errorf("a node without a match is told with %v", c)
			}
		}
		for i, c := range confidence.Of(t.Context(), p.Instance, chance) {
			if chance[i] != p.Truth[i] {
				wrong, toldWrong = wrong+1, toldWrong+c
			}
		}
	}
	if told/right < 0.75 || toldWrong/wrong > 0.1 {
		t.Errorf("right matches are told with %.3f in the mean, wrong ones with %.3f", told/right, toldWrong/wrong)
	}
}

// TestUnitsDoNotCount: the same is told of affinities that are four times as large.
func TestUnitsDoNotCount(t *testing.T) {
	p := pair(t)
	n1, n2 := p.Instance.Size()
	var larger []float64
	row := make([]float64, n1*n2)
	for v := range row {
		p.Instance.Affinity.Row(row, v)
		for _, k := range row {
			larger = append(larger, 4*k) // exactly
		}
	}
	in := must.Get(qap.NewDense(n1, n2, larger, qap.Maximize))(t)
	if told, want := confidence.Of(t.Context(), in, p.Truth), confidence.Of(t.Context(), p.Instance, p.Truth); !slices.Equal(told, want) {
		t.Errorf("%v of larger affinities, want %v", told, want)
	}
}

func pair(t *testing.T) pairs.Pair {
	k := kinds.Kind{Inliers: 8, Dimensions: 2, Density: 1, Noise: 0.02, Width: 0.15}
	return must.Get(k.Pair(rand.New(rand.NewPCG(1, 2))))(t)
}

// TestItEnds: with the context, and nothing is told of flows and distances.
func TestItEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := pair(t)
	if told := confidence.Of(ctx, p.Instance, p.Truth); told != nil {
		t.Errorf("%v was told after the end", told)
	}
	flows := must.Get(qap.NewKoopmansBeckmann(2, 2, []float64{0, 1, 1, 0}, []float64{0, 1, 1, 0}, nil, qap.Maximize))(t)
	if told := confidence.Of(t.Context(), flows, qap.Matching{0, 1}); told != nil {
		t.Errorf("%v was told of flows and distances", told)
	}
}
