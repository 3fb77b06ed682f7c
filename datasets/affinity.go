package datasets

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// readNPY yields the instances of an affinity matrix or of a stack of them.
func readNPY(s source, o Options, yield yieldFunc) {
	stream, err := openNPY(s.text(), s.size)
	if err != nil {
		yield(nil, s.errorf(0, "%w", err))
		return
	}
	readAffinities(s, stream, o, yield)
}

// readAffinities yields one instance a matrix, and reports whether to go on. A
// stack is held one matrix at a time, but for Fortran order, in which the
// matrices of a stack are interleaved.
func readAffinities(s source, stream *npyStream, o Options, yield yieldFunc) bool {
	layout, err := newAffinityLayout(stream.shape, o)
	read := stream.read
	if err == nil && stream.fortran {
		read, err = inMemory(stream)
	}
	if err != nil {
		return yield(nil, s.errorf(0, "%w", err))
	}
	for k := range layout.matrices {
		part := s
		if layout.stacked {
			part = s.part(k)
		}
		values, err := layout.readMatrix(read)
		if err == nil && k == layout.matrices-1 {
			err = stream.end()
		}
		if err != nil { // and nothing behind it can be read
			return yield(nil, part.errorf(0, "%w", err))
		}
		if !yield(layout.instance(part, values, o)) {
			return false
		}
	}
	return true
}

// inMemory returns a function that reads on in the array, in C order.
func inMemory(stream *npyStream) (read func(dst []float64) error, err error) {
	array, err := stream.array()
	rest := array.Data
	return func(dst []float64) error {
		rest = rest[copy(dst, rest):]
		return nil
	}, err
}

// affinityLayout is the shape of an array of affinity matrices.
type affinityLayout struct {
	matrices int
	stacked  bool // the array has three dimensions
	n1, n2   int
	vertex   []int // that each index of the file stands for
}

func newAffinityLayout(shape []int, o Options) (affinityLayout, error) {
	l := affinityLayout{matrices: 1, stacked: len(shape) == 3}
	side := shape
	if l.stacked {
		l.matrices, side = shape[0], shape[1:]
	}
	if len(side) != 2 || side[0] != side[1] || side[0] == 0 || l.matrices == 0 {
		return l, fmt.Errorf("an array of shape %s: want an affinity matrix (N, N) or a stack (k, N, N)", shapeText(shape))
	}
	var err error
	if l.n1, l.n2, err = o.nodes(side[0]); err != nil {
		return l, err
	}
	l.vertex = make([]int, side[0])
	for k := range l.vertex {
		l.vertex[k] = k
		if o.Order == ColumnMajor {
			i, a := k%l.n1, k/l.n1
			l.vertex[k] = i*l.n2 + a
		}
	}
	return l, nil
}

// nodes returns the numbers of nodes of the graphs that have so many vertices
// of the association graph.
func (o Options) nodes(vertices int) (n1, n2 int, err error) {
	n1, n2 = o.N1, o.N2
	switch {
	case n1 <= 0 && n2 <= 0:
		n1 = int(math.Sqrt(float64(vertices)))
		n2 = n1
	case n1 <= 0:
		n1 = vertices / n2
	case n2 <= 0:
		n2 = vertices / n1
	}
	if n1 > vertices || n2 > vertices || n1*n2 != vertices {
		return 0, 0, fmt.Errorf("an affinity matrix of %d vertices is not one of %d·%d: give the numbers of nodes of both graphs (--n1, --n2), whose product is %d",
			vertices, n1, n2, vertices)
	}
	return n1, n2, nil
}

// readMatrix reads a matrix and puts its entries in row-major order of vertices.
func (l *affinityLayout) readMatrix(read func(dst []float64) error) ([]float64, error) {
	n := len(l.vertex)
	values, row := make([]float64, n*n), make([]float64, n)
	for _, p := range l.vertex {
		if err := read(row); err != nil {
			return nil, err
		}
		for k, q := range l.vertex {
			values[p*n+q] = row[k]
		}
	}
	return values, nil
}

// instance returns the instance of a matrix, which it takes over.
func (l *affinityLayout) instance(s source, values []float64, o Options) (*qap.Instance, error) {
	notice := asymmetry(values, len(l.vertex))
	in, err := qap.NewDense(l.n1, l.n2, values, o.Sense)
	if err != nil {
		return nil, s.errorf(0, "%w", err)
	}
	return o.asRead(s, in, notice), nil
}

// asRead returns an instance of an affinity matrix under its name, and tells of its
// asymmetry, if there is any, and what speaks against the order in which it was read.
func (o Options) asRead(s source, in *qap.Instance, asymmetry string) *qap.Instance {
	in.Name, in.Complete = s.name, o.Complete
	if o.Notice != nil {
		if asymmetry != "" {
			o.Notice(s.name, asymmetry)
		}
		if e := OrderOf(in, o.Order); e.Doubtful() {
			o.Notice(s.name, e.String())
		}
	}
	return in
}

// asymmetry describes the greatest difference between K and Kᵀ, if it is more
// than rounding: a sign that the file holds something else.
func asymmetry(k []float64, n int) string {
	largest, worst, at := 0.0, 0.0, 0
	for p := range n {
		for q := range p {
			x, y := k[p*n+q], k[q*n+p]
			largest = max(largest, math.Abs(x), math.Abs(y))
			if d := math.Abs(x - y); d > worst {
				worst, at = d, p*n+q
			}
		}
	}
	if worst <= symmetryTolerance*largest {
		return ""
	}
	p, q := at/n, at%n
	return asymmetryText(p, q, k[at], k[q*n+p])
}

// symmetryTolerance is the difference between K and Kᵀ, over the largest entry, that
// is rounding; float32 keeps 6e-8.
const symmetryTolerance = 1e-6

func asymmetryText(p, q int, pq, qp float64) string {
	return fmt.Sprintf("the affinity matrix is not symmetric: K[%d,%d] is %v, K[%d,%d] is %v; their mean counts", p, q, pq, q, p, qp)
}
