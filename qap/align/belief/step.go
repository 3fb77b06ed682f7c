package belief

import "math"

// Model is what the step by hand supposes: random graphs of a mean degree, of whose edges a share
// is in one of the two alone.
type Model struct {
	Degree float64
	Noise  float64
}

// Terms returns the parts of a step: S becomes base + slope·(d1 + d2) + messages, and messages are
// of log(1 + e^(odds + bias)), with odds those of n pairs.
func (m Model) Terms() (base, slope, bias float32) {
	s := 1 - m.Noise
	return float32(m.Degree * s), float32(math.Log(m.Noise)), float32(math.Log(s / (m.Degree * m.Noise * m.Noise)))
}

// Beliefs are what belief propagation by hand knows after its steps so far.
type Beliefs struct {
	S     []float32 // [n1, n2]
	pair  *Pair
	model Model
	norms *Normalizer
	e     []float32 // e^odds
	r, c  []float32 // the messages
	inner []float32
}

// NewBeliefs returns those before the first step: nothing.
func NewBeliefs(p *Pair, m Model) *Beliefs {
	make := func() []float32 { return make([]float32, p.Size()) }
	return &Beliefs{make(), p, m, NewNormalizer(p.N1, p.N2), make(), make(), make(), make()}
}

// damping is the share of the old beliefs that a step keeps.
const damping = 0.5

// Step makes one: messages by rows of graph 1, A·log(1 + κ·E·B), and of graph 2,
// log(1 + κ·A·E)·B, of which the less counts.
func (b *Beliefs) Step() {
	p := b.pair
	base, slope, bias := b.model.Terms()
	b.norms.Measure(b.S)
	b.norms.Odds(b.e, b.S)
	shift := bias + float32(0.5*math.Log(float64(p.Size())))
	for k := range b.e {
		b.e[k] += shift
	}
	Exp(b.e, b.e)
	p.Right(b.inner, b.e, 1)
	Log1p(b.inner, b.inner)
	p.Left(b.r, b.inner, 1)
	p.Left(b.inner, b.e, 1)
	Log1p(b.inner, b.inner)
	p.Right(b.c, b.inner, 1)
	for i, d1 := range p.Degree1 {
		for a, d2 := range p.Degree2 {
			k := i*p.N2 + a
			b.S[k] = damping*b.S[k] + (1-damping)*(base+slope*(d1+d2)+min(b.r[k], b.c[k]))
		}
	}
}

// Believe returns S after so many steps.
func Believe(p *Pair, m Model, steps int) []float32 {
	b := NewBeliefs(p, m)
	for range steps {
		b.Step()
	}
	return b.S
}
