package trpo

// leastResidual, relative to that at the start, ends the iteration.
const leastResidual = 1e-10

// conjugateGradients returns an approximation of A⁻¹b after some steps from 0, A being
// symmetric and positive definite and given by its products: product writes A·x to y
// (Hestenes, Stiefel, J. Res. Natl. Bur. Stand. 49 (1952), doi:10.6028/jres.049.044). It
// ends early where the residual vanishes or, of an A that is given inexactly, a direction
// has no positive curvature.
func conjugateGradients(product func(y, x []float64) error, b []float64, steps int) ([]float64, error) {
	n := len(b)
	x, residual, direction, image := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	copy(residual, b)
	copy(direction, b)
	square := dot(residual, residual)
	least := square * leastResidual * leastResidual
	for range steps {
		if square <= least {
			break
		}
		if err := product(image, direction); err != nil {
			return nil, err
		}
		curvature := dot(direction, image)
		if !(curvature > 0) {
			break
		}
		length := square / curvature
		for k := range x {
			x[k] += length * direction[k]
			residual[k] -= length * image[k]
		}
		next := dot(residual, residual)
		for k := range direction {
			direction[k] = residual[k] + next/square*direction[k]
		}
		square = next
	}
	return x, nil
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for k, v := range x {
		sum += v * y[k]
	}
	return sum
}
