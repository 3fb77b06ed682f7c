package belief

import "math"

// The powers of e that Exp takes: within float32.
const leastPower, mostPower = -87, 88

// Exp sets y to e^x, to seven digits, for x that are bounded by −87 and 88.
func Exp(y, x []float32) { expAll(y[:len(x)], x) }

// Log1p sets y to log(1+x), for x of 0 or more, to seven digits of 1+x.
func Log1p(y, x []float32) { log1pAll(y[:len(x)], x) }

// Scale sets y to factor·x within bounds.
func Scale(y, x []float32, factor, least, most float32) { scale(y[:len(x)], x, factor, least, most) }

// Order sets less and greater to factor times the lesser and the greater of x and y, most at most.
func Order(less, greater, x, y []float32, factor, most float32) {
	order(less[:len(x)], greater[:len(x)], x, y[:len(x)], factor, most)
}

// Dense sets y, len(b)×n, to w·x + b, for w of len(b)×in and x of in×n, and where relu is set to 0
// what would be negative.
func Dense(y, x, w, b []float32, in, n int, relu bool) {
	dense(y[:len(b)*n], x[:in*n], w[:len(b)*in], b, in, n, relu)
}

// Outer adds dy·xᵀ to dw: the gradient that dy, out×n, gives to the weights w of Dense.
func Outer(dw, dy, x []float32, out, in, n int) { outer(dw[:out*in], dy[:out*n], x[:in*n], out, in, n) }

// Normalizer computes the logarithms of the sums of e^S, by rows and columns.
type Normalizer struct {
	Rows, Columns []float32 // log Σ e^S
	greatest      []float32 // of each column
	sums          []float64
	row           []float32
}

// NewNormalizer returns one of n1×n2 pairs.
func NewNormalizer(n1, n2 int) *Normalizer {
	return &Normalizer{make([]float32, n1), make([]float32, n2), make([]float32, n2), make([]float64, n2), make([]float32, n2)}
}

// Measure sets Rows and Columns to those of S.
func (z *Normalizer) Measure(s []float32) {
	n2 := len(z.Columns)
	copy(z.greatest, s)
	for i := range z.Rows {
		from := s[i*n2 : (i+1)*n2]
		most := from[0]
		for a, v := range from {
			most = max(most, v)
			z.greatest[a] = max(z.greatest[a], v)
		}
		for a, v := range from {
			z.row[a] = v - most
		}
		Exp(z.row, z.row)
		sum := 0.0
		for _, v := range z.row {
			sum += float64(v)
		}
		z.Rows[i] = most + float32(math.Log(sum))
	}
	clear(z.sums)
	for i := range z.Rows {
		for a, v := range s[i*n2 : (i+1)*n2] {
			z.row[a] = v - z.greatest[a]
		}
		Exp(z.row, z.row)
		for a, v := range z.row {
			z.sums[a] += float64(v)
		}
	}
	for a, sum := range z.sums {
		z.Columns[a] = z.greatest[a] + float32(math.Log(sum))
	}
}

// Odds sets q to the mean of S normalised by rows and by columns: ½(S − log Σ_row) + ½(S − log Σ_column).
func (z *Normalizer) Odds(q, s []float32) {
	n2 := len(z.Columns)
	for i, row := range z.Rows {
		to := q[i*n2 : (i+1)*n2]
		for a, v := range s[i*n2 : (i+1)*n2] {
			to[a] = v - 0.5*(row+z.Columns[a])
		}
	}
}
