// Package lcs is a learned combinatorial solver: a graph network that gives a soft matching of an
// instance in one evaluation. The paper compares with it.
package lcs

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// Network gives a soft matching of an instance in one evaluation, by rounds of a graph network
// on the association graph: edges are embedded as attention, vertices gather by it what
// their neighbours send, and every vertex gets a label, its share of the soft matching. With
// W the edges and F the vertices of the NGM features, A_c the attention of head c (see
// attention), n = max(n1, n2), H⁰ = 0 and s⁰ = 1, for t = 0 … T−1
//
//	Y = [Hᵗ, sᵗ, F]
//	P = [A_1·(Y·M_1), …, A_C·(Y·M_C)], each column over its root mean square
//	Hᵗ⁺¹ = ReLU(P·G + Y·S + b)
//	Lᵗ⁺¹ = sinkhorn(Hᵗ⁺¹·w + P·v)
//	sᵗ⁺¹ = n·exp Lᵗ⁺¹
//
// The output is Lᵀ, logarithms of a soft matching, [batch, n1, n2]. The weights serve all
// rounds. They start near reweighted random walks (Cho, Lee, Lee 2010): a head whose attention
// is W sends s, and its sum is the score.
//
// After Wang, Liu, Li, Jin, Hou, Ling, "Learning combinatorial solver for graph matching",
// CVPR 2020, doi:10.1109/CVPR42600.2020.00759: the graph network block, its rounds, and labels
// of vertices under one-to-one constraints. Its affinities come from images, and its edges
// keep an embedding from round to round; here edges have one number, K[p,q].
type Network struct {
	hidden, edge, rounds int

	edgeIn, edgeBias, edgeOut, edgeSkip       models.Parameter // attention
	message, gather, self, bias, score, plain models.Parameter
}

// Name is that of the architecture, and of the method.
const Name = "lcs"

// Whoever imports the package has the architecture, and its method or refinement.
func init() {
	models.Register(models.Architecture{
		Name: Name,
		New: func(c models.Config, rng *rand.Rand) (models.Network, error) {
			return newNetwork(c.HiddenOr(16), c.HeadOr(8), c.IterationsOr(6), rng), nil
		},
		Least: func(c models.Config) float64 { return float64(c.Hidden) * float64(c.Hidden) },
	})
	soft.RegisterMethod(Name)
}

const (
	lcsHeads   = 3
	lcsColumns = 4 // that a head carries
	lcsWidth   = lcsHeads * lcsColumns

	lcsSquare = 1e-6 // added to mean squares, against 0
)

func newNetwork(hidden, edge, rounds int, rng *rand.Rand) *Network {
	in := hidden + 1 + soft.Channels
	n := &Network{
		hidden: hidden, edge: edge, rounds: rounds,
		edgeIn: layers.Tensor("edge.in", edgeChannels, edge), edgeBias: layers.Tensor("edge.bias", edge),
		edgeOut: layers.Tensor("edge.out", edge, lcsHeads), edgeSkip: layers.Tensor("edge.skip", edgeChannels, lcsHeads),
		message: layers.Tensor("message", in, lcsWidth), gather: layers.Tensor("gather", lcsWidth, hidden),
		self: layers.Tensor("self", in, hidden), bias: layers.Tensor("bias", hidden),
		score: layers.Tensor("score", hidden, 1), plain: layers.Tensor("score.plain", lcsWidth, 1),
	}
	layers.HeInit(n.edgeIn, edgeChannels, rng)
	layers.XavierInit(n.edgeOut, edge, lcsHeads, rng)
	layers.XavierInit(n.message, in, lcsWidth, rng)
	layers.HeInit(n.gather, 2*lcsWidth, rng) // two terms add up
	layers.HeInit(n.self, 2*in, rng)
	layers.XavierInit(n.score, hidden, 1, rng)
	for _, p := range []models.Parameter{n.edgeOut, n.score} {
		layers.Scale(p.Data, layers.OutputShrink)
	}
	for c := range lcsHeads {
		n.edgeSkip.Data[edgeLogarithm*lcsHeads+c] = edgeLogarithmUnit * float32(int(1)<<(2*c)) // W, W⁴, W¹⁶
		n.message.Data[hidden*lcsWidth+c*lcsColumns] += 1
		n.plain.Data[c*lcsColumns] = 1
	}
	return n
}

// Architecture is the name of the architecture.
func (n *Network) Architecture() string { return Name }

// Features names the set of inputs.
func (n *Network) Features() string { return soft.Set }

// Dueling is false: the output is no Q.
func (n *Network) Dueling() bool { return false }

// Config makes a network of the same shape by models.New.
func (n *Network) Config() models.Config {
	return models.Config{Architecture: Name, Hidden: n.hidden, Head: n.edge, Iterations: n.rounds}
}

// InputSize is 1, of edges a vertex's share of 1.
func (n *Network) InputSize(tensor, vertices int) float64 {
	if tensor == 1 {
		return 1 / float64(vertices)
	}
	return 1
}

