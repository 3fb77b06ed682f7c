package product

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// TestAdd: every set gives gonum's numbers to the last bit, of sizes around those of the blocks, of a and its transpose, with zeros in a
// as behind a ReLU; nothing else is written.
func TestAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	random := func(n int, zeros float64) []float32 {
		x := make([]float32, n)
		for k := range x {
			if rng.Float64() >= zeros {
				x[k] = float32(rng.NormFloat64())
			}
		}
		return x
	}
	for _, lanes := range Sets() {
		for range 300 {
			m, n, k, gap := 1+rng.IntN(11), 1+rng.IntN(150), 1+rng.IntN(70), rng.IntN(4)
			alpha := float32(rng.NormFloat64())
			a, b := random((m+gap)*(k+gap), .6), random(k*(n+gap), 0)
			c := random(m*(n+gap), 0)
			want := append([]float32{}, c...)
			transposed := rng.IntN(2) == 0
			right, result := blas32.General{Rows: k, Cols: n, Stride: n + gap, Data: b}, blas32.General{Rows: m, Cols: n, Stride: n + gap, Data: want}
			if transposed {
				blas32.Gemm(blas.Trans, blas.NoTrans, alpha, blas32.General{Rows: k, Cols: m, Stride: m + gap, Data: a}, right, 1, result)
				Add(lanes, m, n, k, alpha, a, 1, m+gap, b, n+gap, c, n+gap)
			} else {
				blas32.Gemm(blas.NoTrans, blas.NoTrans, alpha, blas32.General{Rows: m, Cols: k, Stride: k + gap, Data: a}, right, 1, result)
				Add(lanes, m, n, k, alpha, a, k+gap, 1, b, n+gap, c, n+gap)
			}
			for p := range want {
				if c[p] != want[p] {
					t.Fatalf("%d lanes, %d×%d×%d, transposed %v: number %d is %v, want %v", lanes, m, k, n, transposed, p, c[p], want[p])
				}
			}
		}
	}
}

// BenchmarkAdd: 64 rows, half of the numbers of a are 0 at random.
func BenchmarkAdd(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, width := range []int{32, 128} {
		a, w, c := make([]float32, 64*width), make([]float32, width*width), make([]float32, 64*width)
		for k := range a {
			a[k] = max(float32(rng.NormFloat64()), 0)
		}
		for k := range w {
			w[k] = float32(rng.NormFloat64())
		}
		report := func(b *testing.B) {
			b.ReportMetric(float64(b.N)*64*float64(width*width)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		}
		of := func(x []float32) blas32.General {
			return blas32.General{Rows: len(x) / width, Cols: width, Stride: width, Data: x}
		}
		name := map[int]string{32: "32", 128: "128"}[width]
		b.Run("gonum/"+name, func(b *testing.B) {
			for b.Loop() {
				blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, of(a), of(w), 0, of(c))
			}
			report(b)
		})
		for _, lanes := range Sets() {
			b.Run(map[int]string{8: "avx2/", 16: "avx512/"}[lanes]+name, func(b *testing.B) {
				for b.Loop() {
					Add(lanes, 64, width, width, 1, a, width, 1, w, width, c, width)
				}
				report(b)
			})
		}
	}
}
