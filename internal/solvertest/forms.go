package solvertest

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// Forms returns one instance of each form, scaled by factor.
func Forms(t testing.TB, factor float64) []*qap.Instance {
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int, least, scale float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = (float64(rng.IntN(50)) + least) * scale
		}
		return v
	}
	list := []*qap.Instance{
		must.Get(qap.NewKoopmansBeckmann(5, 5, numbers(25, 0, factor), numbers(25, 0, 1), nil, qap.Minimize))(t),
		must.Get(qap.NewKoopmansBeckmann(4, 6, numbers(16, 0, factor), numbers(36, 0, 1), nil, qap.Maximize))(t),
		must.Get(qap.NewKoopmansBeckmann(5, 5, numbers(25, -20, factor), numbers(25, -20, 1), numbers(25, -20, factor), qap.Minimize))(t),
		must.Get(qap.NewDense(3, 4, numbers(144, -20, factor), qap.Maximize))(t),
	}
	for i, name := range []string{"non-negative", "maximised 4x6", "signed", "dense 3x4"} {
		list[i].Name = name
	}
	return list
}
