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
		for i, c := range confidence.Of(t.Context(), p.Instance, p.Truth, seed%2 == 0).Told {
			if p.Truth[i] != qap.Unmatched {
				right, told = right+1, told+c.Right
			} else if c.Right != 0 {
				t.Errorf("a node without a match is told with %v", c.Right)
			}
		}
		for i, c := range confidence.Of(t.Context(), p.Instance, chance, seed%2 == 0).Told {
			if chance[i] != p.Truth[i] {
				wrong, toldWrong = wrong+1, toldWrong+c.Right
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
	if told, want := confidence.Of(t.Context(), in, p.Truth, false).Told, confidence.Of(t.Context(), p.Instance, p.Truth, false).Told; !slices.Equal(told, want) {
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
	if told := confidence.Of(ctx, p.Instance, p.Truth, false); told != nil {
		t.Errorf("%v was told after the end", told)
	}
	flows := must.Get(qap.NewKoopmansBeckmann(2, 2, []float64{0, 1, 1, 0}, []float64{0, 1, 1, 0}, nil, qap.Maximize))(t)
	if told := confidence.Of(t.Context(), flows, qap.Matching{0, 1}, false); told != nil {
		t.Errorf("%v was told of flows and distances", told)
	}
}

// TestAsk: what is sure or known is not asked of, and the least sure match comes first where answers settle little else.
func TestAsk(t *testing.T) {
	p := pair(t)
	n1, n2 := p.Instance.Size()
	look := confidence.Of(t.Context(), p.Instance, p.Truth, false)
	for i := range look.Told {
		look.Told[i] = confidence.Told{Right: 1}
	}
	if asked := look.Ask(t.Context(), func(int) bool { return false }); len(asked) > 0 {
		t.Errorf("%v are asked of where all matches of %d and %d nodes are sure", asked, n1, n2)
	}
	look.Told[2], look.Told[5] = confidence.Told{Right: 0.4}, confidence.Told{Right: 0.9}
	if asked := look.Ask(t.Context(), func(int) bool { return false }); len(asked) != 2 || asked[0] != 2 {
		t.Errorf("%v are asked of, want 2 first, then 5", asked)
	}
	if asked := look.Ask(t.Context(), func(i int) bool { return i == 2 }); !slices.Equal(asked, []int{5}) {
		t.Errorf("%v are asked of where node 2 is known, want 5", asked)
	}
}
