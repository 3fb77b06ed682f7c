package layers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// TestMatrixProduct compares with the sum of products in float64, whatever BLAS is
// behind it: sizes below and above those of the panels, transposed factors, rows
// further apart than they are long. Sums of 130 terms of size 1 agree to about 1e-5.
func TestMatrixProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const gap = 3
	random := func(rows, cols int) blas32.General {
		m := blas32.General{Rows: rows, Cols: cols, Stride: cols + gap, Data: make([]float32, rows*(cols+gap))}
		for k := range m.Data {
			m.Data[k] = float32(rng.NormFloat64())
		}
		return m
	}
	at := func(m blas32.General, transposed bool, i, j int) float64 {
		if transposed {
			i, j = j, i
		}
		return float64(m.Data[i*m.Stride+j])
	}
	for _, size := range [][3]int{{1, 1, 1}, {2, 130, 4}, {64, 16, 128}, {65, 130, 129}, {200, 128, 300}} {
		for order := range 4 {
			tA, tB := order&1 == 1, order&2 == 2
			t.Run(fmt.Sprintf("%v %v %v", size, tA, tB), func(t *testing.T) {
				rows, inner, cols := size[0], size[1], size[2]
				factor := func(transposed bool, rows, cols int) (blas32.General, blas.Transpose) {
					if transposed {
						return random(cols, rows), blas.Trans
					}
					return random(rows, cols), blas.NoTrans
				}
				a, orderA := factor(tA, rows, inner)
				b, orderB := factor(tB, inner, cols)
				c := random(rows, cols)
				before := append([]float32{}, c.Data...)
				MatrixProduct(orderA, orderB, 0.5, a, b, 2, c)
				for i := range rows {
					for k := range c.Stride {
						want := float64(before[i*c.Stride+k])
						if k < cols {
							want *= 2
							for j := range inner {
								want += 0.5 * at(a, tA, i, j) * at(b, tB, j, k)
							}
						}
						if got := float64(c.Data[i*c.Stride+k]); math.Abs(got-want) > 1e-4 {
							t.Fatalf("row %d, column %d: %v, want %v", i, k, got, want)
						}
					}
				}
			})
		}
	}
}

// TestReluKeepsNaN: what is not a number must show in the loss.
func TestReluKeepsNaN(t *testing.T) {
	nan := float32(math.NaN())
	inf := float32(math.Inf(1))
	x := []float32{-1, 0, 2, -inf, inf, nan, -nan, float32(math.Copysign(0, -1)), -1e-45}
	Relu(x)
	want := []float32{0, 0, 2, 0, inf, nan, nan, 0, 0}
	for k := range want {
		if x[k] != want[k] && !(x[k] != x[k] && want[k] != want[k]) || math.Signbit(float64(x[k])) && x[k] == 0 {
			t.Errorf("relu gives %v at %d, want %v", x[k], k, want[k])
		}
	}
}

// TestSmallSlicesMultiplyAlike: products are the same to the last bit wherever Go puts their
// factors, those of 5 and 6 floats too, which lie at any multiple of 8 bytes.
func TestSmallSlicesMultiplyAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = rng.Float32() - 0.5
		}
		return x
	}
	for name, c := range map[string]struct {
		product       func(y, x, w []float32, rows, in, out int, keep float32)
		rows, in, out int
		x, w, y       int // floats
	}{
		"forward, width 5":  {Multiply, 7, 5, 1, 35, 5, 7},
		"forward, width 6":  {Multiply, 1, 6, 1, 6, 6, 1},
		"backward, width 5": {MultiplyBack, 1, 7, 5, 5, 35, 7},
		"backward, width 6": {MultiplyBack, 7, 1, 6, 42, 6, 7},
		"backward, width 9": {MultiplyBack, 3, 4, 9, 27, 36, 12},
	} {
		x, w, want := random(c.x), random(c.w), make([]float32, c.y)
		c.product(want, x, w, c.rows, c.in, c.out, 0)
		var kept [][]float32 // so that copies lie in many places
		for range 200 {
			y, otherX, otherW := make([]float32, c.y), slices.Clone(x), slices.Clone(w)
			kept = append(kept, otherX, otherW)
			if c.product(y, otherX, otherW, c.rows, c.in, c.out, 0); !slices.Equal(y, want) {
				t.Errorf("%s: %v, before %v", name, y, want)
				break
			}
		}
		runtime.KeepAlive(kept)
	}
}
