package models

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap/features"
)

// Gain is a Q-network over the Gain features f of every vertex, with the row,
// column and global means of f as the association graph's structure:
//
//	h = ReLU(W·f + R·mean_row f + C·mean_col f + G·mean f + b)
//	a = w2·ReLU(W1·h + b1) + w_skip·f
//	v = w4·ReLU(W3·mean h + b3) + b4
//	Q = v + a − mean a
//
// Without duelling there is no v, and Q = a + b2.
//
// The skip connection starts as the unlearned policy rollout.GreedyAges, so that
// training departs from a policy that works.
type Gain struct {
	hidden, head int
	single       bool // no state value

	w, r, c, g, b  Parameter // embedding
	w1, b1, w2     Parameter // advantage
	w3, b3, w4, b4 Parameter // state value
	skip           Parameter
	b2             Parameter // without duelling, in place of the state value
}

// skipScale is the size of the skip weights at the start; outputShrink that of
// the other output weights beside their usual initialisation.
const skipScale, outputShrink = 0.12, 0.1

func newGain(hidden, head int, single bool, rng *rand.Rand) *Gain {
	const in = features.GainChannels
	n := &Gain{
		hidden: hidden, head: head, single: single,
		w: tensor("embed.w", in, hidden), r: tensor("embed.row", in, hidden),
		c: tensor("embed.col", in, hidden), g: tensor("embed.all", in, hidden),
		b:  tensor("embed.b", hidden),
		w1: tensor("advantage.w1", hidden, head), b1: tensor("advantage.b1", head),
		w2: tensor("advantage.w2", head, 1), skip: tensor("advantage.skip", in, 1),
		w3: tensor("value.w1", hidden, head), b3: tensor("value.b1", head),
		w4: tensor("value.w2", head, 1), b4: tensor("value.b2", 1),
		b2: tensor("advantage.b2", 1),
	}
	for _, p := range []Parameter{n.w, n.r, n.c, n.g} {
		heInit(p, 4*in, rng) // the four products add up
	}
	heInit(n.w1, hidden, rng)
	heInit(n.w3, hidden, rng)
	for _, p := range []Parameter{n.w2, n.w4} {
		xavierInit(p, head, 1, rng)
		scale(p.Data, outputShrink)
	}
	n.skip.Data[features.Regret] = skipScale
	n.skip.Data[features.ReleasedAge] = -skipScale
	n.skip.Data[features.PartnerAge] = -skipScale
	n.skip.Data[features.BeatsBest] = skipScale
	return n
}

func (n *Gain) Architecture() string { return ArchitectureGain }
func (n *Gain) Features() string     { return features.Gain }
func (n *Gain) Dueling() bool        { return !n.single }

func (n *Gain) Parameters() []Parameter {
	trunk := []Parameter{n.w, n.r, n.c, n.g, n.b, n.w1, n.b1, n.w2, n.skip}
	if n.single {
		return append(trunk, n.b2)
	}
	return append(trunk, n.w3, n.b3, n.w4, n.b4)
}

func (n *Gain) NewPass(batch, n1, n2 int) Pass {
	rows := batch * n1 * n2
	floats := func(size int) []float32 { return make([]float32, size) }
	return &gainPass{
		net: n, batch: batch, n1: n1, n2: n2,
		f: floats(rows * features.GainChannels), pooled: newPools(batch, n1, n2, features.GainChannels),
		projected: newPools(batch, n1, n2, n.hidden),
		h:         floats(rows * n.hidden), hMean: floats(batch * n.hidden),
		u: floats(rows * n.head), t: floats(batch * n.head),
		q: floats(rows), v: floats(batch),
	}
}

type gainPass struct {
	net           *Gain
	batch, n1, n2 int

	f         []float32 // inputs
	pooled    pools     // their means
	projected pools     // R, C, G times the means
	h         []float32 // embedding
	hMean     []float32 // its mean over the vertices of a state
	u, t      []float32 // hidden layers of advantage and state value
	q, v      []float32

	back *gainGradients // made by the first Backward
}

type gainGradients struct {
	dq, dv, dt, dhMean, du, dh []float32
	dz                         pools
}

func (p *gainPass) Inputs() []float32 { return p.f }

