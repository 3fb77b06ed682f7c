package models

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// tensor returns a zeroed parameter.
func tensor(name string, shape ...int) Parameter {
	size := 1
	for _, n := range shape {
		size *= n
	}
	return Parameter{Name: name, Shape: shape, Data: make([]float32, size)}
}

// heInit draws weights for inputs that a ReLU follows: normal with variance
// 2/fanIn. Source: He, Zhang, Ren, Sun 2015, arXiv:1502.01852.
func heInit(p Parameter, fanIn int, rng *rand.Rand) {
	normalInit(p, math.Sqrt(2/float64(fanIn)), rng)
}

// xavierInit draws weights of a linear output: normal with variance
// 2/(fanIn+fanOut). Source: Glorot, Bengio, AISTATS 2010.
func xavierInit(p Parameter, fanIn, fanOut int, rng *rand.Rand) {
	normalInit(p, math.Sqrt(2/float64(fanIn+fanOut)), rng)
}

// normalInit leaves the weights at zero without a source of chance.
func normalInit(p Parameter, deviation float64, rng *rand.Rand) {
	if rng == nil {
		return
	}
	for i := range p.Data {
		p.Data[i] = float32(deviation * rng.NormFloat64())
	}
}

func vector(data []float32) blas32.Vector {
	return blas32.Vector{N: len(data), Inc: 1, Data: data}
}

func matrix(rows, cols int, data []float32) blas32.General {
	return blas32.General{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: data}
}

// The three products of a dense layer. With a single output gonum's matrix product
// would add rows of length 1; a matrix-vector product is many times faster there.

// multiply sets (keep 0) or adds (keep 1) to y, rows×out, the product of x, rows×in,
// and w, in×out.
func multiply(y, x, w []float32, rows, in, out int, keep float32) {
	if out == 1 {
		blas32.Gemv(blas.NoTrans, 1, matrix(rows, in, x), vector(w), keep, vector(y))
		return
	}
	blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, matrix(rows, in, x), matrix(in, out, w), keep, matrix(rows, out, y))
}

// multiplyBack sets (keep 0) or adds (keep 1) to dx the gradient that dy, rows×out,
// gives to x.
func multiplyBack(dx, dy, w []float32, rows, in, out int, keep float32) {
	if out == 1 {
		if keep == 0 {
			clear(dx)
		}
		blas32.Ger(1, vector(dy), vector(w), matrix(rows, in, dx))
		return
	}
	blas32.Gemm(blas.NoTrans, blas.Trans, 1, matrix(rows, out, dy), matrix(in, out, w), keep, matrix(rows, in, dx))
}

// addWeightGradient adds to dw the gradient that dy gives to w: xᵀ·dy.
func addWeightGradient(dw, x, dy []float32, rows, in, out int) {
	if out == 1 {
		blas32.Gemv(blas.Trans, 1, matrix(rows, in, x), vector(dy), 1, vector(dw))
		return
	}
	blas32.Gemm(blas.Trans, blas.NoTrans, 1, matrix(rows, in, x), matrix(rows, out, dy), 1, matrix(in, out, dw))
}

// dense sets y, rows×out, to x·w + bias.
func dense(y, x, w, bias []float32, rows, in int) {
	for row := range rows {
		copy(y[row*len(bias):], bias)
	}
	multiply(y, x, w, rows, in, len(bias), 1)
}

// addBiasGradient adds the sum of the rows of dy to db.
func addBiasGradient(db, dy []float32) {
	for ; len(dy) > 0; dy = dy[len(db):] {
		axpy(db, 1, dy[:len(db)])
	}
}

// axpy is y += a·x.
func axpy(y []float32, a float32, x []float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
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

// relu replaces negative numbers by 0.
func relu(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0) // no branch: signs are hard to predict
	}
}

// reluBack clears the gradient where the output of a ReLU was 0.
func reluBack(dy, y []float32) {
	y = y[:len(dy)]
	for i, v := range y {
		if v <= 0 {
			dy[i] = 0
		}
	}
}

// pools are the means of a [batch, n1, n2, width] tensor over the vertices that
// share a node of graph 1 (rows), of graph 2 (cols), and over all (all).
type pools struct {
	rows []float32 // [batch, n1, width]
	cols []float32 // [batch, n2, width]
	all  []float32 // [batch, width]
}

func newPools(batch, n1, n2, width int) pools {
	return pools{
		rows: make([]float32, batch*n1*width),
		cols: make([]float32, batch*n2*width),
		all:  make([]float32, batch*width),
	}
}

// average fills the pools with the means of x.
func (p pools) average(x []float32, batch, n1, n2, width int) {
	clear(p.rows)
	clear(p.cols)
	clear(p.all)
	byRow, byCol := 1/float32(n2), 1/float32(n1)
	for b := range batch {
		all := p.all[b*width : (b+1)*width]
		for i := range n1 {
			row := p.rows[(b*n1+i)*width:][:width]
			for a := range n2 {
				v := x[((b*n1+i)*n2+a)*width:][:width]
				axpy(row, byRow, v)
				axpy(p.cols[(b*n2+a)*width:][:width], byCol, v)
			}
			axpy(all, byCol, row)
		}
	}
}

// spread adds to each vertex of y what its row, its column and the state have in
// p.
func (p pools) spread(y []float32, batch, n1, n2, width int) {
	for b := range batch {
		all := p.all[b*width : (b+1)*width]
		for i := range n1 {
			row := p.rows[(b*n1+i)*width:][:width]
			for a := range n2 {
				v := y[((b*n1+i)*n2+a)*width:][:width]
				col := p.cols[(b*n2+a)*width:][:width]
				for k := range v {
					v[k] += row[k] + col[k] + all[k]
				}
			}
		}
	}
}

// gather fills p with the sums of dy over rows, columns and states: the gradient
// of spread.
func (p pools) gather(dy []float32, batch, n1, n2, width int) {
	p.average(dy, batch, n1, n2, width)
	scale(p.rows, float32(n2))
	scale(p.cols, float32(n1))
	scale(p.all, float32(n1*n2))
}

// shift adds a number to every element.
func shift(x []float32, by float32) {
	for i := range x {
		x[i] += by
	}
}

func scale(x []float32, factor float32) {
	for i := range x {
		x[i] *= factor
	}
}

// duel turns advantages, [batch, vertices], and state values, [batch], into Q in
// place: v + a − mean a (paper, equation 9; Wang et al. 2016, arXiv:1511.06581).
func duel(a, v []float32) {
	if len(v) == 0 || len(a) == 0 {
		return
	}
	vertices := len(a) / len(v)
	for b, value := range v {
		state := a[b*vertices : (b+1)*vertices]
		shift := value - mean(state)
		for k := range state {
			state[k] += shift
		}
	}
}

// duelBack turns dq in place into the gradient of the advantages and writes that
// of the state values.
func duelBack(dq, dv []float32) {
	if len(dv) == 0 || len(dq) == 0 {
		return
	}
	vertices := len(dq) / len(dv)
	for b := range dv {
		state := dq[b*vertices : (b+1)*vertices]
		average := mean(state)
		dv[b] = average * float32(vertices)
		for k := range state {
			state[k] -= average
		}
	}
}

func mean(x []float32) float32 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	return float32(sum / float64(len(x)))
}
