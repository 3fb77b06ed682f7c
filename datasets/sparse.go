package datasets

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// SparseMatrix is a matrix of real numbers by its entries; those of one place add up.
// P of an entry is its row, Q its column, from 0.
type SparseMatrix struct {
	Rows, Cols int
	Entries    []qap.Entry
}

// ReadSparse reads a matrix from what r holds in size bytes, a .npz file of
// scipy.sparse.save_npz (CSR, CSC or COO) or a MatrixMarket file (.mtx), as the name says.
// Memory grows with the length of the file.
func ReadSparse(name string, r io.ReaderAt, size int64) (SparseMatrix, error) {
	return readSparse(source{file: name, name: instanceName(name), r: r, size: size}, extension(name))
}

func readSparse(s source, format string) (m SparseMatrix, err error) {
	line := 0
	switch format {
	case ".npz":
		m, err = readSciPy(s.r, s.size)
	case ".mtx":
		m, line, err = readMTX(s.text(), s.size)
	default:
		err = fmt.Errorf("unknown format %q of a sparse matrix: want .npz or .mtx", format)
	}
	if err != nil {
		return SparseMatrix{}, s.errorf(line, "%w", err)
	}
	return m, nil
}

// add appends an entry, or names what is wrong with it.
func (m *SparseMatrix) add(row, col int, v float64) error {
	switch {
	case row < 0 || row >= m.Rows || col < 0 || col >= m.Cols:
		return fmt.Errorf("an entry in row %d and column %d, counted from 0, of a matrix of %d×%d", row, col, m.Rows, m.Cols)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("the entry in row %d and column %d is %v: want a finite number", row, col, v)
	}
	m.Entries = append(m.Entries, qap.Entry{P: row, Q: col, Value: v})
	return nil
}

// checkSide refuses matrices that claim to be far larger than their file, which could
// name no entry in most of their rows.
func checkSide(rows, cols int, size int64) error {
	const rowsPerByte, harmless = 4, 1 << 16
	if rows < 0 || cols < 0 || int64(max(rows, cols)) > rowsPerByte*size+harmless {
		return fmt.Errorf("a matrix of %d×%d: a file of %d bytes cannot hold such a matrix", rows, cols, size)
	}
	return nil
}

// instance returns the instance whose affinity matrix this is. The matrix is held
// dense where that takes less space.
func (m SparseMatrix) instance(s source, o Options) (*qap.Instance, error) {
	if m.Rows != m.Cols || m.Rows == 0 {
		return nil, s.errorf(0, "a matrix of %d×%d: want an affinity matrix, which is square", m.Rows, m.Cols)
	}
	layout, err := newAffinityLayout([]int{m.Rows, m.Cols}, o)
	if err != nil {
		return nil, s.errorf(0, "%w", err)
	}
	for k, e := range m.Entries {
		m.Entries[k].P, m.Entries[k].Q = layout.vertex[e.P], layout.vertex[e.Q]
	}
	const dense = 4 // dense entries that take as much space as a sparse one
	var in *qap.Instance
	notice := ""
	if n := m.Rows; len(m.Entries) >= n*n/dense {
		values := make([]float64, n*n)
		for _, e := range m.Entries {
			values[e.P*n+e.Q] += e.Value
		}
		notice = asymmetry(values, n)
		in, err = qap.NewDense(layout.n1, layout.n2, values, o.Sense)
	} else {
		notice = m.asymmetry()
		in, err = qap.NewSparse(layout.n1, layout.n2, m.Entries, o.Sense)
	}
	if err != nil {
		return nil, s.errorf(0, "%w", err)
	}
	return o.asRead(s, in, notice), nil
}

// asymmetry describes the greatest difference between a matrix and its transpose, if
// it is more than rounding.
func (m SparseMatrix) asymmetry() string {
	type pair struct {
		p, q         int // p < q
		above, below float64
	}
	pairs := make([]pair, 0, len(m.Entries))
	for _, e := range m.Entries {
		switch {
		case e.P < e.Q:
			pairs = append(pairs, pair{e.P, e.Q, e.Value, 0})
		case e.P > e.Q:
			pairs = append(pairs, pair{e.Q, e.P, 0, e.Value})
		}
	}
	slices.SortFunc(pairs, func(x, y pair) int { return cmp.Or(cmp.Compare(x.p, y.p), cmp.Compare(x.q, y.q)) })
	var sum, worst pair
	largest, difference := 0.0, 0.0
	for k, x := range pairs {
		if k == 0 || x.p != sum.p || x.q != sum.q {
			sum = pair{p: x.p, q: x.q}
		}
		sum.above, sum.below = sum.above+x.above, sum.below+x.below
		if k+1 < len(pairs) && pairs[k+1].p == x.p && pairs[k+1].q == x.q {
			continue
		}
		largest = max(largest, math.Abs(sum.above), math.Abs(sum.below))
		if d := math.Abs(sum.above - sum.below); d > difference {
			difference, worst = d, sum
		}
	}
	if difference <= symmetryTolerance*largest {
		return ""
	}
	return asymmetryText(worst.q, worst.p, worst.below, worst.above)
}
