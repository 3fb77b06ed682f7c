// Package layers holds what networks are put together from: weights and how they begin,
// dense layers forward and backward in float32 over gonum's BLAS, and perceptrons, each also
// as nodes of an ONNX graph.
package layers

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/rgm-go/rgm/internal/modelfile"
)

// Parameter is one weight tensor of a network, row-major.
type Parameter = modelfile.Parameter

// OutputShrink is the size of the output weights at the start beside their usual
// initialisation, in networks that begin near a policy that works.
const OutputShrink = 0.1

// Tensor returns a zeroed parameter.
func Tensor(name string, shape ...int) Parameter { return modelfile.Tensor(name, shape...) }

// HeInit draws weights for inputs that a ReLU follows: normal with variance
// 2/fanIn. Source: He, Zhang, Ren, Sun 2015, arXiv:1502.01852.
func HeInit(p Parameter, fanIn int, rng *rand.Rand) {
	p.Draw(math.Sqrt(2/float64(fanIn)), rng)
}

// XavierInit draws weights of a linear output: normal with variance
// 2/(fanIn+fanOut). Source: Glorot, Bengio, AISTATS 2010.
func XavierInit(p Parameter, fanIn, fanOut int, rng *rand.Rand) {
	p.Draw(math.Sqrt(2/float64(fanIn+fanOut)), rng)
}

// Vector returns numbers as a vector of BLAS.
func Vector(data []float32) blas32.Vector {
	return blas32.Vector{N: len(data), Inc: 1, Data: data}
}

// Matrix returns numbers as a matrix of BLAS, row by row.
func Matrix(rows, cols int, data []float32) blas32.General {
	return blas32.General{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: data}
}

// The three products of a dense layer. With a single output gonum's matrix product
// would add rows of length 1; a matrix-vector product is many times faster there.

// Multiply sets (keep 0) or adds (keep 1) to y, rows×out, the product of x, rows×in,
// and w, in×out.
func Multiply(y, x, w []float32, rows, in, out int, keep float32) {
	if out == 1 {
		blas32.Gemv(blas.NoTrans, 1, Matrix(rows, in, aligned(x[:rows*in])), Vector(aligned(w[:in])), keep, Vector(y))
		return
	}
	MatrixProduct(blas.NoTrans, blas.NoTrans, 1, Matrix(rows, in, x), Matrix(in, out, w), keep, Matrix(rows, out, y))
}

// MultiplyBack sets (keep 0) or adds (keep 1) to dx the gradient that dy, rows×out,
// gives to x.
func MultiplyBack(dx, dy, w []float32, rows, in, out int, keep float32) {
	if out == 1 {
		if keep == 0 {
			clear(dx)
		}
		blas32.Ger(1, Vector(dy), Vector(w), Matrix(rows, in, dx))
		return
	}
	MatrixProduct(blas.NoTrans, blas.Trans, 1, Matrix(rows, out, aligned(dy[:rows*out])), Matrix(in, out, aligned(w[:in*out])), keep, Matrix(rows, in, dx))
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

// AddWeightGradient adds to dw the gradient that dy gives to w: xᵀ·dy.
func AddWeightGradient(dw, x, dy []float32, rows, in, out int) {
	if out == 1 {
		blas32.Gemv(blas.Trans, 1, Matrix(rows, in, x), Vector(dy), 1, Vector(dw))
		return
	}
	MatrixProduct(blas.Trans, blas.NoTrans, 1, Matrix(rows, in, x), Matrix(rows, out, dy), 1, Matrix(in, out, dw))
}

// Transpose writes wᵀ·factor, out×in, of w, in×out.
func Transpose(dst, w []float32, in, out int, factor float32) {
	for i := range in {
		for k, v := range w[i*out : (i+1)*out] {
			dst[k*in+i] = factor * v
		}
	}
}

// Dense sets y, rows×out, to x·w + bias.
func Dense(y, x, w, bias []float32, rows, in int) {
	for row := range rows {
		copy(y[row*len(bias):], bias)
	}
	Multiply(y, x, w, rows, in, len(bias), 1)
}

// AddBiasGradient adds the sum of the rows of dy to db.
func AddBiasGradient(db, dy []float32) {
	for ; len(dy) > 0; dy = dy[len(db):] {
		Axpy(db, 1, dy[:len(db)])
	}
}

// wide is the length from which a call of gonum's vector kernel pays.
const wide = 32

// Axpy is y += a·x.
func Axpy(y []float32, a float32, x []float32) {
	if len(x) >= wide {
		blas32.Axpy(a, Vector(x), Vector(y[:len(x)]))
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

// Relu replaces negative numbers by 0.
func Relu(x []float32) {
	for i, v := range x {
		bits := math.Float32bits(v)
		if bits-signBit <= infinityBits {
			bits = 0
		}
		x[i] = math.Float32frombits(bits)
	}
}

// ReluBack clears the gradient where the output of a ReLU was 0.
func ReluBack(dy, y []float32) {
	y = y[:len(dy)]
	for i, v := range y {
		bits := math.Float32bits(dy[i])
		if math.Float32bits(v) == 0 {
			bits = 0
		}
		dy[i] = math.Float32frombits(bits)
	}
}

// Scale multiplies all numbers.
func Scale(x []float32, factor float32) {
	for i := range x {
		x[i] *= factor
	}
}
