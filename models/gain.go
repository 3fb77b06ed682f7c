package models

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/layers"
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
// Channels of nodes and of the state are given once for all vertices that share them:
// they are their own means, so that W acts on them as R, C or G do.
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

// skipScale is the size of the skip weights at the start.
const skipScale = 0.12

func newGain(hidden, head int, single bool, rng *rand.Rand) *Gain {
	const in = features.GainChannels
	n := &Gain{
		hidden: hidden, head: head, single: single,
		w: layers.Tensor("embed.w", in, hidden), r: layers.Tensor("embed.row", in, hidden),
		c: layers.Tensor("embed.col", in, hidden), g: layers.Tensor("embed.all", in, hidden),
		b:  layers.Tensor("embed.b", hidden),
		w1: layers.Tensor("advantage.w1", hidden, head), b1: layers.Tensor("advantage.b1", head),
		w2: layers.Tensor("advantage.w2", head, 1), skip: layers.Tensor("advantage.skip", in, 1),
		w3: layers.Tensor("value.w1", hidden, head), b3: layers.Tensor("value.b1", head),
		w4: layers.Tensor("value.w2", head, 1), b4: layers.Tensor("value.b2", 1),
		b2: layers.Tensor("advantage.b2", 1),
	}
	for _, p := range []Parameter{n.w, n.r, n.c, n.g} {
		layers.HeInit(p, 4*in, rng) // the four products add up
	}
	layers.HeInit(n.w1, hidden, rng)
	layers.HeInit(n.w3, hidden, rng)
	for _, p := range []Parameter{n.w2, n.w4} {
		layers.XavierInit(p, head, 1, rng)
		layers.Scale(p.Data, layers.OutputShrink)
	}
	n.skip.Data[features.Regret] = skipScale
	n.skip.Data[features.ReleasedAge] = -skipScale
	n.skip.Data[features.PartnerAge] = -skipScale
	n.skip.Data[features.BeatsBest] = skipScale
	return n
}

// Architecture is the name of the architecture.
func (n *Gain) Architecture() string { return ArchitectureGain }

// Features names the set of inputs.
func (n *Gain) Features() string { return features.Gain }

// Dueling reports whether Q is put together from a state value and advantages.
func (n *Gain) Dueling() bool { return !n.single }

// OfStateValue names the weights of the state value: see OfStateValue.
func (n *Gain) OfStateValue() []string {
	return []string{"value.w1", "value.b1", "value.w2", "value.b2"}
}

// Parameters returns the weights, always in the same order.
func (n *Gain) Parameters() []Parameter {
	trunk := []Parameter{n.w, n.r, n.c, n.g, n.b, n.w1, n.b1, n.w2, n.skip}
	if n.single {
		return append(trunk, n.b2)
	}
	return append(trunk, n.w3, n.b3, n.w4, n.b4)
}

// NewPass prepares evaluations of batches of the given shape.
func (n *Gain) NewPass(batch, n1, n2 int) Pass {
	rows := batch * n1 * n2
	floats := func(size int) []float32 { return make([]float32, size) }
	p := &gainPass{
		net: n, batch: batch, n1: n1, n2: n2,
		inputs: features.Make(features.Gain, batch, n1, n2),
		hMean:  floats(batch * n.hidden), t: floats(batch * n.head), q: floats(rows), v: floats(batch),
	}
	if n.fuses() && rows > 0 {
		p.fused = newFusedGain(p)
		return p
	}
	p.sums, p.pooled = layers.NewPools(1, n1, n2, 1), layers.NewPools(batch, n1, n2, features.GainChannels)
	p.weights, p.projected = newGainWeights(n.hidden), layers.NewPools(batch, n1, n2, n.hidden)
	p.h, p.u = floats(rows*n.hidden), floats(rows*n.head)
	return p
}

type gainPass struct {
	net           *Gain
	batch, n1, n2 int

	inputs [][]float32 // see features.Tensors
	hMean  []float32   // mean of the embedding over the vertices of a state
	t      []float32   // hidden layer of the state value
	q, v   []float32

	fused *fusedGain // of networks of its widths, in place of what follows

	sums      layers.Pools // scratch: of one channel of one state
	pooled    layers.Pools // means of all channels
	weights   gainWeights
	projected layers.Pools // the means times the weights
	h         []float32    // embedding
	u         []float32    // hidden layer of the advantage

	back *gainGradients // made by the first Backward
}

type gainGradients struct {
	dq, dv, dt, dhMean, du, dh []float32
	dz                         layers.Pools
	weights                    gainWeights
}

func (p *gainPass) Inputs() [][]float32 { return p.inputs }

