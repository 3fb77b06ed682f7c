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

// sizeExample is what the choice of a size learns from a pair of graphs: the inputs of
// every size from reweigh.LeastSize, and the F1 of its best matching under φ.
type sizeExample struct {
	inputs [][]float32
	f1     []float64

	byPhi int // which of them has the greatest sum of φ
	count int // which of them matches as many nodes as the truth; −1 none
}

func newSizeExample(a *reweigh.Affinity, in *qap.Instance, truth qap.Matching) (sizeExample, error) {
	e := sizeExample{count: -1}
	in = reweigh.Prepared(in)
	m := reweigh.Measure(in)
	if m.AsGiven() {
		return e, nil // nothing to choose
	}
	sizes, err := a.Sizes(in, &m)
	if err != nil {
		return e, err
	}
	for size := reweigh.LeastSize; size <= sizes.Most(); size++ {
		x := make([]float32, features.AffinityChannels)
		sizes.AskSize(x, size)
		best := sizes.Profile[size]
		k := len(e.f1)
		e.inputs, e.f1 = append(e.inputs, x), append(e.f1, best.Matching.F1(truth))
		if best.Score > sizes.Profile[reweigh.LeastSize+e.byPhi].Score {
			e.byPhi = k
		}
		if size == truth.Size() {
			e.count = k
		}
	}
	return e, nil
}

// sizeRows is how many sizes a part of a batch has at most, of about sixteen pairs.
const sizeRows = 224

// newSizeStage learns to choose a size by the F1 expected of it: the choice is drawn with
// probabilities that are the softmax of Q. φ stays as it is.
func newSizeStage(ctx context.Context, c *Config, n *models.Affinity, source train.PairSource) (*stage, error) {
	a, err := reweigh.New(models.QFunction(n))
	if err != nil {
		return nil, err
	}
	examples, err := drawPairs(ctx, c, source, streamSizePairs, c.SizePairs, func(in *qap.Instance, truth qap.Matching, _ *rand.Rand) (sizeExample, error) {
		return newSizeExample(a, in, truth)
	})
	if err != nil {
		return nil, err
	}
	return sizeStage(n, examples, rand.NewPCG(c.Seed, streamSizeSampling), c.SizeUpdates, c.SizeDecay)
}

// sizeStage learns from examples, which it changes.
func sizeStage(n *models.Affinity, examples []sizeExample, pcg *rand.PCG, updates int, decay float64) (*stage, error) {
	examples = slices.DeleteFunc(examples, func(e sizeExample) bool { return len(e.f1) < 2 })
	if len(examples) == 0 {
		return nil, errors.New("affinity: no pair leaves a choice of the size")
	}
	scale := newScaling(features.AffinityChannels, features.AsksSize, func(yield func([]float32) bool) {
		for k := range examples {
			for _, x := range examples[k].inputs {
				if !yield(x) {
					return
				}
			}
		}
	})
	for k := range examples {
		for _, x := range examples[k].inputs {
			scale.apply(x)
		}
	}
	most := sizeRows
	for k := range examples {
		most = max(most, len(examples[k].inputs))
	}
	f := newFitting(n, most)
	rng := rand.New(pcg)
	var drawn [fittingParts][]*sizeExample
	sample := func() {
		for k := range f.parts {
			drawn[k] = draw(drawn[k][:0], examples, f.parts[k].pass.Inputs()[0], rng)
		}
	}
	lossOf := func(part int, q, dq []float32) float64 {
		loss, rows, count := 0.0, 0, float64(len(drawn[part]))
		for _, e := range drawn[part] {
			loss += 1 - e.expected(q[rows:][:len(e.f1)], dq[rows:][:len(e.f1)], fittingParts*count)
			rows += len(e.f1)
		}
		return loss / count
	}
	weights := n.Parameters()[len(n.Parameters())/2:] // of the perceptron for sizes
	return &stage{
		fitting: f, pcg: pcg, updates: updates, sample: sample, lossOf: lossOf, decayed: weights, decay: decay,
		end: func() { n.StandardizeSize(scale.mean, scale.deviation) },
	}, nil
}

// expected returns the F1 that drawing a size is expected to give and writes its
// derivative, turned and over so many pairs, into dq.
func (e *sizeExample) expected(q, dq []float32, pairs float64) float64 {
	most := float64(slices.Max(q))
	sum, mean := 0.0, 0.0
	for k, z := range q {
		p := math.Exp(float64(z) - most)
		sum += p
		mean += p * e.f1[k]
	}
	mean /= sum
	for k, z := range q {
		dq[k] = float32(-math.Exp(float64(z)-most) / sum * (e.f1[k] - mean) / pairs)
	}
	return mean
}

// validate measures a network on pairs that nothing was learned from.
func validate(ctx context.Context, c *Config, n *models.Affinity, source train.PairSource) (Validation, error) {
	a, err := reweigh.New(models.QFunction(n))
	if err != nil {
		return Validation{}, err
	}
	var v Validation
	examples, err := drawPairs(ctx, c, source, streamValidationPairs, c.ValidationPairs, func(in *qap.Instance, truth qap.Matching, _ *rand.Rand) (sizeExample, error) {
		return newSizeExample(a, in, truth)
	})
	examples = slices.DeleteFunc(examples, func(e sizeExample) bool { return len(e.f1) == 0 })
	v.Pairs = len(examples)
	share := 1 / float64(max(v.Pairs, 1))
	for k := range examples {
		e := &examples[k]
		v.F1 += share * e.f1[e.choice(n)]
		v.F1ByPhi += share * e.f1[e.byPhi]
		v.F1Full += share * e.f1[len(e.f1)-1]
		v.F1Best += share * slices.Max(e.f1)
		if e.count >= 0 {
			v.F1Count += share * e.f1[e.count]
		}
	}
	return v, err
}

// choice returns which size the network finds best.
func (e *sizeExample) choice(n *models.Affinity) int {
	pass := n.NewPass(1, 1, len(e.inputs))
	for k, x := range e.inputs {
		copy(pass.Inputs()[0][k*features.AffinityChannels:], x)
	}
	q := pass.Forward()
	return slices.Index(q, slices.Max(q))
}
