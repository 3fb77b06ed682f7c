package affinity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/train"
)

// edgeExample is what φ learns from a pair of graphs: relative affinities between two
// right matches, and between two random ones.
type edgeExample struct {
	measures      reweigh.Measures
	right, random []float32
}

// randomKept is how many affinities between random matches are kept of a pair.
const randomKept = 256

func newEdgeExample(in *qap.Instance, truth qap.Matching, rng *rand.Rand) (edgeExample, error) {
	in = reweigh.Prepared(in)
	e := edgeExample{measures: reweigh.Measure(in)}
	if e.measures.AsGiven() {
		return e, nil // nothing to learn from it
	}
	_, n2 := in.Size()
	seen := 0
	in.EachEdge(func(p, q int, v float64) {
		share := float32(e.measures.Relative(v))
		if truth[p/n2] == p%n2 && truth[q/n2] == q%n2 {
			e.right = append(e.right, share)
		}
		seen++
		if len(e.random) < randomKept {
			e.random = append(e.random, share)
		} else if k := rng.IntN(seen); k < randomKept { // so that each has the same chance
			e.random[k] = share
		}
	})
	return e, nil
}

// edgePairs and edgeSamples make up a part of a batch: so many affinities of so many
// pairs, half of them right.
const edgePairs, edgeSamples = 16, 32

// newEdgeStage learns φ by the cross-entropy of right against random.
func newEdgeStage(ctx context.Context, c *Config, n *models.Affinity, source train.PairSource) (*stage, error) {
	examples, err := drawPairs(ctx, c, source, streamEdgePairs, c.Pairs, newEdgeExample)
	if err != nil {
		return nil, err
	}
	return edgeStage(n, examples, rand.NewPCG(c.Seed, streamSampling), c.Updates, true)
}

// edgeStage learns from examples, of standardised inputs or, where φ is known already, of the inputs
// that it knows.
func edgeStage(n *models.Affinity, examples []edgeExample, pcg *rand.PCG, updates int, standardise bool) (*stage, error) {
	examples = slices.DeleteFunc(examples, func(e edgeExample) bool { return len(e.right) == 0 })
	if len(examples) == 0 {
		return nil, errors.New("affinity: no pair has two right matches on an edge")
	}
	scale, end := scaling{}, func() {}
	if standardise {
		scale = edgeScaling(examples)
		end = func() { n.StandardizeEdge(scale.mean, scale.deviation) }
	}
	f := newFitting(n, edgePairs*edgeSamples)
	rng := rand.New(pcg)
	sample := func() {
		for k := range f.parts {
			x := f.parts[k].pass.Inputs()[0]
			for range edgePairs {
				e := &examples[rng.IntN(len(examples))]
				for s := range edgeSamples {
					values := e.random
					if isRight(s) {
						values = e.right
					}
					e.measures.AskAffinity(x, float64(values[rng.IntN(len(values))]))
					if standardise {
						scale.apply(x[:features.AffinityChannels])
					}
					x = x[features.AffinityChannels:]
				}
			}
		}
	}
	return &stage{fitting: f, pcg: pcg, updates: updates, sample: sample, lossOf: crossEntropy, end: end}, nil
}

// isRight reports whether a sample of a batch is between right matches.
func isRight(sample int) bool { return sample%2 == 0 }

// crossEntropy returns the mean of −ln p of what is the case, p being the logistic
// function of Q.
func crossEntropy(_ int, q, dq []float32) float64 {
	loss := 0.0
	for k, z := range q {
		p, wrong := 1/(1+math.Exp(-float64(z))), 0.0
		if isRight(k) {
			wrong = p - 1
		} else {
			wrong = p
		}
		loss -= math.Log(max(1-math.Abs(wrong), 1e-12))
		dq[k] = float32(wrong / float64(fittingParts*len(q)))
	}
	return loss / float64(len(q))
}

func edgeScaling(examples []edgeExample) scaling {
	const each = 8 // affinities of a kind looked at
	return newScaling(features.AffinityChannels, features.AsksSize, func(yield func([]float32) bool) {
		x := make([]float32, features.AffinityChannels)
		for k := range examples {
			e := &examples[k]
			for _, values := range [][]float32{e.right, e.random} {
				for s := range each {
					e.measures.AskAffinity(x, float64(values[s*len(values)/each]))
					if !yield(x) {
						return
					}
				}
			}
		}
	})
}
