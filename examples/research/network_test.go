package research

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// linear is a Q-network: a weighted sum of the channels of a vertex.
type linear struct{ weights models.Parameter }

func newLinear() *linear {
	return &linear{models.Parameter{Name: "weights", Shape: []int{len(features.VertexChannels)}, Data: make([]float32, len(features.VertexChannels))}}
}

func (n *linear) Architecture() string           { return "linear" }
func (n *linear) Config() models.Config          { return models.Config{Architecture: "linear"} }
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

// TestNetwork: its gradient is that of finite differences, and a policy can follow it.
func TestNetwork(t *testing.T) {
	n, rng := newLinear(), rand.New(rand.NewPCG(1, 2))
	pass := n.NewPass(2, 3, 4)
	for k := range pass.Inputs()[0] {
		pass.Inputs()[0][k] = rng.Float32()
	}
	dq, gradient := make([]float32, 24), models.NewGradient(n)
	for k := range dq {
		dq[k] = rng.Float32() - 0.5
	}
	loss := func() (sum float64) {
		for k, q := range pass.Forward() {
			sum += float64(q) * float64(dq[k])
		}
		return sum
	}
	pass.Forward()
	pass.Backward(dq, gradient)
	for c := range n.weights.Data {
		before := loss()
		n.weights.Data[c] += 0.5
		if have, want := float64(gradient[0][c]), (loss()-before)/0.5; math.Abs(have-want) > 1e-5 {
			t.Errorf("channel %d: gradient %v, by differences %v", c, have, want)
		}
		n.weights.Data[c] = 0
	}
	n.weights.Data[slices.Index(features.VertexChannels, features.Regret)] = 1
	in, err := datasets.QAPLIB("nug12")
	if err != nil {
		t.Fatal(err)
	}
	solver := rollout.Solver{Policy: rollout.Learned{Q: models.QFunction(n)}, Start: rollout.StartGreedy, Rules: qap.EnvironmentOptions{Autofill: true}}
	result, err := solver.Solve(t.Context(), in, qap.Options{Limits: qap.Limits{MaxSteps: 100}})
	if err != nil || result.Objective < 578 || result.Objective > 700 {
		t.Errorf("objective %v, error %v", result.Objective, err)
	}
}
