package qap

import (
	"fmt"
	"math"
)

// Affinity is a symmetric matrix K in one of five forms: Dense, KoopmansBeckmann,
// Mapping, Sparse, EdgePairs. It is maximised.
//
// Two vertices conflict when they share a node; no matching holds both, so the
// entries of K between them count in no score. They are kept for the solvers that
// work on K as a whole.
type Affinity interface {
	// Size returns the numbers of nodes of the two graphs.
	Size() (n1, n2 int)
	// At returns K[p,q].
	At(p, q int) float64
	// Diagonal writes K[p,p] into dst, one number a vertex.
	Diagonal(dst []float64)
	// AddRow adds scale·K[p,q] to dst[q] for every q that does not conflict with
	// p and is not p itself.
	AddRow(dst []float64, p int, scale float64)
	// Row writes K[p,q] of all q into dst.
	Row(dst []float64, p int)
	// Multiply sets dst to K·x, all entries of K included.
	Multiply(dst, x []float64)
}

// conflict reports whether p and q share a node.
func conflict(p, q, n2 int) bool { return p/n2 == q/n2 || p%n2 == q%n2 }

// maxNodes bounds a graph so that the square of the number of vertices still
// fits an int.
const maxNodes = 1 << 15

func checkSize(n1, n2 int) error {
	if n1 < 0 || n2 < 0 || n1 > maxNodes || n2 > maxNodes {
		return fmt.Errorf("qap: graphs of %d and %d nodes: want 0..%d each", n1, n2, maxNodes)
	}
	return nil
}

// largestSum bounds the size of a sum of affinities over a matching, and its inverse that of
// the largest affinity: solvers take their squares.
const largestSum = 1e150

// checkMagnitude refuses numbers whose sum over a matching, or its square, could overflow,
// and numbers whose squares are all 0. largest is the largest in size, n1 and n2 bound the
// number of terms.
func checkMagnitude(largest float64, n1, n2 int) error {
	n := float64(max(n1, n2, 1))
	if sum := largest * n * n; !(sum <= largestSum) {
		return fmt.Errorf("qap: affinities of size %.3g overflow when summed and squared: scale the problem down", largest)
	}
	if largest > 0 && largest < 1/largestSum {
		return fmt.Errorf("qap: affinities of size %.3g at most, whose squares are 0: scale the problem up", largest)
	}
	return nil
}

// maxAbs returns the largest absolute value.
func maxAbs(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	return largest
}

// checkFinite names the first entry that is NaN or infinite, as matrix[row,col].
func checkFinite(matrix string, values []float64, cols int) error {
	for k, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("qap: %s[%d,%d] is %v: want a finite number", matrix, k/cols, k%cols, v)
		}
	}
	return nil
}
