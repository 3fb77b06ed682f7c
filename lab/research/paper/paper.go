// Package paper is the network of the paper that rgm is named after, and variants of it: its
// architecture, its features, and the presets that train it by the paper's protocol. rgm's own
// policies are compared with it.
package paper

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"

	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/train"
)

// Whoever imports the package has the architectures, their features and the presets.
func init() {
	for _, v := range variants {
		v.registerSet()
	}
	for _, name := range []string{Name, Weighted, Matched} {
		models.Register(models.Architecture{
			Name: name,
			New: func(c models.Config, rng *rand.Rand) (models.Network, error) {
				v, known := variants[cmp.Or(c.Features, name)]
				if !known || v.architecture() != name {
					return nil, fmt.Errorf("paper: the architecture %s takes no features %q", name, c.Features)
				}
				return newNetwork(shape{c.HiddenOr(128), c.HeadOr(64), c.IterationsOr(3), c.SingleStream, v}, rng), nil
			},
			Least: func(c models.Config) float64 { return float64(c.Hidden) * float64(max(c.Hidden, c.Head)) },
		})
	}
	train.RegisterPresets(presets())
}

// Network is the paper's network, its equations 8 and 9 literally. With x, F, W
// the solution, vertex and edge weights of the association graph, A its
// adjacency, m = (n1−1)·(n2−1) and E⁰ = 0, for t < T
//
//	Eᵗ⁺¹ = ReLU(x·θ1 + A·Eᵗ·θ2/m + A·F·θ3/m + ΣReLU(W·θ5)·θ4/m)
//	h5   = ReLU(E·θ6 + b1)
//	Q    = mean(h5·θ7) + b2 + (ha − mean ha),  ha = h5·θ8 + b3
//
// Two identities make it cheap. Every two vertices without a common node are
// adjacent, so A·E is the total less row and column sums plus E itself. And a
// ReLU of a product of two numbers splits by their signs, so ΣReLU(W·θ5) is
// ΣW⁺·θ5⁺ + ΣW⁻·θ5⁻: two sums a vertex, which are among the features.
//
// The architecture paper-weighted differs in one line: W·Eᵗ in the place of A·Eᵗ, so that
// an embedding is weighed by what supports it, as in struct2vec (Dai, Dai, Song 2016,
// arXiv:1603.05629). Where W has to be K_reg, it is in the inputs.
//
// Neither says what a revocable action is worth: A tells which matches it would release and not
// what supports it, W the reverse. paper-matched tells both (see matchedNeighbours), and has
// F itself in the place of A·F/m.
type Network struct {
	shape

	theta1, theta2, theta3, theta4, theta5 models.Parameter
	theta6, b1, theta7, b2, theta8, b3     models.Parameter
	theta9                                 models.Parameter // of paper-matched alone
}

// shape is what two networks with the same names and sizes of weights have in common.
type shape struct {
	hidden, head, iterations int
	single                   bool // no state value: Q = ha, without θ7 and b2
	variant                  variant
}

func newNetwork(shape shape, rng *rand.Rand) *Network {
	hidden, head := shape.hidden, shape.head
	n := &Network{
		shape:  shape,
		theta1: layers.Tensor("theta1", hidden), theta2: layers.Tensor("theta2", hidden, hidden),
		theta3: layers.Tensor("theta3", hidden), theta4: layers.Tensor("theta4", hidden, hidden),
		theta5: layers.Tensor("theta5", hidden),
		theta6: layers.Tensor("theta6", hidden, head), b1: layers.Tensor("b1", head),
		theta7: layers.Tensor("theta7", head, 1), b2: layers.Tensor("b2", 1),
		theta8: layers.Tensor("theta8", head, 1), b3: layers.Tensor("b3", 1),
	}
	for _, p := range []models.Parameter{n.theta1, n.theta3, n.theta5} {
		layers.HeInit(p, 4, rng) // four terms add up
	}
	for _, p := range []models.Parameter{n.theta2, n.theta4} {
		layers.HeInit(p, 4*hidden, rng)
	}
	if shape.variant.matched {
		n.theta9 = layers.Tensor("theta9", hidden, hidden)
		layers.HeInit(n.theta9, 4*hidden, rng)
	}
	layers.HeInit(n.theta6, hidden, rng)
	layers.XavierInit(n.theta7, head, 1, rng)
	layers.XavierInit(n.theta8, head, 1, rng)
	return n
}

