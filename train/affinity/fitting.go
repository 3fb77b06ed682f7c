package affinity

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// fitting fits a network in fixed parts of a batch, so that sums do not depend on the
// number of processors.
type fitting struct {
	network   models.Network
	optimiser *models.Adam
	parts     [fittingParts]fittingPart
}

const fittingParts = 4

type fittingPart struct {
	pass     models.Pass
	dq       []float32
	gradient [][]float32
	loss     float64
}

func newFitting(n models.Network, rows int) *fitting {
	f := &fitting{network: n, optimiser: models.NewAdam(n)}
	for k := range f.parts {
		f.parts[k] = fittingPart{pass: n.NewPass(1, 1, rows), dq: make([]float32, rows), gradient: models.NewGradient(n)}
	}
	return f
}

// update takes a step against the gradient of what lossOf returns of each part, given
// its Q, after it has written the derivative, and returns the mean loss.
func (f *fitting) update(rate float64, lossOf func(part int, q, dq []float32) float64) float64 {
	parallel.For(fittingParts, func(k int) {
		p := &f.parts[k]
		for _, g := range p.gradient {
			clear(g)
		}
		clear(p.dq)
		p.loss = lossOf(k, p.pass.Forward(), p.dq)
		p.pass.Backward(p.dq, p.gradient)
	})
	sum := f.parts[0].gradient
	loss := f.parts[0].loss
	for _, p := range f.parts[1:] {
		loss += p.loss
		for k, g := range p.gradient {
			for i, v := range g {
				sum[k][i] += v
			}
		}
	}
	f.optimiser.Update(f.network, sum, rate)
	return loss / fittingParts
}

// draw appends examples to drawn, with replacement, until the next does not fit the inputs,
// and fills these in.
func draw(drawn []*sizeExample, examples []sizeExample, inputs []float32, rng *rand.Rand) []*sizeExample {
	clear(inputs)
	for rest := inputs; ; {
		e := &examples[rng.IntN(len(examples))]
		if len(e.inputs)*features.AffinityChannels > len(rest) {
			return drawn
		}
		drawn = append(drawn, e)
		for _, x := range e.inputs {
			copy(rest, x)
			rest = rest[features.AffinityChannels:]
		}
	}
}