// input returns a state's part of a tensor.
func (p *gainPass) input(tensor, state int) []float32 {
	size := len(p.inputs[tensor]) / p.batch
	return p.inputs[tensor][state*size : (state+1)*size]
}

func (p *gainPass) Forward() []float32 {
	n := p.net
	if len(p.q) == 0 {
		return p.q
	}
	if p.fused != nil {
		p.fused.forward(p)
	} else {
		p.setAdvantages()
	}
	if n.single {
		p.addStateSkip()
		return p.q
	}
	layers.Dense(p.t, p.hMean, n.w3.Data, n.b3.Data, p.batch, n.hidden)
	layers.Relu(p.t)
	layers.Dense(p.v, p.t, n.w4.Data, n.b4.Data, p.batch, n.head)
	layers.Duel(p.q, p.v)
	return p.q
}

// setAdvantages sets q to the advantages and, with duelling, hMean to the means of the
// embedding.
func (p *gainPass) setAdvantages() {
	n := p.net
	const in = features.GainChannels
	batch, n1, n2 := p.batch, p.n1, p.n2
	rows := batch * n1 * n2
	p.pool()
	p.weights.gather(n)
	layers.Multiply(p.projected.Rows, p.pooled.Rows, p.weights.rows, batch*n1, in, n.hidden, 0)
	layers.Multiply(p.projected.Cols, p.pooled.Cols, p.weights.cols, batch*n2, in, n.hidden, 0)
	layers.Dense(p.projected.All, p.pooled.All, p.weights.all, n.b.Data, batch, in)
	clear(p.h)
	for s := range batch {
		h := p.h[s*n1*n2*n.hidden : (s+1)*n1*n2*n.hidden]
		addTransposed(h, p.input(0, s), p.weights.vertices, len(features.VertexChannels), n1*n2, n.hidden)
	}
	p.projected.Spread(p.h, batch, n1, n2, n.hidden)
	layers.Relu(p.h)

	layers.Dense(p.u, p.h, n.w1.Data, n.b1.Data, rows, n.hidden)
	layers.Relu(p.u)
	layers.Multiply(p.q, p.u, n.w2.Data, rows, n.head, 1, 0)
	p.addSkip()
	if !n.single {
		layers.AverageStates(p.hMean, p.h, batch, n1*n2, n.hidden)
	}
}

// pool fills in the means of all channels over rows, columns and states.
func (p *gainPass) pool() {
	n1, n2 := p.n1, p.n2
	row, col := p.sums.Rows, p.sums.Cols
	for s := range p.batch {
		vertices, rows, columns, state := p.input(0, s), p.input(1, s), p.input(2, s), p.input(3, s)
		for k, channel := range features.VertexChannels {
			sumPlane(row, col, vertices[k*n1*n2:(k+1)*n1*n2])
			layers.Scale(row, 1/float32(n2))
			layers.Scale(col, 1/float32(n1))
			p.setMeans(s, channel)
		}
		for k, channel := range features.RowChannels {
			copy(row, rows[k*n1:])
			fill(col, layers.Mean(row))
			p.setMeans(s, channel)
		}
		for k, channel := range features.ColumnChannels {
			copy(col, columns[k*n2:])
			fill(row, layers.Mean(col))
			p.setMeans(s, channel)
		}
		for k, channel := range features.StateChannels {
			fill(row, state[k])
			fill(col, state[k])
			p.setMeans(s, channel)
		}
	}
}

// setMeans stores the means of a channel of a state, which are in sums.
func (p *gainPass) setMeans(state, channel int) {
	const in = features.GainChannels
	for i, v := range p.sums.Rows {
		p.pooled.Rows[(state*p.n1+i)*in+channel] = v
	}
	for a, v := range p.sums.Cols {
		p.pooled.Cols[(state*p.n2+a)*in+channel] = v
	}
	p.pooled.All[state*in+channel] = layers.Mean(p.sums.Rows)
}

// sumPlane writes the sums of x, [rows, cols], by rows and by columns.
func sumPlane(rows, cols, x []float32) {
	clear(cols)
	for i := range rows {
		sum := float32(0)
		for a, v := range x[i*len(cols) : (i+1)*len(cols)] {
			sum += v
			cols[a] += v
		}
		rows[i] = sum
	}
}

