package align

import (
	"context"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// GRAMPA, graph matching by pairwise eigen-alignments, gives two nodes the score
//
//	X = Σ uᵢuᵢᵀ·J·vⱼvⱼᵀ / ((λᵢ−μⱼ)² + η²)
//
// over the eigenpairs λᵢ, uᵢ of A and μⱼ, vⱼ of B, in units of the largest eigenvalues; J is all
// ones (Fan, Mao, Wu, Xu, Foundations of Computational Mathematics 23 (2023),
// doi:10.1007/s10208-022-09570-y). J has rank 1, so that the Ritz pairs of the Krylov spaces of 1
// take the place of all eigenpairs, and no eigenproblem is larger than these.
const (
	bandwidth = 0.2 // η
	krylov    = 64  // vectors, of which the scores have six digits
)

// Grampa aligns two graphs by GRAMPA alone, the assignment of the greatest sum of scores: for
// comparison, since Solve shares more edges in the same time. The error wraps qap.ErrUnsupported
// where there are more nodes than MostAssigned, similarities or attributes.
func Grampa(ctx context.Context, p *Problem, o Options) (Result, error) {
	if err := p.Check(); err != nil {
		return Result{}, err
	}
	switch n := max(p.A.Nodes(), p.B.Nodes()); {
	case n > MostAssigned:
		return Result{}, fmt.Errorf("align: %d nodes for GRAMPA: want at most %d: %w", n, MostAssigned, qap.ErrUnsupported)
	case len(p.Similar) > 0 || p.Attributes != nil || p.Kinds:
		return Result{}, fmt.Errorf("align: GRAMPA says nothing of similarities, nor of attributes but weights: %w", qap.ErrUnsupported)
	}
	e := newEngine(p)
	e.threads, e.onBest = max(1, o.Threads), o.OnBest
	watch := qap.Limits{TimeLimit: o.TimeLimit}.Watch(ctx, nil)
	e.watch = &watch
	e.offer(e.byDegree(), ByStart)
	status := qap.Converged
	if scores, whole := e.spectral(); whole {
		e.offer(e.assign(scores), ByGrampa)
	}
	if s, ended := e.ended(); ended {
		status = s
	}
	e.finish(&o)
	return e.result(p, e.best, status), nil
}

// spectral returns the scores of GRAMPA, [n1][n2], and false where time was up before.
func (e *engine) spectral() ([]float64, bool) {
	values1, nodes1 := e.a.spectrum(krylov, e.watch.Over)
	values2, nodes2 := e.b.spectrum(krylov, e.watch.Over)
	n1, n2, k1, k2 := e.a.Nodes(), e.b.Nodes(), len(values1), len(values2)
	x := make([]float64, n1*n2)
	whole := e.eachRow(func() func(i int) {
		weights := make([]float64, k2)
		return func(i int) {
			clear(weights)
			for r, u := range nodes1[i*k1 : (i+1)*k1] {
				for s, value := range values2 {
					d := values1[r] - value
					weights[s] += u / (d*d + bandwidth*bandwidth)
				}
			}
			for j := range n2 {
				x[i*n2+j] = dot(weights, nodes2[j*k2:(j+1)*k2])
			}
		}
	})
	return x, whole
}

// spectrum returns Ritz values of a graph in units of the largest, and for every node a row of
// what it has of uuᵀ·1 of their vectors u, by Lanczos' iteration from the vector of ones with each
// new vector made orthogonal to all before (Golub, Van Loan, Matrix Computations, §10.3).
func (g *Graph) spectrum(most int, over func() bool) (values, nodes []float64) {
	n := g.Nodes()
	var vectors [][]float64
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 / math.Sqrt(float64(n))
	}
	q := min(most, n)
	projected := make([]float64, q*q)
	for at := 0; ; at++ {
		vectors = append(vectors, v)
		next := g.times(v)
		for range 2 { // rounding leaves too much after one
			for x, u := range vectors {
				c := dot(u, next)
				if x == at {
					projected[at*q+at] += c
				}
				for i := range next {
					next[i] -= c * u[i]
				}
			}
		}
		size := math.Sqrt(dot(next, next))
		if at+1 == q || size < 1e-9*math.Abs(projected[0]) || over() {
			break
		}
		projected[at*q+at+1], projected[(at+1)*q+at] = size, size
		for i := range next {
			next[i] /= size
		}
		v = next
	}
	return ritz(vectors, projected, q)
}

// ritz returns what spectrum does, of the vectors and the matrix that they are projected to, whose
// rows are q long.
func ritz(vectors [][]float64, projected []float64, q int) (values, nodes []float64) {
	k, n := len(vectors), len(vectors[0])
	small := make([]float64, k*k)
	for r := range k {
		copy(small[r*k:(r+1)*k], projected[r*q:r*q+k])
	}
	values, turned := eigen(small, k)
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	for r := range values {
		values[r] /= max(largest, 1e-300)
	}
	nodes = make([]float64, n*k)
	for x, vector := range vectors {
		for r := range k {
			c := turned[x*k+r] * turned[r] * math.Sqrt(float64(n))
			for i, v := range vector {
				nodes[i*k+r] += c * v
			}
		}
	}
	return values, nodes
}

// times returns the product of the adjacency, whichever way edges go, with a vector.
func (g *Graph) times(v []float64) []float64 {
	y := make([]float64, len(v))
	for i := range y {
		for e := g.start[i]; e < g.start[i+1]; e++ {
			out, in := g.weights(e)
			y[i] += float64(out+in) * v[g.to[e]]
		}
	}
	return y
}

func dot(x, y []float64) float64 {
	sum := 0.0
	y = y[:len(x)]
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// unmatchable is less than any sum of scores, of pairs that adopt leaves out.
const unmatchable = 1e12

// assign returns the assignment of the greatest sum of scores, [n1][n2], that has the known pairs.
func (e *engine) assign(scores []float64) matching {
	n1, n2 := e.a.Nodes(), e.b.Nodes()
	solver := assignment.Solver{Over: e.watch.Over}
	for k := range scores {
		if e.members != nil && !e.problem.May(k/n2, k%n2) {
			scores[k] = -unmatchable
		}
	}
	m := make(matching, n1)
	for i, j := range solver.Maximize(scores, n1, n2) {
		m[i] = int32(j)
	}
	return e.adopt(widen(m))
}
