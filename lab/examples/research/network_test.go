package research

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
	"github.com/rgm-go/rgm/qap/features"
)

// linear is a Q-network: a weighted sum of the channels of a vertex.
type linear struct{ weights models.Parameter }

func newLinear() *linear {
	return &linear{models.Parameter{Name: "weights", Shape: []int{len(features.VertexChannels)}, Data: make([]float32, len(features.VertexChannels))}}
}

// Whoever imports the package can train it, export it and search by it: all that there is to know
// of a network it says itself.
func init() {
	models.Register(models.Architecture{Name: "weighted-sum", New: func(_ models.Config, rng *rand.Rand) (models.Network, error) {
		n := newLinear()
		for k := range n.weights.Data {
			if rng != nil { // else a file's weights follow
				n.weights.Data[k] = 0.1 * float32(rng.NormFloat64())
			}
		}
		return n, nil
	}})
}

// Graph writes the sum as nodes of an ONNX model.
func (n *linear) Graph(b *onnx.Builder, inputs []string) string {
	weighted := b.Mul(inputs[0], b.Op("Reshape", "weights", b.Ints(1, -1, 1, 1)))
	return b.Total(weighted, false, 1) // over the channels
}

func (n *linear) Config() models.Config          { return models.Config{Architecture: "weighted-sum"} }
func (n *linear) Architecture() string           { return "weighted-sum" }
func (n *linear) Features() string               { return features.Gain }
func (n *linear) Dueling() bool                  { return false }
func (n *linear) Parameters() []models.Parameter { return []models.Parameter{n.weights} }
func (n *linear) NewPass(batch, n1, n2 int) models.Pass {
	return &linearPass{n.weights.Data, features.Make(features.Gain, batch, n1, n2), make([]float32, batch*n1*n2), n1 * n2}
}

type linearPass struct {
	weights []float32
	inputs  [][]float32
	q       []float32
	size    int // vertices of a state
}

func (p *linearPass) Inputs() [][]float32 { return p.inputs }

// channel returns a channel of the k-th state.
func (p *linearPass) channel(k, c int) []float32 {
	return p.inputs[0][(k*len(p.weights)+c)*p.size:][:p.size]
}

func (p *linearPass) Forward() []float32 {
	clear(p.q)
	for at := range p.q {
		for c, w := range p.weights {
			p.q[at] += w * p.channel(at/p.size, c)[at%p.size]
		}
	}
	return p.q
}

func (p *linearPass) Backward(dq []float32, gradient [][]float32) {
	for at, d := range dq {
		for c := range p.weights {
			gradient[0][c] += d * p.channel(at/p.size, c)[at%p.size]
		}
	}
}

// TestNetwork: it is what it is defined as, forward, backward and copied.
func TestNetwork(t *testing.T) {
	n, rng := newLinear(), rand.New(rand.NewPCG(1, 2))
	const batch, n1, n2 = 2, 3, 4
	inputs := features.Make(n.Features(), batch, n1, n2)
	for k := range inputs[0] {
		inputs[0][k] = rng.Float32()
	}
	for k := range n.weights.Data {
		n.weights.Data[k] = rng.Float32()
	}
	modeltest.Test(t, modeltest.Subject{
		Name: "weighted-sum", Network: n, N1: n1, N2: n2, Inputs: inputs,
		Reference: func(w modeltest.Weights) (q []float64) {
			for at := range batch * n1 * n2 {
				sum, channels := 0.0, len(w["weights"])
				for c, weight := range w["weights"] {
					sum += weight * float64(inputs[0][(at/(n1*n2)*channels+c)*n1*n2+at%(n1*n2)])
				}
				q = append(q, sum)
			}
			return q
		},
	})
}
