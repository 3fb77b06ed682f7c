package features

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAsinh: equal to math.Asinh up to two roundings of a float32, from the
// smallest numbers to the largest changes an instance may have.
func TestAsinh(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		x := math.Exp(rng.NormFloat64()*20) * math.Copysign(1, rng.Float64()-0.5)
		if got, want := float64(asinh(x)), math.Asinh(x); math.Abs(got-want) > 1.2e-7*math.Abs(want)+1e-9 {
			t.Fatalf("asinh(%g) = %g, want %g", x, got, want)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 1e150} {
		if got, want := asinh(x), float32(math.Asinh(x)); got != want {
			t.Errorf("asinh(%g) = %g, want %g", x, got, want)
		}
	}
}

func BenchmarkAsinh(b *testing.B) {
	x, sum := 0.0, float32(0)
	for b.Loop() {
		x += 0.01
		sum += asinh(x)
	}
	_ = sum
}
