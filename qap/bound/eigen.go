package bound

import "math"

// projectedEigenvalues returns the n−1 eigenvalues of VᵀMV for a symmetric n×n matrix M, which is
// overwritten, and an orthonormal basis V of what is at right angles to the vector of ones. A first
// reflection turns that vector into the first axis; those of Householder's method make the rest
// tridiagonal, and implicit shifts make that diagonal.
//
// Source: Golub, Van Loan, Matrix Computations, 4th edition (2013), sections 8.3.1 and 8.3.3.
func projectedEigenvalues(m []float64, n int) []float64 {
	if n < 2 {
		return nil
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	v[0] += math.Sqrt(float64(n))
	reflect(m, n, 0, v)
	diagonal, beside := make([]float64, n-1), make([]float64, n-1)
	for k := 1; k < n; k++ {
		diagonal[k-1] = m[k*n+k]
		if k == n-1 {
			break
		}
		// Turn what is below the diagonal of column k into its first entry.
		v, length := v[:n-k-1], 0.0
		for i := range v {
			v[i] = m[(k+1+i)*n+k]
			length += v[i] * v[i]
		}
		length = math.Copysign(math.Sqrt(length), v[0])
		beside[k-1] = -length
		if length != 0 {
			v[0] += length
			reflect(m, n, k+1, v)
		}
	}
	diagonalise(diagonal, beside)
	return diagonal
}

// reflect replaces the part S of a symmetric matrix from row and column first on by H·S·H with
// H = I − 2·v·vᵀ/vᵀv.
func reflect(m []float64, n, first int, v []float64) {
	size, square := len(v), 0.0
	for _, x := range v {
		square += x * x
	}
	w, product := make([]float64, size), 0.0
	for i := range size {
		sum := 0.0
		for j, x := range v {
			sum += m[(first+i)*n+first+j] * x
		}
		w[i] = 2 / square * sum
		product += w[i] * v[i]
	}
	for i := range w {
		w[i] -= product / square * v[i]
	}
	for i, vi := range v {
		row := m[(first+i)*n+first:][:size]
		for j, wj := range w {
			row[j] -= vi*wj + w[i]*v[j]
		}
	}
}

// diagonalise turns the diagonal of a symmetric tridiagonal matrix, whose other entries are beside
// it, into its eigenvalues, by QR steps with Wilkinson's shift.
func diagonalise(diagonal, beside []float64) {
	end := len(diagonal) - 1
	for steps := 0; end > 0; steps++ {
		small := func(k int) bool {
			return math.Abs(beside[k]) <= 1e-16*(math.Abs(diagonal[k])+math.Abs(diagonal[k+1])) || steps > 100*len(diagonal)
		}
		if small(end - 1) {
			end--
			continue
		}
		from := end - 1
		for from > 0 && !small(from-1) {
			from--
		}
		d := (diagonal[end-1] - diagonal[end]) / 2
		e := beside[end-1]
		shift := diagonal[end] - e*e/(d+math.Copysign(math.Hypot(d, e), d))
		x, z := diagonal[from]-shift, beside[from]
		for k := from; k < end; k++ {
			// Rotate rows and columns k and k+1 so that z vanishes beside x.
			r := math.Hypot(x, z)
			c, s := 1.0, 0.0
			if r != 0 {
				c, s = x/r, z/r
			}
			if k > from {
				beside[k-1] = r
			}
			p, q, b := diagonal[k], diagonal[k+1], beside[k]
			diagonal[k] = c*c*p + 2*c*s*b + s*s*q
			diagonal[k+1] = s*s*p - 2*c*s*b + c*c*q
			beside[k] = c*s*(q-p) + (c*c-s*s)*b
			if k < end-1 {
				x, z = beside[k], s*beside[k+1]
				beside[k+1] *= c
			}
		}
	}
}
