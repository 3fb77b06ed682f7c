package classic

import (
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// The similarity of the nodes of two graphs is the X that minimises
//
//	‖A·X − X·B‖² + η²·‖X‖² − 2·ΣX
//
// with matrices divided by their spectral norms. GRAMPA computes it by the eigenvectors of both;
// here conjugate gradients do, whose products with sparse graphs take time that grows with their
// edges, times the nodes. The tests' noisy copies of random graphs chose η: .2 and .4 find copies
// with a sixth of the edges changed, .8 fewer, and the less η is the more iterations it takes.
//
// Source: Fan, Mao, Wu, Xu, ICML 2020, arXiv:1907.08880.
const (
	ridge          = 0.4  // η
	nearSolution   = 1e-3 // residual, as a part of that at 0, at which conjugate gradients end
	mostConjugate  = 60   // iterations
	normIterations = 50
	sharpness      = 30 // scores of the greatest similarity, less that of the least, before the projection
)

// similar sets s.X to the soft assignment of the nodes' similarity. It returns false where the
// time was up, or the two matrices say nothing of that.
func similar(s *relaxation.Search) bool {
	kb, ok := s.In.Affinity.(*qap.KoopmansBeckmann)
	if !ok || len(s.X) == 0 {
		return false
	}
	over := s.Over()
	// Where the user minimises, large entries of A belong on small ones of B.
	alpha, beta := 1/spectralNorm(kb.A(), s.N1), s.In.ScoreOf(1)/spectralNorm(kb.B(), s.N2)
	if math.IsInf(alpha, 0) || math.IsInf(beta, 0) {
		return false
	}
	size := len(s.X)
	x, residual, direction := make([]float64, size), make([]float64, size), make([]float64, size)
	half, image := make([]float64, size), make([]float64, size)
	for p := range residual {
		residual[p], direction[p] = 1, 1
	}
	first := float64(size)
	for rest, k := first, 0; k < mostConjugate && rest > nearSolution*nearSolution*first; k++ {
		if !kb.Commutator(half, direction, alpha, beta, over) || !kb.Commutator(image, half, alpha, beta, over) {
			return false
		}
		for p, v := range direction {
			image[p] += ridge * ridge * v
		}
		step, left := rest/relaxation.Dot(direction, image), 0.0
		for p, v := range image {
			x[p] += step * direction[p]
			residual[p] -= step * v
			left += residual[p] * residual[p]
		}
		for p, v := range residual {
			direction[p] = v + left/rest*direction[p]
		}
		rest = left
	}
	least, most := x[0], x[0]
	for _, v := range x {
		least, most = min(least, v), max(most, v)
	}
	if !(most > least) {
		return false
	}
	for p, v := range x {
		x[p] = sharpness * (v - least) / (most - least)
	}
	projection := s.Sinkhorn(assignment.Sinkhorn{MaxIter: sinkhornSteps})
	projection.Project(x, x, s.N1, s.N2)
	if s.Cut() {
		return false
	}
	copy(s.X, x)
	return true
}

// spectralNorm is that of m + mᵀ for an n×n matrix m, to some digits, by power iteration.
func spectralNorm(m []float64, n int) float64 {
	x, y, norm := make([]float64, n), make([]float64, n), 0.0
	for i := range x {
		x[i] = 1 + 1/float64(i+2) // not at a right angle to an eigenvector, but by chance
	}
	for range normIterations {
		clear(y)
		for i := range n {
			row, u := m[i*n:(i+1)*n], x[i]
			for j, v := range row {
				if v != 0 {
					y[i] += v * x[j]
					y[j] += v * u
				}
			}
		}
		if norm = math.Sqrt(relaxation.Dot(y, y)); norm == 0 {
			return 0
		}
		for i, v := range y {
			x[i] = v / norm
		}
	}
	return norm
}