// Parameters returns the weights, always in the same order.
func (n *Network) Parameters() []models.Parameter {
	return []models.Parameter{n.edgeIn, n.edgeBias, n.edgeOut, n.edgeSkip, n.message, n.gather, n.self, n.bias, n.score, n.plain}
}

// in is the width of Y.
func (n *Network) in() int { return n.hidden + 1 + soft.Channels }

// lcsPass works state by state within a batch.
type lcsPass struct {
	net           *Network
	batch, n1, n2 int
	inputs        [][]float32
	attention     []*attention // by state
	rounds        []lcsRound
	q             []float32

	back *lcsGradients // made by the first Backward
}

// lcsRound is what a round leaves for the way back; rows are the vertices of all states.
type lcsRound struct {
	y, sent, gathered, hidden []float32 // Y, Y·M, P, Hᵗ⁺¹
	sizes                     []float32 // root mean squares of P before, by state
	sinkhorn                  []*soft.Sinkhorn
}

type lcsGradients struct {
	dattention                             [][]float32 // by head, of one state
	dscores, dhidden, dgathered, dsent, dy []float32
}

// NewPass prepares evaluations of batches of the given shape.
func (n *Network) NewPass(batch, n1, n2 int) models.Pass {
	rows := batch * n1 * n2
	p := &lcsPass{net: n, batch: batch, n1: n1, n2: n2, inputs: features.Make(soft.Set, batch, n1, n2), q: make([]float32, rows)}
	for range batch {
		p.attention = append(p.attention, newAttention(n1*n2))
	}
	floats := func(width int) []float32 { return make([]float32, rows*width) }
	for range n.rounds {
		r := lcsRound{y: floats(n.in()), sent: floats(lcsWidth), gathered: floats(lcsWidth), hidden: floats(n.hidden), sizes: make([]float32, batch*lcsWidth)}
		for range batch {
			r.sinkhorn = append(r.sinkhorn, soft.NewSinkhorn(n1, n2))
		}
		p.rounds = append(p.rounds, r)
	}
	return p
}

func (p *lcsPass) Inputs() [][]float32 { return p.inputs }

// state is what the b-th state has of a tensor of some width a vertex.
func (p *lcsPass) state(x []float32, b, width int) []float32 {
	size := p.n1 * p.n2 * width
	return x[b*size : (b+1)*size]
}

// head is the columns of a head, of x as wide as all heads.
func head(x []float32, c int) blas32.General {
	return blas32.General{Rows: len(x) / lcsWidth, Cols: lcsColumns, Stride: lcsWidth, Data: x[c*lcsColumns:]}
}

func (p *lcsPass) Forward() []float32 {
	n, rows := p.net, len(p.q)
	if rows == 0 {
		return p.q
	}
	for b, a := range p.attention {
		a.forward(n, p.state(p.inputs[1], b, p.n1*p.n2))
	}
	for t := range p.rounds {
		r := &p.rounds[t]
		p.join(t)
		layers.Multiply(r.sent, r.y, n.message.Data, rows, n.in(), lcsWidth, 0)
		vertices := p.n1 * p.n2
		for b, a := range p.attention {
			for c := range lcsHeads {
				layers.MatrixProduct(blas.NoTrans, blas.NoTrans, 1, layers.Matrix(vertices, vertices, a.heads[c]), head(p.state(r.sent, b, lcsWidth), c), 0, head(p.state(r.gathered, b, lcsWidth), c))
			}
			normalizeColumns(p.state(r.gathered, b, lcsWidth), r.sizes[b*lcsWidth:(b+1)*lcsWidth])
		}
		layers.Dense(r.hidden, r.gathered, n.gather.Data, n.bias.Data, rows, lcsWidth)
		layers.Multiply(r.hidden, r.y, n.self.Data, rows, n.in(), n.hidden, 1)
		layers.Relu(r.hidden)
		layers.Multiply(p.q, r.hidden, n.score.Data, rows, n.hidden, 1, 0)
		layers.Multiply(p.q, r.gathered, n.plain.Data, rows, lcsWidth, 1, 1)
		for b, s := range r.sinkhorn {
			s.Forward(p.state(p.q, b, 1))
		}
	}
	return p.q
}

// join puts Y of a round together.
func (p *lcsPass) join(t int) {
	d, in, y := p.net.hidden, p.net.in(), p.rounds[t].y
	for b := range p.batch {
		for v := range p.n1 * p.n2 {
			row := b*p.n1*p.n2 + v
			own := y[row*in : (row+1)*in]
			own[d] = 1
			if t > 0 {
				before := &p.rounds[t-1]
				copy(own, before.hidden[row*d:(row+1)*d])
				own[d] = soft.Exp(before.sinkhorn[b].At(v)) * float32(max(p.n1, p.n2))
			}
			copy(own[d+1:], p.inputs[0][row*soft.Channels:(row+1)*soft.Channels])
		}
	}
}

