//go:build openblas && cgo

package layers

/*
#cgo LDFLAGS: -lopenblas
#cgo noescape cblas_sgemm
#cgo nocallback cblas_sgemm

// Of OpenBLAS's cblas.h, which distributions keep in different folders.
void cblas_sgemm(int order, int transA, int transB, int m, int n, int k,
	float alpha, const float *a, int lda, const float *b, int ldb,
	float beta, float *c, int ldc);
void openblas_set_num_threads(int threads);
*/
import "C"

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/gonum"
)

// wholeProducts reports whether a large product is best done in one call.
const wholeProducts = true

// CBLAS's numbers.
const (
	rowMajor = 101
	noTrans  = 111
	trans    = 112
)

func init() {
	C.openblas_set_num_threads(1) // passes run in parallel already
	blas32.Use(openBLAS{})
}

// openBLAS is gonum's BLAS with OpenBLAS's matrix product.
type openBLAS struct{ gonum.Implementation }

// Sgemm leaves what is empty or does not fit to gonum, which panics on the latter.
func (o openBLAS) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	rowsA, colsA, orderA := m, k, noTrans
	if tA != blas.NoTrans {
		rowsA, colsA, orderA = k, m, trans
	}
	rowsB, colsB, orderB := k, n, noTrans
	if tB != blas.NoTrans {
		rowsB, colsB, orderB = n, k, trans
	}
	if !holds(a, rowsA, colsA, lda) || !holds(b, rowsB, colsB, ldb) || !holds(c, m, n, ldc) {
		o.Implementation.Sgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	C.cblas_sgemm(rowMajor, C.int(orderA), C.int(orderB), C.int(m), C.int(n), C.int(k),
		C.float(alpha), (*C.float)(&a[0]), C.int(lda), (*C.float)(&b[0]), C.int(ldb),
		C.float(beta), (*C.float)(&c[0]), C.int(ldc))
}

// holds reports whether data hold a matrix that is not empty.
func holds(data []float32, rows, cols, stride int) bool {
	return rows > 0 && cols > 0 && stride >= cols && len(data) >= (rows-1)*stride+cols
}