func (p *gainPass) Forward() []float32 {
	n := p.net
	const in = features.GainChannels
	batch, n1, n2 := p.batch, p.n1, p.n2
	rows := batch * n1 * n2
	if rows == 0 {
		return p.q
	}
	p.pooled.average(p.f, batch, n1, n2, in)
	multiply(p.projected.rows, p.pooled.rows, n.r.Data, batch*n1, in, n.hidden, 0)
	multiply(p.projected.cols, p.pooled.cols, n.c.Data, batch*n2, in, n.hidden, 0)
	dense(p.projected.all, p.pooled.all, n.g.Data, n.b.Data, batch, in)
	multiply(p.h, p.f, n.w.Data, rows, in, n.hidden, 0)
	p.projected.spread(p.h, batch, n1, n2, n.hidden)
	relu(p.h)

	dense(p.u, p.h, n.w1.Data, n.b1.Data, rows, n.hidden)
	relu(p.u)
	multiply(p.q, p.f, n.skip.Data, rows, in, 1, 0)
	multiply(p.q, p.u, n.w2.Data, rows, n.head, 1, 1)
	if n.single {
		shift(p.q, n.b2.Data[0])
		return p.q
	}

	averageStates(p.hMean, p.h, batch, n1*n2, n.hidden)
	dense(p.t, p.hMean, n.w3.Data, n.b3.Data, batch, n.hidden)
	relu(p.t)
	dense(p.v, p.t, n.w4.Data, n.b4.Data, batch, n.head)
	duel(p.q, p.v)
	return p.q
}

// averageStates writes the mean of x, [batch, vertices, width], over the vertices.
func averageStates(dst, x []float32, batch, vertices, width int) {
	clear(dst)
	share := 1 / float32(vertices)
	for b := range batch {
		state := dst[b*width : (b+1)*width]
		for v := range vertices {
			axpy(state, share, x[(b*vertices+v)*width:][:width])
		}
	}
}

func (p *gainPass) gradients() *gainGradients {
	if p.back == nil {
		n := p.net
		floats := func(size int) []float32 { return make([]float32, size) }
		p.back = &gainGradients{
			dq: floats(len(p.q)), dv: floats(p.batch), dt: floats(len(p.t)), dhMean: floats(len(p.hMean)),
			du: floats(len(p.u)), dh: floats(len(p.h)), dz: newPools(p.batch, p.n1, p.n2, n.hidden),
		}
	}
	return p.back
}

func (p *gainPass) Backward(dq []float32, gradient [][]float32) {
	n, g := p.net, p.gradients()
	const in = features.GainChannels
	batch, n1, n2 := p.batch, p.n1, p.n2
	vertices := n1 * n2
	rows := batch * vertices
	if rows == 0 {
		return
	}
	dw, dr, dc, dg, db := gradient[0], gradient[1], gradient[2], gradient[3], gradient[4]
	dw1, db1, dw2, dskip := gradient[5], gradient[6], gradient[7], gradient[8]

	copy(g.dq, dq)
	if n.single {
		addBiasGradient(gradient[9], g.dq)
	} else {
		p.backValue(gradient[9:])
	}

	addWeightGradient(dskip, p.f, g.dq, rows, in, 1)
	addWeightGradient(dw2, p.u, g.dq, rows, n.head, 1)
	multiplyBack(g.du, g.dq, n.w2.Data, rows, n.head, 1, 0)
	reluBack(g.du, p.u)
	addBiasGradient(db1, g.du)
	addWeightGradient(dw1, p.h, g.du, rows, n.hidden, n.head)

	for b := range batch { // every vertex takes part in the mean
		for v := range vertices {
			copy(g.dh[(b*vertices+v)*n.hidden:][:n.hidden], g.dhMean[b*n.hidden:])
		}
	}
	multiplyBack(g.dh, g.du, n.w1.Data, rows, n.hidden, n.head, 1)
	reluBack(g.dh, p.h)
	addWeightGradient(dw, p.f, g.dh, rows, in, n.hidden)
	g.dz.gather(g.dh, batch, n1, n2, n.hidden)
	addWeightGradient(dr, p.pooled.rows, g.dz.rows, batch*n1, in, n.hidden)
	addWeightGradient(dc, p.pooled.cols, g.dz.cols, batch*n2, in, n.hidden)
	addWeightGradient(dg, p.pooled.all, g.dz.all, batch, in, n.hidden)
	addBiasGradient(db, g.dz.all)
}

// backValue takes the gradient of Q apart, and passes the part of the state values
// on to their weights and to dhMean.
func (p *gainPass) backValue(gradient [][]float32) {
	n, g := p.net, p.back
	dw3, db3, dw4, db4 := gradient[0], gradient[1], gradient[2], gradient[3]
	duelBack(g.dq, g.dv)
	addBiasGradient(db4, g.dv)
	addWeightGradient(dw4, p.t, g.dv, p.batch, n.head, 1)
	multiplyBack(g.dt, g.dv, n.w4.Data, p.batch, n.head, 1, 0)
	reluBack(g.dt, p.t)
	addBiasGradient(db3, g.dt)
	addWeightGradient(dw3, p.hMean, g.dt, p.batch, n.hidden, n.head)
	multiplyBack(g.dhMean, g.dt, n.w3.Data, p.batch, n.hidden, n.head, 0)
	scale(g.dhMean, 1/float32(p.n1*p.n2))
}
