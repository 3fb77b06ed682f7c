package features_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// TestInherit: a copy goes on as its parent does, whatever it was before.
func TestInherit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	in := must.Get(datasets.Mixture{}.Instance(7, rng))(t)
	for _, set := range []string{features.Gain} {
		inputs := must.Get(features.New(set, in))(t)
		var envs [2]*qap.Environment
		var extractors [2]features.Extractor
		walk := func(k int, vertices ...int) [][]float32 {
			for _, v := range vertices {
				envs[k].Step(v)
				extractors[k].Observe()
			}
			f := features.Make(set, 1, 7, 7)
			extractors[k].Fill(f, 0)
			return f
		}
		for k := range envs {
			envs[k] = qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true})
			extractors[k] = inputs.NewExtractor(envs[k], 100)
			for range 30 {
				walk(k, rng.IntN(49))
			}
		}
		envs[1].CopyFrom(envs[0])
		extractors[1].Inherit(extractors[0])
		for range 20 {
			v := rng.IntN(49)
			if !slices.EqualFunc(walk(0, v), walk(1, v), slices.Equal) {
				t.Fatalf("%s: the copy differs at step %d", set, envs[0].Steps())
			}
		}
	}
}
