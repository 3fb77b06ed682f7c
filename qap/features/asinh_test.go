package features

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAsinh: equal to math.Asinh up to two roundings of a float32, from the
// smallest numbers to the largest changes an instance may have, and odd.
func TestAsinh(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := []float64{0, math.Copysign(0, -1), 1e-300, 1022.999, 1023, 1e300}
	for range 1_000_000 {
		x = append(x, math.Exp(rng.NormFloat64()*20), math.Exp(rng.NormFloat64()))
	}
	y, negative := make([]float32, len(x)), make([]float32, len(x))
	asinhs(y, x, 0, 1)
	asinhs(negative, x, 0, -1)
	for k, x := range x {
		if got, want := float64(y[k]), math.Asinh(x); math.Abs(got-want) > 1.2e-7*want+1e-14 {
			t.Fatalf("asinh(%g) = %g, want %g", x, got, want)
		}
		if negative[k] != -y[k] {
			t.Fatalf("asinh(−%g) = %g, want %g", x, negative[k], -y[k])
		}
	}
}

// BenchmarkAsinhs reports the time of one number.
func BenchmarkAsinhs(b *testing.B) {
	x, y := make([]float64, 900), make([]float32, 900)
	for k := range x {
		x[k] = float64(k - 450)
	}
	for b.Loop() {
		asinhs(y, x, 0.5, 0.01)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/number")
}
