package models

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap/features"
)

// Rewriter picks regions and rules for local rewriting: it answers the questions of the
// Rewrite features f by two perceptrons with two hidden layers, each beside a linear part;
// the channel features.AsksRule, s, chooses between them:
//
//	Q = (1 − s)·region(f) + s·rule(f)
//	region, rule = w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3 + w_skip·f
//
// It starts near the greedy pickers with a fading memory.
type Rewriter struct {
	hidden, head         int
	region, rule         perceptron
	regionSkip, ruleSkip Parameter
}

func newRewriter(hidden, head int, rng *rand.Rand) *Rewriter {
	in := inputs{features.RewriteChannels, features.RewriteChannels / 2}
	n := &Rewriter{
		hidden: hidden, head: head,
		region: newPerceptron("region", in, hidden, head, rng), rule: newPerceptron("rule", in, hidden, head, rng),
		regionSkip: tensor("region.skip", features.RewriteChannels, 1), ruleSkip: tensor("rule.skip", features.RewriteChannels, 1),
	}
	scale(n.region.w3.Data, outputShrink)
	scale(n.rule.w3.Data, outputShrink)
	n.regionSkip.Data[features.RegionSecond], n.regionSkip.Data[features.RegionAge] = 1, -1
	n.ruleSkip.Data[features.RuleSecond], n.ruleSkip.Data[features.RuleBeats] = 1, 1
	n.ruleSkip.Data[features.RuleAge], n.ruleSkip.Data[features.RuleHolder] = -1, -1
	return n
}

func (n *Rewriter) Architecture() string { return ArchitectureRewriter }
func (n *Rewriter) Features() string     { return features.Rewrite }

// Dueling is false: the answers are no Q of actions in the environment.
func (n *Rewriter) Dueling() bool { return false }

func (n *Rewriter) Parameters() []Parameter {
	all := append(n.region.parameters(), n.regionSkip)
	return append(append(all, n.rule.parameters()...), n.ruleSkip)
}

func (n *Rewriter) NewPass(batch, n1, n2 int) Pass {
	rows := batch * n1 * n2
	return &rewriterPass{
		net: n, f: make([]float32, rows*features.RewriteChannels), q: make([]float32, rows), part: make([]float32, rows),
		region: newPerceptronPass(&n.region, rows), rule: newPerceptronPass(&n.rule, rows),
	}
}

type rewriterPass struct {
	net          *Rewriter
	f, q, part   []float32
	region, rule *perceptronPass
}

func (p *rewriterPass) Inputs() [][]float32 { return [][]float32{p.f} }

// asksRule is the channel that chooses, of a row.
func (p *rewriterPass) asksRule(row int) float32 {
	return p.f[row*features.RewriteChannels+features.AsksRule]
}

func (p *rewriterPass) Forward() []float32 {
	rows := len(p.q)
	if rows == 0 {
		return p.q
	}
	copy(p.part, p.region.forward(p.f))
	multiply(p.part, p.f, p.net.regionSkip.Data, rows, features.RewriteChannels, 1, 1)
	copy(p.q, p.rule.forward(p.f))
	multiply(p.q, p.f, p.net.ruleSkip.Data, rows, features.RewriteChannels, 1, 1)
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
	p.region.backward(p.f, p.part, gradient[:6])
	addWeightGradient(gradient[6], p.f, p.part, rows, features.RewriteChannels, 1)
	for row, d := range dq {
		p.part[row] = p.asksRule(row) * d
	}
	p.rule.backward(p.f, p.part, gradient[7:13])
	addWeightGradient(gradient[13], p.f, p.part, rows, features.RewriteChannels, 1)
}
