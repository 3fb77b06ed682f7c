package align

import (
	"cmp"
	"math"
	"slices"
)

// axes is a projection of features to numbers whose noise is alike and independent.
type axes struct {
	features, kept int
	weights        []float64 // [features][kept]
}

// learnAxes returns the projection that tells nodes apart best against the noise: the leading
// eigenvectors of N^-½·T·N^-½, T the covariance of the features and N that of their changes
// in a changed copy of the graph (linear discriminants).
func learnAxes(features, changed table, kept int) axes {
	q := features.width
	total, noise := covariance(q, features.rows(), func(dst []float64, i int) {
		for c, v := range features.row(i) {
			dst[c] = float64(v)
		}
	}), covariance(q, features.rows(), func(dst []float64, i int) {
		for c, v := range features.row(i) {
			dst[c] = float64(changed.row(i)[c]) - float64(v)
		}
	})
	trace := 0.0
	for c := range q {
		trace += noise[c*q+c]
	}
	for c := range q {
		noise[c*q+c] += 1e-3*trace/float64(q) + 1e-9 // features that the changes never moved
	}
	values, vectors := eigen(noise, q)
	whitening := make([]float64, q*q)
	for a := range q {
		for b := range q {
			whitening[a*q+b] = vectors[a*q+b] / math.Sqrt(max(values[b], 1e-12))
		}
	}
	half := multiply(total, whitening, q)
	values, vectors = eigen(multiply(transposed(whitening, q), half, q), q)
	order := make([]int, q)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(values[y], values[x]) })
	kept = min(kept, q)
	all := multiply(whitening, vectors, q)
	p := axes{q, kept, make([]float64, q*kept)}
	for a := range q {
		for r := range kept {
			p.weights[a*kept+r] = all[a*q+order[r]]
		}
	}
	return p
}

// project returns the features on the axes, centred.
func (p axes) project(features table) table {
	n := features.rows()
	mean := make([]float64, p.features)
	for i := range n {
		for c, v := range features.row(i) {
			mean[c] += float64(v) / float64(n)
		}
	}
	t, sums := newTable(n, p.kept), make([]float64, p.kept)
	for i := range n {
		clear(sums)
		for c, v := range features.row(i) {
			centred := float64(v) - mean[c]
			for r, w := range p.weights[c*p.kept : (c+1)*p.kept] {
				sums[r] += centred * w
			}
		}
		for r, s := range sums {
			t.data[i*p.kept+r] = float32(s)
		}
	}
	return t
}

// covariance returns that of vectors, [q][q].
func covariance(q, count int, vector func(dst []float64, i int)) []float64 {
	x, mean, c := make([]float64, q), make([]float64, q), make([]float64, q*q)
	for i := range count {
		vector(x, i)
		for a, v := range x {
			mean[a] += v / float64(count)
		}
	}
	for i := range count {
		vector(x, i)
		for a, v := range x {
			for b := range a + 1 {
				c[a*q+b] += (v - mean[a]) * (x[b] - mean[b]) / float64(count)
			}
		}
	}
	for a := range q {
		for b := range a {
			c[b*q+a] = c[a*q+b]
		}
	}
	return c
}

func multiply(x, y []float64, q int) []float64 {
	z := make([]float64, q*q)
	for a := range q {
		for c := range q {
			for b := range q {
				z[a*q+b] += x[a*q+c] * y[c*q+b]
			}
		}
	}
	return z
}

func transposed(x []float64, q int) []float64 {
	y := make([]float64, q*q)
	for a := range q {
		for b := range q {
			y[b*q+a] = x[a*q+b]
		}
	}
	return y
}

// eigen returns the eigenvalues of a symmetric matrix and its eigenvectors as columns, by
// cyclic Jacobi rotations (Golub, Van Loan, Matrix Computations, §8.5).
func eigen(matrix []float64, q int) (values, vectors []float64) {
	m := slices.Clone(matrix)
	vectors = make([]float64, q*q)
	for a := range q {
		vectors[a*q+a] = 1
	}
	const sweeps = 60
	for range sweeps {
		rotated := false
		for a := range q {
			for b := a + 1; b < q; b++ {
				x := m[a*q+b]
				if math.Abs(x) <= 1e-15*math.Sqrt(math.Abs(m[a*q+a]*m[b*q+b]))+1e-300 {
					continue
				}
				rotated = true
				theta := (m[b*q+b] - m[a*q+a]) / (2 * x)
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(theta*theta+1))
				c := 1 / math.Sqrt(t*t+1)
				s := t * c
				for k := range q {
					m[k*q+a], m[k*q+b] = c*m[k*q+a]-s*m[k*q+b], s*m[k*q+a]+c*m[k*q+b]
				}
				for k := range q {
					m[a*q+k], m[b*q+k] = c*m[a*q+k]-s*m[b*q+k], s*m[a*q+k]+c*m[b*q+k]
				}
				for k := range q {
					vectors[k*q+a], vectors[k*q+b] = c*vectors[k*q+a]-s*vectors[k*q+b], s*vectors[k*q+a]+c*vectors[k*q+b]
				}
			}
		}
		if !rotated {
			break
		}
	}
	values = make([]float64, q)
	for a := range q {
		values[a] = m[a*q+a]
	}
	return values, vectors
}
