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
		blas32.Gemv(blas.NoTrans, 1, matrix(rows, in, aligned(x[:rows*in])), vector(aligned(w[:in])), keep, vector(y))
		return
	}
	matrixProduct(blas.NoTrans, blas.NoTrans, 1, matrix(rows, in, x), matrix(in, out, w), keep, matrix(rows, out, y))
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
	matrixProduct(blas.NoTrans, blas.Trans, 1, matrix(rows, out, aligned(dy[:rows*out])), matrix(in, out, aligned(w[:in*out])), keep, matrix(rows, in, dx))
}

// aligned returns floats that begin at a multiple of 16 bytes, as slices do of every length
// but 5 and 6, which Go puts at multiples of 8. The sums of gonum's dot products begin at
// such a place, so that without it the last bits would be left to chance.
func aligned(x []float32) []float32 {
	if len(x) != 5 && len(x) != 6 {
		return x
	}
	return append(make([]float32, 0, 8), x...)
}

// addWeightGradient adds to dw the gradient that dy gives to w: xᵀ·dy.
func addWeightGradient(dw, x, dy []float32, rows, in, out int) {
	if out == 1 {
		blas32.Gemv(blas.Trans, 1, matrix(rows, in, x), vector(dy), 1, vector(dw))
		return
	}
	matrixProduct(blas.Trans, blas.NoTrans, 1, matrix(rows, in, x), matrix(rows, out, dy), 1, matrix(in, out, dw))
}

// transpose writes wᵀ·factor, out×in, of w, in×out.
func transpose(dst, w []float32, in, out int, factor float32) {
	for i := range in {
		for k, v := range w[i*out : (i+1)*out] {
			dst[k*in+i] = factor * v
		}
	}
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

// wide is the length from which a call of gonum's vector kernel pays.
const wide = 32

// axpy is y += a·x.
func axpy(y []float32, a float32, x []float32) {
	if len(x) >= wide {
		blas32.Axpy(a, vector(x), vector(y[:len(x)]))
		return
	}
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}

// A number is negative, or −0, if its bits less the sign bit's are at most those
// of infinity. Comparing bits compiles to no branch, which would guess signs
// wrongly, and lets NaN through.
const (
	signBit      = 1 << 31
	infinityBits = 0xff << 23
)

// relu replaces negative numbers by 0.
func relu(x []float32) {
	for i, v := range x {
		bits := math.Float32bits(v)
		if bits-signBit <= infinityBits {
			bits = 0
		}
		x[i] = math.Float32frombits(bits)
	}
}

// reluBack clears the gradient where the output of a ReLU was 0.
func reluBack(dy, y []float32) {
	y = y[:len(dy)]
	for i, v := range y {
		bits := math.Float32bits(dy[i])
		if math.Float32bits(v) == 0 {
			bits = 0
		}
		dy[i] = math.Float32frombits(bits)
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
	p.clear()
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
// p. It leaves p.rows changed.
func (p pools) spread(y []float32, batch, n1, n2, width int) {
	for b := range batch {
		all := p.all[b*width : (b+1)*width]
		for i := range n1 {
			row := p.rows[(b*n1+i)*width:][:width]
			axpy(row, 1, all)
			for a := range n2 {
				addBoth(y[((b*n1+i)*n2+a)*width:][:width], row, p.cols[(b*n2+a)*width:][:width])
			}
		}
	}
}

// addBoth is y += u + v.
func addBoth(y, u, v []float32) {
	if len(y) >= wide {
		axpy(y, 1, u)
		axpy(y, 1, v)
		return
	}
	u, v = u[:len(y)], v[:len(y)]
	for k := range y {
		y[k] += u[k] + v[k]
	}
}

// others fills p so that to spread it over x makes x the sum over each vertex's
// neighbours: the total less the sums of its row and its column.
func (p pools) others(x []float32, batch, n1, n2, width int) {
	p.clear()
	for b := range batch {
		for i := range n1 {
			for a := range n2 {
				p.leave(b, i, a, n1, n2, width, x[((b*n1+i)*n2+a)*width:][:width])
			}
		}
	}
	p.total(width)
}

func (p pools) clear() {
	clear(p.rows)
	clear(p.cols)
	clear(p.all)
}

// leave takes what vertex (i, a) of state b has off its row and its column.
func (p pools) leave(b, i, a, n1, n2, width int, x []float32) {
	axpy(p.rows[(b*n1+i)*width:][:width], -1, x)
	axpy(p.cols[(b*n2+a)*width:][:width], -1, x)
}

// total sets the states' totals by what was taken off the rows.
func (p pools) total(width int) {
	batch := len(p.all) / width
	n1 := len(p.rows) / len(p.all)
	for b := range batch {
		for i := range n1 {
			axpy(p.all[b*width:][:width], -1, p.rows[(b*n1+i)*width:][:width])
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
