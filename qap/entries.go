package qap

import "math"

// Entries tells of the entries of a matrix, diagonal 0, so that searches need not look at
// all of them before they begin.
type Entries struct {
	NonZeros    int
	Least, Most float64 // of all and 0
	Size        float64 // of the largest one
	Integer     bool    // all are
	Pair        float64 // most of |m[i,j]| + |m[j,i]|; 0 where the matrix is not square
	RowSum      float64 // most of the sum of those over a row
}

// entriesOf looks at a matrix with rows of width; transposed is nil where it is not square.
func entriesOf(m, transposed []float64, width int) Entries {
	e := Entries{Integer: true}
	for from := 0; from < len(m); from += width {
		row, sum := m[from:from+width], 0.0
		for _, v := range row {
			if v != 0 {
				e.NonZeros++
				e.Least, e.Most = min(e.Least, v), max(e.Most, v)
				e.Integer = e.Integer && v == math.Trunc(v)
			}
		}
		if transposed == nil {
			continue
		}
		for j, v := range transposed[from : from+width] {
			both := math.Abs(row[j]) + math.Abs(v)
			e.Pair = max(e.Pair, both)
			sum += both
		}
		e.RowSum = max(e.RowSum, sum)
	}
	e.Size = max(e.Most, -e.Least)
	return e
}

// Entries tells of A, B and the linear term, as A, B and Linear return them.
func (kb *KoopmansBeckmann) Entries() (a, b, linear Entries) {
	return kb.entries[0], kb.entries[1], kb.entries[2]
}