func dot(x, y []float32) float32 {
	y = y[:len(x)]
	sum := float32(0)
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

func fill(x []float32, value float32) {
	for k := range x {
		x[k] = value
	}
}

// shift adds a number to all.
func shift(x []float32, by float32) {
	for k := range x {
		x[k] += by
	}
}

// addTransposed adds xᵀ·w to y, rows×out, for x, channels×rows, and w, channels×out.
func addTransposed(y, x, w []float32, channels, rows, out int) {
	layers.AddWeightGradient(y, x, w, channels, rows, out)
}

func (p *gainPass) gradients() *gainGradients {
	if p.back == nil {
		n := p.net
		floats := func(size int) []float32 { return make([]float32, size) }
		p.back = &gainGradients{dq: floats(len(p.q)), dv: floats(p.batch), dt: floats(len(p.t)), dhMean: floats(len(p.hMean))}
		if p.fused == nil {
			p.back.du, p.back.dh = floats(len(p.u)), floats(len(p.h))
			p.back.dz, p.back.weights = layers.NewPools(p.batch, p.n1, p.n2, n.hidden), newGainWeights(n.hidden)
		}
	}
	return p.back
}

func (p *gainPass) Backward(dq []float32, gradient [][]float32) {
	g := p.gradients()
	if len(p.q) == 0 {
		return
	}
	copy(g.dq, dq)
	if p.net.single {
		p.addStateSkipGradient(gradient[8], gradient[9], g.dq)
	} else {
		p.backValue(gradient[9:])
	}
	if p.fused != nil {
		p.fused.backward(p, gradient)
	} else {
		p.backAdvantages(gradient)
	}
}

// backAdvantages adds the gradients of the weights of the advantages, given dq and dhMean.
func (p *gainPass) backAdvantages(gradient [][]float32) {
	n, g := p.net, p.back
	const in = features.GainChannels
	batch, n1, n2 := p.batch, p.n1, p.n2
	vertices := n1 * n2
	rows := batch * vertices
	dw, dr, dc, dg, db := gradient[0], gradient[1], gradient[2], gradient[3], gradient[4]
	dw1, db1, dw2, dskip := gradient[5], gradient[6], gradient[7], gradient[8]

	p.addSkipGradient(dskip, g.dq)
	layers.AddWeightGradient(dw2, p.u, g.dq, rows, n.head, 1)
	layers.MultiplyBack(g.du, g.dq, n.w2.Data, rows, n.head, 1, 0)
	layers.ReluBack(g.du, p.u)
	layers.AddBiasGradient(db1, g.du)
	layers.AddWeightGradient(dw1, p.h, g.du, rows, n.hidden, n.head)

	for b := range batch { // every vertex takes part in the mean
		for v := range vertices {
			copy(g.dh[(b*vertices+v)*n.hidden:][:n.hidden], g.dhMean[b*n.hidden:])
		}
	}
	layers.MultiplyBack(g.dh, g.du, n.w1.Data, rows, n.hidden, n.head, 1)
	layers.ReluBack(g.dh, p.h)
	g.dz.Gather(g.dh, batch, n1, n2, n.hidden)
	g.weights.clear()
	for s := range batch {
		dh := g.dh[s*vertices*n.hidden : (s+1)*vertices*n.hidden]
		layers.Multiply(g.weights.vertices, p.input(0, s), dh, len(features.VertexChannels), vertices, n.hidden, 1)
	}
	layers.AddWeightGradient(g.weights.rows, p.pooled.Rows, g.dz.Rows, batch*n1, in, n.hidden)
	layers.AddWeightGradient(g.weights.cols, p.pooled.Cols, g.dz.Cols, batch*n2, in, n.hidden)
	layers.AddWeightGradient(g.weights.all, p.pooled.All, g.dz.All, batch, in, n.hidden)
	g.weights.scatter(dw, dr, dc, dg)
	layers.AddBiasGradient(db, g.dz.All)
}

// backValue takes the gradient of Q apart, and passes the part of the state values
// on to their weights and to dhMean.
func (p *gainPass) backValue(gradient [][]float32) {
	n, g := p.net, p.back
	dw3, db3, dw4, db4 := gradient[0], gradient[1], gradient[2], gradient[3]
	layers.DuelBack(g.dq, g.dv)
	layers.AddBiasGradient(db4, g.dv)
	layers.AddWeightGradient(dw4, p.t, g.dv, p.batch, n.head, 1)
	layers.MultiplyBack(g.dt, g.dv, n.w4.Data, p.batch, n.head, 1, 0)
	layers.ReluBack(g.dt, p.t)
	layers.AddBiasGradient(db3, g.dt)
	layers.AddWeightGradient(dw3, p.hMean, g.dt, p.batch, n.hidden, n.head)
	layers.MultiplyBack(g.dhMean, g.dt, n.w3.Data, p.batch, n.hidden, n.head, 0)
	layers.Scale(g.dhMean, 1/float32(p.n1*p.n2))
}
