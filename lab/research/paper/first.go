package paper

import (
	"gonum.org/v1/gonum/blas"

	"github.com/rgm-go/rgm/internal/layers"
)

// firstEmbedding is the Network network's first embedding where it takes few values.
//
// Where only one input s beside the solution x is not zero, and none of it is
// negative, E¹ = ReLU(x·θ1 + s·w) of a vertex with x = 0 is s·ReLU(w). This is so
// with costs that are not negative and a zero diagonal: QAPLIB's usual case. The
// product with θ2 then needs a row for ReLU(w) and one for each matched vertex,
// some n instead of n².
type firstEmbedding struct {
	pass    *pass
	found   bool
	channel int       // of the input s
	matched []int     // the vertices with x ≠ 0
	values  []float32 // E¹: of the ray, ReLU(w), then of each matched vertex
	product []float32 // values·θ2/m, of matched vertices less s times the ray's
	near    []float32 // A·s

	sums              sums      // of s
	dproduct, dvalues []float32 // made by the first back
}

func newFirstEmbedding(p *pass) *firstEmbedding {
	d, most := p.net.hidden, p.batch*min(p.n1, p.n2)
	return &firstEmbedding{
		pass: p, matched: make([]int, 0, most),
		values: make([]float32, (1+most)*d), product: make([]float32, (1+most)*d),
		near: make([]float32, len(p.q)), sums: newSums(p.batch, p.n1, p.n2, 1),
	}
}

// input returns an input of a vertex.
func (f *firstEmbedding) input(v, channel int) float32 {
	return f.pass.inputs[0][v*channels+channel]
}

// find reports whether the inputs allow the short way.
func (f *firstEmbedding) find() bool {
	f.found, f.matched, f.channel = false, f.matched[:0], 0
	for k, v := range f.pass.inputs[0] {
		channel := k % channels
		switch {
		case v == 0:
		case channel == solution:
			if len(f.matched) == cap(f.matched) {
				return false
			}
			f.matched = append(f.matched, k/channels)
		case f.channel == 0 && v > 0:
			f.channel = channel
		case !(channel == f.channel && v > 0):
			return false
		}
	}
	f.channel = max(f.channel, positiveEdges) // all are zero: any will do
	f.found = true
	return true
}

// row is the k-th row of a matrix of the embedding's width.
func (f *firstEmbedding) row(m []float32, k int) []float32 {
	d := f.pass.net.hidden
	return m[k*d : (k+1)*d]
}

// spreadProduct sets e to E¹·θ2/m, its multiple of the ray summed over the
// neighbours already, and the pass's sums to those of the rest.
func (f *firstEmbedding) spreadProduct(e []float32) {
	p := f.pass
	d := p.net.hidden
	ray := f.row(f.values, 0)
	copy(ray, f.row(p.terms, f.channel))
	layers.Relu(ray)
	for k, v := range f.matched {
		value := f.row(f.values, 1+k)
		copy(value, f.row(p.base, v))
		layers.Relu(value)
	}
	layers.Multiply(f.product, f.values, p.theta2, 1+len(f.matched), d, d, 0)
	for v := range f.near {
		f.near[v] = f.input(v, f.channel)
	}
	f.sums.others(f.near, p.batch, p.n1, p.n2, 1)
	f.sums.Spread(f.near, p.batch, p.n1, p.n2, 1)

	layers.MultiplyBack(e, f.near, f.row(f.product, 0), len(f.near), d, 1, 0)
	p.sums.Clear()
	for k, v := range f.matched {
		product := f.row(f.product, 1+k)
		layers.Axpy(product, -f.input(v, f.channel), f.row(f.product, 0))
		layers.Axpy(f.row(e, v), 1, product)
		i, a := v/p.n2, v%p.n2 // i counts through the states
		p.sums.leave(0, i, a+i/p.n1*p.n2, p.n1, p.n2, d, product)
	}
	p.sums.total(d)
}

// back adds the gradients of θ2 and of terms that come through E¹, given that of
// the second embedding before its ReLU in de, and the sums of its others.
func (f *firstEmbedding) back(g *gradients, dtheta2 []float32) {
	p := f.pass
	d, rows := p.net.hidden, 1+len(f.matched)
	if f.dproduct == nil {
		f.dproduct, f.dvalues = make([]float32, len(f.product)), make([]float32, len(f.values))
	}
	ray := f.row(f.dproduct, 0)
	clear(ray)
	layers.AddWeightGradient(ray, g.de, f.near, len(f.near), d, 1)
	for k, v := range f.matched {
		dproduct := f.row(f.dproduct, 1+k)
		i, a := v/p.n2, v%p.n2
		b := i / p.n1
		copy(dproduct, f.row(g.de, v))
		layers.Axpy(dproduct, 1, f.row(p.sums.All, b))
		layers.AddBoth(dproduct, f.row(p.sums.Rows, i), f.row(p.sums.Cols, b*p.n2+a))
		layers.Axpy(ray, -f.input(v, f.channel), dproduct)
	}
	values, dproduct := layers.Matrix(rows, d, f.values), layers.Matrix(rows, d, f.dproduct)
	layers.MatrixProduct(blas.Trans, blas.NoTrans, p.share(), values, dproduct, 1, layers.Matrix(d, d, dtheta2))
	layers.Multiply(f.dvalues, f.dproduct, g.theta2, rows, d, d, 0)
	layers.ReluBack(f.dvalues[:rows*d], f.values)
	dray := f.row(g.dterms, f.channel)
	layers.Axpy(dray, 1, f.row(f.dvalues, 0))
	for k, v := range f.matched {
		dvalue := f.row(f.dvalues, 1+k)
		layers.Axpy(f.row(g.dterms, solution), f.input(v, solution), dvalue)
		layers.Axpy(dray, f.input(v, f.channel), dvalue)
	}
}
