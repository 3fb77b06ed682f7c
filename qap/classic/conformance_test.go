package classic

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

func TestConformance(t *testing.T) { eachMethod(t, solvertest.Test) }

// eachMethod runs a test for every method.
func eachMethod(t *testing.T, test func(t *testing.T, s qap.Solver)) {
	for _, name := range Methods() {
		t.Run(name, func(t *testing.T) {
			s, err := New(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, s)
		})
	}
}

func must(in *qap.Instance, err error) func(testing.TB) *qap.Instance {
	return func(t testing.TB) *qap.Instance {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
}

func randomMatrix(rng *rand.Rand, n int) []float64 {
	m := make([]float64, n*n)
	for k := range m {
		m[k] = rng.Float64()
	}
	return m
}

func signedMatrix(rng *rand.Rand, n int) []float64 {
	m := make([]float64, n*n)
	for k := range m {
		m[k] = rng.NormFloat64()
	}
	return m
}