// Architecture is the name of the architecture.
func (n *Network) Architecture() string { return n.variant.architecture() }

// Features names the set of inputs.
func (n *Network) Features() string { return n.variant.set() }

// Dueling reports whether Q is put together from a state value and advantages.
func (n *Network) Dueling() bool { return !n.single }

// OfStateValue names the weights of the state value: see models.OfStateValue.
func (n *Network) OfStateValue() []string { return []string{"theta7", "b2"} }

// Config makes a network of the same shape by models.New.
func (n *Network) Config() models.Config {
	return models.Config{Architecture: n.Architecture(), Features: n.Features(), Hidden: n.hidden, Head: n.head, Iterations: n.iterations, SingleStream: n.single}
}

// Parameters returns the weights, always in the same order.
func (n *Network) Parameters() []models.Parameter {
	trunk := []models.Parameter{n.theta1, n.theta2, n.theta3, n.theta4, n.theta5, n.theta6, n.b1}
	if !n.single {
		trunk = append(trunk, n.theta7, n.b2)
	}
	trunk = append(trunk, n.theta8, n.b3)
	if n.variant.matched {
		trunk = append(trunk, n.theta9)
	}
	return trunk
}

// advantages is the place of θ8 among the parameters.
func (n *Network) advantages() int {
	if n.single {
		return 7
	}
	return 9
}

// NewPass prepares evaluations of batches of the given shape.
func (n *Network) NewPass(batch, n1, n2 int) models.Pass {
	rows := batch * n1 * n2
	floats := func(size int) []float32 { return make([]float32, size) }
	p := &pass{
		net: n, batch: batch, n1: n1, n2: n2,
		inputs: features.Make(n.Features(), batch, n1, n2), split: floats(2 * n.hidden),
		terms: floats(channels * n.hidden), theta2: floats(n.hidden * n.hidden), base: floats(rows * n.hidden),
		sums: newSums(batch, n1, n2, n.hidden),
		h5:   floats(rows * n.head), h5Mean: floats(batch * n.head), q: floats(rows), v: floats(batch),
	}
	for range n.iterations {
		p.e = append(p.e, floats(rows*n.hidden))
	}
	switch {
	case n.variant.matched:
		p.matched = newMatchedNeighbours(p)
	case n.variant.weighted:
		p.near = floats(rows * n.hidden)
	default:
		p.first = newFirstEmbedding(p)
	}
	return p
}

type pass struct {
	net           *Network
	batch, n1, n2 int

	inputs     [][]float32        // the features and, if weighted, W
	split      []float32          // θ5⁺ and θ5⁻
	terms      []float32          // what one unit of each input adds: θ1, θ5⁺·θ4, θ5⁻·θ4, θ3
	theta2     []float32          // θ2/m
	base       []float32          // h1 + h3 + h4, which no iteration changes
	e          [][]float32        // e[t] is Eᵗ⁺¹; e[0] is not filled in where first stands for it
	first      *firstEmbedding    // of paper alone
	near       []float32          // Eᵗ·θ2/m or, going back, W·de: of paper-weighted
	matched    *matchedNeighbours // of paper-matched
	sums       sums
	h5, h5Mean []float32
	q, v       []float32

	back *gradients // made by the first Backward
}

type gradients struct {
	dq, dv, dh5, dh5Mean []float32
	de, spare            []float32
	dterms, dsplit       []float32
	theta2, theta6       []float32 // θ2ᵀ/m and θ6ᵀ
}

func (p *pass) Inputs() [][]float32 { return p.inputs }

// share is 1/m.
func (p *pass) share() float32 { return 1 / float32(max((p.n1-1)*(p.n2-1), 1)) }

// fillTerms computes what one unit of each input adds to the embedding.
func (p *pass) fillTerms() {
	n, d := p.net, p.net.hidden
	for k, v := range n.theta5.Data {
		p.split[k], p.split[d+k] = max(v, 0), max(-v, 0)
	}
	copy(p.terms[solution*d:], n.theta1.Data)
	copy(p.terms[neighbourWeights*d:], n.theta3.Data)
	layers.Multiply(p.terms[positiveEdges*d:][:2*d], p.split, n.theta4.Data, 2, d, d, 0)
}

