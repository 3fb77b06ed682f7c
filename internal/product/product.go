// Package product multiplies matrices of float32 in C, compiled for each set of vector instructions: c += alpha·a·b or
// alpha·aᵀ·b. Each number of the result gets its terms one after the other and no product is fused with the sum, as in gonum, so
// that finite numbers are gonum's to the last bit, whatever the set: AVX-512 or AVX2.
package product

// Add is c += alpha·a·b by the set of so many numbers a vector. a has m·k numbers, those of a row inner apart and rows row apart; b
// has k rows of n numbers, ldb apart; c m rows of n, ldc apart.
func Add(lanes, m, n, k int, alpha float32, a []float32, row, inner int, b []float32, ldb int, c []float32, ldc int) {
	if m == 0 || n == 0 || k == 0 {
		return
	}
	_, _, _ = a[(m-1)*row+(k-1)*inner], b[(k-1)*ldb+n-1], c[(m-1)*ldc+n-1] // they hold so many
	add(lanes, m, n, k, alpha, a, row, inner, b, ldb, c, ldc)
}
