package solvertest

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// problem is an instance of the suite.
type problem struct {
	name string
	in   *qap.Instance
}

// problems are the instances that every solver must cope with.
func problems(t testing.TB) []problem {
	rng := rand.New(rand.NewPCG(6, 1))
	constant := func(n int, v float64) []float64 {
		k := make([]float64, n*n)
		for p := range k {
			k[p] = v
		}
		return k
	}
	// Two pairs of vertices, far apart in K; the other vertices support nothing.
	disconnected := []qap.Entry{{P: 0, Q: 5, Value: 2}, {P: 10, Q: 15, Value: 1}, {P: 3, Q: 3, Value: 0.5}}
	kb := func(n1, n2 int, sense qap.Sense) *qap.Instance {
		return must.Get(qap.NewKoopmansBeckmann(n1, n2, RandomMatrix(rng, n1), RandomMatrix(rng, n2), nil, sense))(t)
	}
	dense := func(n1, n2 int, k []float64, sense qap.Sense) *qap.Instance {
		return must.Get(qap.NewDense(n1, n2, k, sense))(t)
	}
	return []problem{
		{"empty", dense(0, 0, nil, qap.Maximize)},
		{"one side empty", dense(0, 3, nil, qap.Maximize)},
		{"other side empty", dense(3, 0, nil, qap.Maximize)},
		{"empty assignment", kb(0, 0, qap.Minimize)},
		{"1×1", dense(1, 1, []float64{2}, qap.Maximize)},
		{"1×1, negative", dense(1, 1, []float64{-2}, qap.Maximize)},
		{"1×4", dense(1, 4, RandomMatrix(rng, 4), qap.Maximize)},
		{"3×5", dense(3, 5, RandomMatrix(rng, 15), qap.Maximize)},
		{"5×3", dense(5, 3, RandomMatrix(rng, 15), qap.Maximize)},
		{"3×5, minimised", dense(3, 5, RandomMatrix(rng, 15), qap.Minimize)},
		{"all zero", dense(4, 4, constant(16, 0), qap.Maximize)},
		{"all zero, assignment", must.Get(qap.NewKoopmansBeckmann(4, 4, make([]float64, 16), make([]float64, 16), nil, qap.Minimize))(t)},
		{"all negative", dense(4, 4, constant(16, -3), qap.Maximize)},
		{"ties", dense(4, 4, constant(16, 1), qap.Maximize)},
		{"disconnected", must.Get(qap.NewSparse(4, 4, disconnected, qap.Maximize))(t)},
		{"nothing", must.Get(qap.NewSparse(4, 4, nil, qap.Maximize))(t)},
		{"signed", dense(5, 5, SignedMatrix(rng, 25), qap.Maximize)},
		{"huge", dense(3, 3, constant(9, 1e140), qap.Maximize)},
		{"tiny", dense(3, 3, constant(9, 1e-140), qap.Maximize)},
		{"assignment", kb(6, 6, qap.Minimize)},
		{"assignment, maximised", kb(6, 6, qap.Maximize)},
		{"assignment, 4×6", kb(4, 6, qap.Minimize)},
		{"assignment, 6×4", kb(6, 4, qap.Minimize)},
	}
}

// RandomMatrix returns an n×n matrix of uniform numbers in [0, 1).
func RandomMatrix(rng *rand.Rand, n int) []float64 {
	m := make([]float64, n*n)
	for k := range m {
		m[k] = rng.Float64()
	}
	return m
}

// SignedMatrix returns an n×n matrix of normal numbers.
func SignedMatrix(rng *rand.Rand, n int) []float64 {
	m := make([]float64, n*n)
	for k := range m {
		m[k] = rng.NormFloat64()
	}
	return m
}
