package qap

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
)

// Dense is an affinity matrix held entry by entry: (n1·n2)² numbers.
type Dense struct {
	n1, n2 int
	k      []float64 // row-major, symmetric
}

// NewDense returns the instance of Lawler's form with the given affinity
// matrix: (n1·n2)×(n1·n2) numbers, row-major, in the user's sense. The instance
// takes k over and changes it in place: K becomes (K+Kᵀ)/2, which leaves J
// unchanged, and the sign turns where sense is Minimize. An entry that is not finite is an error.
func NewDense(n1, n2 int, k []float64, sense Sense) (*Instance, error) {
	if err := checkSize(n1, n2); err != nil {
		return nil, err
	}
	n := n1 * n2
	if len(k) != n*n {
		return nil, fmt.Errorf("qap: affinity has %d entries, want %d ((%d·%d)²)", len(k), n*n, n1, n2)
	}
	if err := checkFinite("K", k, n); err != nil {
		return nil, err
	}
	if err := checkMagnitude(maxAbs(k), n1, n2); err != nil {
		return nil, err
	}
	sign := sense.sign()
	for p := range n {
		k[p*n+p] *= sign
		for q := range p {
			v := sign * (k[p*n+q]/2 + k[q*n+p]/2)
			k[p*n+q], k[q*n+p] = v, v
		}
	}
	return &Instance{Sense: sense, Affinity: &Dense{n1, n2, k}}, nil
}

func (d *Dense) Size() (n1, n2 int)  { return d.n1, d.n2 }
func (d *Dense) At(p, q int) float64 { return d.k[p*d.n1*d.n2+q] }

func (d *Dense) Diagonal(dst []float64) {
	n := d.n1 * d.n2
	for p := range dst[:n] {
		dst[p] = d.k[p*n+p]
	}
}

func (d *Dense) AddRow(dst []float64, p int, scale float64) {
	i, a := p/d.n2, p%d.n2
	row := d.RowView(p)
	d.addNodes(dst, row, scale, 0, i, a)
	d.addNodes(dst, row, scale, i+1, d.n1, a)
}

// addNodes adds a row in the places of nodes from..to−1 of graph 1 but for those of
// node a of graph 2: as whole vectors, after which these get back what they had.
func (d *Dense) addNodes(dst, row []float64, scale float64, from, to, a int) {
	var kept [64]float64
	for n2 := d.n2; from < to; from += len(kept) {
		end := min(from+len(kept), to)
		for j := from; j < end; j++ {
			kept[j-from] = dst[j*n2+a]
		}
		count := (end - from) * n2
		blas64.Axpy(scale, blas64.Vector{N: count, Data: row[from*n2:], Inc: 1}, blas64.Vector{N: count, Data: dst[from*n2:], Inc: 1})
		for j := from; j < end; j++ {
			dst[j*n2+a] = kept[j-from]
		}
	}
}

// RowView returns the row of vertex p, which must not be changed.
func (d *Dense) RowView(p int) []float64 {
	n := d.n1 * d.n2
	return d.k[p*n : (p+1)*n]
}

func (d *Dense) Row(dst []float64, p int) {
	n := d.n1 * d.n2
	copy(dst, d.k[p*n:(p+1)*n])
}

func (d *Dense) Multiply(dst, x []float64) {
	n := d.n1 * d.n2
	for p := range dst[:n] {
		sum := 0.0
		for q, v := range d.k[p*n : (p+1)*n] {
			sum += v * x[q]
		}
		dst[p] = sum
	}
}