// normalizeColumns divides the columns of x by their root mean squares, which it writes.
func normalizeColumns(x, sizes []float32) {
	rows := len(x) / len(sizes)
	for c := range sizes {
		sum := 0.0
		for row := range rows {
			v := float64(x[row*len(sizes)+c])
			sum += v * v
		}
		sizes[c] = float32(math.Sqrt(sum/float64(rows) + lcsSquare))
		for row := range rows {
			x[row*len(sizes)+c] /= sizes[c]
		}
	}
}

// normalizeColumnsBack turns the gradient by the columns that normalizeColumns made into that
// by those it was given.
func normalizeColumnsBack(d, x, sizes []float32) {
	rows := len(x) / len(sizes)
	for c, size := range sizes {
		along := 0.0
		for row := range rows {
			along += float64(d[row*len(sizes)+c]) * float64(x[row*len(sizes)+c])
		}
		share := float32(along / float64(rows))
		for row := range rows {
			k := row*len(sizes) + c
			d[k] = (d[k] - share*x[k]) / size
		}
	}
}

func (p *lcsPass) gradients() *lcsGradients {
	if p.back == nil {
		n, rows, vertices := p.net, len(p.q), p.n1*p.n2
		floats := func(width int) []float32 { return make([]float32, rows*width) }
		p.back = &lcsGradients{dscores: floats(1), dhidden: floats(n.hidden), dgathered: floats(lcsWidth), dsent: floats(lcsWidth), dy: floats(n.in())}
		for range lcsHeads * p.batch {
			p.back.dattention = append(p.back.dattention, make([]float32, vertices*vertices))
		}
	}
	return p.back
}

func (p *lcsPass) Backward(dq []float32, gradient [][]float32) {
	n, rows, vertices := p.net, len(p.q), p.n1*p.n2
	if rows == 0 {
		return
	}
	g := p.gradients()
	dmessage, dgather, dself, dbias, dscore, dplain := gradient[4], gradient[5], gradient[6], gradient[7], gradient[8], gradient[9]
	for _, d := range g.dattention {
		clear(d)
	}
	copy(g.dscores, dq)
	clear(g.dhidden)
	for t := p.net.rounds - 1; t >= 0; t-- {
		r := &p.rounds[t]
		if t+1 < p.net.rounds {
			p.part(t)
		}
		for b, s := range r.sinkhorn {
			s.Backward(p.state(g.dscores, b, 1))
		}
		layers.AddWeightGradient(dscore, r.hidden, g.dscores, rows, n.hidden, 1)
		layers.AddWeightGradient(dplain, r.gathered, g.dscores, rows, lcsWidth, 1)
		layers.MultiplyBack(g.dhidden, g.dscores, n.score.Data, rows, n.hidden, 1, 1)
		layers.MultiplyBack(g.dgathered, g.dscores, n.plain.Data, rows, lcsWidth, 1, 0)
		layers.ReluBack(g.dhidden, r.hidden)
		layers.AddBiasGradient(dbias, g.dhidden)
		layers.AddWeightGradient(dgather, r.gathered, g.dhidden, rows, lcsWidth, n.hidden)
		layers.AddWeightGradient(dself, r.y, g.dhidden, rows, n.in(), n.hidden)
		layers.MultiplyBack(g.dgathered, g.dhidden, n.gather.Data, rows, lcsWidth, n.hidden, 1)
		layers.MultiplyBack(g.dy, g.dhidden, n.self.Data, rows, n.in(), n.hidden, 0)
		for b, a := range p.attention {
			d := p.state(g.dgathered, b, lcsWidth)
			normalizeColumnsBack(d, p.state(r.gathered, b, lcsWidth), r.sizes[b*lcsWidth:(b+1)*lcsWidth])
			for c := range lcsHeads {
				layers.MatrixProduct(blas.NoTrans, blas.Trans, 1, head(d, c), head(p.state(r.sent, b, lcsWidth), c), 1, layers.Matrix(vertices, vertices, g.dattention[b*lcsHeads+c]))
				layers.MatrixProduct(blas.Trans, blas.NoTrans, 1, layers.Matrix(vertices, vertices, a.heads[c]), head(d, c), 0, head(p.state(g.dsent, b, lcsWidth), c))
			}
		}
		layers.AddWeightGradient(dmessage, r.y, g.dsent, rows, n.in(), lcsWidth)
		layers.MultiplyBack(g.dy, g.dsent, n.message.Data, rows, n.in(), lcsWidth, 1)
	}
	for b, a := range p.attention {
		a.backward(n, p.state(p.inputs[1], b, vertices), g.dattention[b*lcsHeads:(b+1)*lcsHeads], gradient[:4])
	}
}

// part goes back through join: from the gradient of the next round's Y to those of Hᵗ⁺¹ and
// of Lᵗ⁺¹.
func (p *lcsPass) part(t int) {
	g, d, in := p.back, p.net.hidden, p.net.in()
	for row := range len(p.q) {
		copy(g.dhidden[row*d:(row+1)*d], g.dy[row*in:])
		g.dscores[row] = g.dy[row*in+d] * p.rounds[t+1].y[row*in+d]
	}
}
