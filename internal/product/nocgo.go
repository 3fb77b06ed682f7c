//go:build !cgo || openblas

package product

// Sets returns none: there is no C.
func Sets() []int { return nil }

// Fastest is the first of Sets, 0 of none.
func Fastest() int { return 0 }

func add(lanes, m, n, k int, alpha float32, a []float32, row, inner int, b []float32, ldb int, c []float32, ldc int) {
	panic("product: no such set")
}