func (p *pass) Forward() []float32 {
	n := p.net
	rows := len(p.q)
	if rows == 0 {
		return p.q
	}
	p.embed()
	layers.Dense(p.h5, p.e[len(p.e)-1], n.theta6.Data, n.b1.Data, rows, n.hidden)
	layers.Relu(p.h5)
	layers.Dense(p.q, p.h5, n.theta8.Data, n.b3.Data, rows, n.head)
	if n.single {
		return p.q
	}
	layers.AverageStates(p.h5Mean, p.h5, p.batch, p.n1*p.n2, n.head)
	layers.Dense(p.v, p.h5Mean, n.theta7.Data, n.b2.Data, p.batch, n.head)
	layers.Duel(p.q, p.v)
	return p.q
}

// embed computes the embeddings. A·Eᵗ·θ2 is summed after the product, so that the
// product sees the zeros of Eᵗ, which gonum skips.
func (p *pass) embed() {
	d := p.net.hidden
	rows := len(p.q)
	p.fillTerms()
	layers.Multiply(p.base, p.inputs[0], p.terms, rows, channels, d, 0)
	for k, v := range p.net.theta2.Data {
		p.theta2[k] = v * p.share()
	}
	compact := len(p.e) > 1 && p.first != nil && p.first.find()
	for t, e := range p.e {
		switch {
		case t == 0 && compact: // the second embedding follows from first
		case t == 0:
			copy(e, p.base)
			layers.Relu(e)
		case t == 1 && compact:
			p.first.spreadProduct(e)
			p.join(e)
		case p.matched != nil:
			copy(e, p.base)
			p.matched.join(e, p.e[t-1])
			layers.Relu(e)
		case p.net.variant.weighted:
			layers.Multiply(p.near, p.e[t-1], p.theta2, rows, d, d, 0)
			p.weigh(e, p.near, blas.NoTrans)
			layers.Axpy(e, 1, p.base)
			layers.Relu(e)
		default:
			layers.Multiply(e, p.e[t-1], p.theta2, rows, d, d, 0)
			p.sums.others(e, p.batch, p.n1, p.n2, d)
			p.join(e)
		}
	}
}

// weigh sets y to W·x, or to its transpose's product, state by state.
func (p *pass) weigh(y, x []float32, transposed blas.Transpose) {
	d, vertices := p.net.hidden, p.n1*p.n2
	for b := range p.batch {
		w := layers.Matrix(vertices, vertices, p.inputs[1][b*vertices*vertices:][:vertices*vertices])
		part := func(m []float32) []float32 { return m[b*vertices*d:][:vertices*d] }
		layers.MatrixProduct(transposed, blas.NoTrans, 1, w, layers.Matrix(vertices, d, part(x)), 0, layers.Matrix(vertices, d, part(y)))
	}
}

// join completes an embedding: to e, Eᵗ·θ2/m, come the sums over its neighbours
// and base.
func (p *pass) join(e []float32) {
	d := p.net.hidden
	for b := range p.batch {
		all := p.sums.All[b*d : (b+1)*d]
		for i := range p.n1 {
			row := p.sums.Rows[(b*p.n1+i)*d:][:d]
			layers.Axpy(row, 1, all)
			for a := range p.n2 {
				at := ((b*p.n1+i)*p.n2 + a) * d
				vertex := e[at : at+d]
				layers.Axpy(vertex, 1, p.base[at:at+d])
				layers.AddBoth(vertex, row, p.sums.Cols[(b*p.n2+a)*d:][:d])
				layers.Relu(vertex)
			}
		}
	}
}

func (p *pass) gradients() *gradients {
	if p.back == nil {
		floats := func(size int) []float32 { return make([]float32, size) }
		p.back = &gradients{
			dq: floats(len(p.q)), dv: floats(p.batch), dh5: floats(len(p.h5)), dh5Mean: floats(len(p.h5Mean)),
			de: floats(len(p.base)), spare: floats(len(p.base)),
			dterms: floats(len(p.terms)), dsplit: floats(len(p.split)),
			theta2: floats(len(p.theta2)), theta6: floats(p.net.hidden * p.net.head),
		}
	}
	return p.back
}
