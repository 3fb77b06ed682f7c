package alignment

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap/align/belief"
)

// Validation is the mean share of the planted edges that matchings share on pairs that nothing was
// learned from: by the first stage, and the best after loops of the second.
type Validation struct {
	First float64            `json:"first"`
	Again float64            `json:"again"`
	Hand  float64            `json:"hand"`  // by the step by hand
	Kinds map[string]float64 `json:"kinds"` // Again, of each kind with its noise
}

// validated are the pairs: three of each.
var validated = []struct {
	kind  string
	noise float64
}{
	{randomKind, 0.2}, {randomKind, 0.25}, {randomKind, 0.3}, {randomKind, 0.35}, {"chung-lu", 0.25}, {"watts-strogatz", 0.15}, {blockKind, 0.25},
}

const (
	validationEach  = 3
	validationLoops = 3
)

func (t *Trainer) validate(ctx context.Context) (Validation, error) {
	v := Validation{Kinds: map[string]float64{}}
	for k, of := range validated {
		for each := range validationEach {
			if err := ctx.Err(); err != nil {
				return v, err
			}
			rng := rand.New(rand.NewPCG(0, streamValidation<<32|uint64(k*validationEach+each)))
			x := newSample(of.kind, max(20, t.config.MostNodes*3/4), 4, of.noise, false, 0, rng)
			hand, first, again := t.shares(&x)
			count := float64(len(validated) * validationEach)
			v.Hand += hand / count
			v.First += first / count
			v.Again += again / count
			v.Kinds[fmt.Sprintf("%s %v", of.kind, of.noise)] += again / validationEach
		}
	}
	return v, nil
}

// shares returns the shares of planted edges, 1 at most.
func (t *Trainer) shares(x *sample) (hand, first, again float64) {
	share := func(m []int) float64 { return min(1, float64(x.pair.Shared(m))/float64(max(1, x.edges))) }
	by := belief.Believe(x.pair, belief.Model{Degree: max(1, x.pair.MeanDegree()), Noise: 0.25}, 2*t.config.Steps)
	hand = share(x.pair.Sharpen(x.pair.Match(by)))
	s := t.network.Believe(x.pair, t.config.Steps)
	m := x.pair.Sharpen(x.pair.Match(s))
	first = share(m)
	again = first
	if t.config.AgainUpdates == 0 {
		return hand, first, again
	}
	for range validationLoops {
		s = t.network.Doubt(x.pair, s, m, t.config.AgainSteps)
		m = x.pair.Sharpen(x.pair.Match(s))
		again = max(again, share(m))
	}
	return hand, first, again
}
