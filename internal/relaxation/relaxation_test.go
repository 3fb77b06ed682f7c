package relaxation

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// searchOf returns a search over an instance.
func searchOf(t *testing.T, in *qap.Instance) *Search {
	t.Helper()
	return must.Get(NewSearch(context.Background(), in, qap.Options{}, nil, 0))(t)
}

// A shifted K has no negative entry, and the scores of complete matchings differ
// from those of K by one and the same number.
func TestShiftLeavesTheOrderOfMatchings(t *testing.T) {
	const n = 4
	rng := rand.New(rand.NewPCG(7, 3))
	a, b := solvertest.RandomMatrix(rng, n), solvertest.SignedMatrix(rng, n)
	for _, in := range []*qap.Instance{
		must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t),
		must.Get(qap.NewDense(n, n, negated(solvertest.RandomMatrix(rng, n*n)), qap.Maximize))(t),
	} {
		k := NonNegative(searchOf(t, in))
		x, product := make([]float64, n*n), make([]float64, n*n)
		for p := range x {
			clear(x)
			x[p] = 1
			k.Multiply(product, x)
			if least := slices.Min(product); k.edge > 0 && least < -1e-12 {
				t.Errorf("%T: K' has an entry of %v", in.Affinity, least)
			}
		}
		var offset float64
		for round := range 10 {
			m := qap.RandomMatching(n, n, rng)
			Indicate(x, m, n)
			k.Multiply(product, x)
			d := Dot(x, product) - in.Score(m)
			if round == 0 {
				offset = d
			} else if math.Abs(d-offset) > 1e-9 {
				t.Errorf("%T: scores shift by %v and by %v", in.Affinity, offset, d)
			}
		}
	}
}

func negated(values []float64) []float64 {
	for k := range values {
		values[k] = -values[k]
	}
	return values
}

// TestFrankWolfeNeverDescends, whatever the weights of its function.
func TestFrankWolfeNeverDescends(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	in := must.Get(qap.NewDense(4, 5, solvertest.SignedMatrix(rng, 20), qap.Maximize))(t)
	for _, ridge := range []float64{-2, 0, 2} {
		s := must.Get(NewSearch(context.Background(), in, qap.Options{}, solvertest.RandomMatrix(rng, 5)[:20], 0))(t)
		f := NewFrankWolfe(s)
		f.Ridge = ridge
		f.Start(s.X)
		value := func() float64 {
			kx := make([]float64, 20)
			in.Affinity.Multiply(kx, f.X)
			return f.Weight*Dot(f.X, kx) + ridge*Dot(f.X, f.X)
		}
		last := value()
		for range 50 {
			f.Step()
			now := value()
			if now < last-1e-9*math.Abs(last) {
				t.Fatalf("ridge %v: from %v to %v", ridge, last, now)
			}
			last = now
		}
	}
}

// TestTimedProducts: those of large instances, which look at the clock, are those of the affinity.
func TestTimedProducts(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(1, 2))
	k := solvertest.RandomMatrix(rng, n*n)
	in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
	s := searchOf(t, in)
	if !s.long {
		t.Fatal("the products are not timed")
	}
	want, have := make([]float64, n*n), make([]float64, n*n)
	in.Affinity.Multiply(want, s.X)
	s.Multiply(have, s.X)
	if !slices.Equal(want, have) {
		t.Error("a timed product differs")
	}
}
