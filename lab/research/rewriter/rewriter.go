package rewriter

import (
	"context"
	"math/rand/v2"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Name is that of the architecture.
const Name = "rewriter"

// Whoever imports the package has the architecture, and its method or refinement.
func init() {
	features.Register(Set, features.Tensor{Name: "features", Shape: []features.Dim{features.N1, features.N2, Channels}})
	models.Register(models.Architecture{Name: Name, New: func(c models.Config, rng *rand.Rand) (models.Network, error) {
		hidden := c.HiddenOr(24)
		return newNetwork(hidden, c.HeadOr(hidden), rng), nil
	}})
	rgm.RegisterRefinement(rgm.Refinement{Name: Name,
		Learned: func(ctx context.Context, q qap.QFunction, in *qap.Instance, m qap.Matching, o qap.Options) (qap.Result, error) {
			o.Initial = m
			return Solver{q}.Solve(ctx, in, o)
		}})
}

// Network picks regions and rules for local rewriting: it answers the questions of the
// features f by two perceptrons with two hidden layers, each beside a linear part;
// the channel AsksRule, s, chooses between them:
//
//	Q = (1 − s)·region(f) + s·rule(f)
//	region, rule = w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3 + w_skip·f
//
// It starts near the greedy pickers with a fading memory.
type Network struct {
	hidden, head         int
	region, rule         layers.Perceptron
	regionSkip, ruleSkip models.Parameter
}

func newNetwork(hidden, head int, rng *rand.Rand) *Network {
	in := layers.Inputs{Channels: Channels, Busy: Channels / 2}
	n := &Network{
		hidden: hidden, head: head,
		region: layers.NewPerceptron("region", in, hidden, head, rng), rule: layers.NewPerceptron("rule", in, hidden, head, rng),
		regionSkip: layers.Tensor("region.skip", Channels, 1), ruleSkip: layers.Tensor("rule.skip", Channels, 1),
	}
	n.region.ShrinkOutput()
	n.rule.ShrinkOutput()
	n.regionSkip.Data[RegionSecond], n.regionSkip.Data[RegionAge] = 1, -1
	n.ruleSkip.Data[RuleSecond], n.ruleSkip.Data[RuleBeats] = 1, 1
	n.ruleSkip.Data[RuleAge], n.ruleSkip.Data[RuleHolder] = -1, -1
	return n
}

// Architecture is the name of the architecture.
func (n *Network) Architecture() string { return Name }

// Features names the set of inputs.
func (n *Network) Features() string { return Set }

// Dueling is false: the answers are no Q of actions in the environment.
func (n *Network) Dueling() bool { return false }

// Config makes a network of the same shape by models.New.
func (n *Network) Config() models.Config {
	return models.Config{Architecture: Name, Hidden: n.hidden, Head: n.head}
}

// Graph implements models.Exportable: it mixes the answers about regions and about rules.
func (n *Network) Graph(b *onnx.Builder, inputs []string) string {
	part := func(name string) string {
		return b.Op("Add", layers.PerceptronGraph(b, name, inputs[0]), b.Op("MatMul", inputs[0], name+".skip"))
	}
	region, rule := part("region"), part("rule")
	return layers.Mixed(b, inputs[0], AsksRule, region, rule)
}

// Parameters returns the weights, always in the same order.
func (n *Network) Parameters() []models.Parameter {
	all := append(n.region.Parameters(), n.regionSkip)
	return append(append(all, n.rule.Parameters()...), n.ruleSkip)
}

// NewPass prepares evaluations of batches of the given shape.
func (n *Network) NewPass(batch, n1, n2 int) models.Pass {
	rows := batch * n1 * n2
	return &rewriterPass{
		net: n, f: make([]float32, rows*Channels), q: make([]float32, rows), part: make([]float32, rows),
		region: layers.NewPerceptronPass(&n.region, rows), rule: layers.NewPerceptronPass(&n.rule, rows),
	}
}

type rewriterPass struct {
	net          *Network
	f, q, part   []float32
	region, rule *layers.PerceptronPass
}

func (p *rewriterPass) Inputs() [][]float32 { return [][]float32{p.f} }

// asksRule is the channel that chooses, of a row.
func (p *rewriterPass) asksRule(row int) float32 {
	return p.f[row*Channels+AsksRule]
}

func (p *rewriterPass) Forward() []float32 {
	rows := len(p.q)
	if rows == 0 {
		return p.q
	}
	copy(p.part, p.region.Forward(p.f))
	layers.Multiply(p.part, p.f, p.net.regionSkip.Data, rows, Channels, 1, 1)
	copy(p.q, p.rule.Forward(p.f))
	layers.Multiply(p.q, p.f, p.net.ruleSkip.Data, rows, Channels, 1, 1)
	for row := range p.q {
		s := p.asksRule(row)
		p.q[row] = (1-s)*p.part[row] + s*p.q[row]
	}
	return p.q
}

func (p *rewriterPass) Backward(dq []float32, gradient [][]float32) {
	rows := len(p.q)
	if rows == 0 {
		return
	}
	for row, d := range dq {
		p.part[row] = (1 - p.asksRule(row)) * d
	}
	p.region.Backward(p.f, p.part, gradient[:6])
	layers.AddWeightGradient(gradient[6], p.f, p.part, rows, Channels, 1)
	for row, d := range dq {
		p.part[row] = p.asksRule(row) * d
	}
	p.rule.Backward(p.f, p.part, gradient[7:13])
	layers.AddWeightGradient(gradient[13], p.f, p.part, rows, Channels, 1)
}
