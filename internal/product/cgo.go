//go:build cgo && !openblas

package product

/*
#cgo CFLAGS: -O3 -g0
#cgo noescape product_add
#cgo nocallback product_add
#include "kernel.h"
*/
import "C"

import "unsafe"

// fastest is how many numbers a vector of this processor's fastest set has.
var fastest = int(C.product_set())

// Sets returns how many numbers the vectors of each set have that this processor can run, the fastest first.
func Sets() (all []int) {
	for lanes := fastest; lanes >= 8; lanes /= 2 {
		all = append(all, lanes)
	}
	return all
}

// Fastest is the first of Sets, 0 of none.
func Fastest() int { return fastest }

func add(lanes, m, n, k int, alpha float32, a []float32, row, inner int, b []float32, ldb int, c []float32, ldc int) {
	C.product_add(C.int(lanes), C.int64_t(m), C.int64_t(n), C.int64_t(k), C.float(alpha), floats(a), C.int64_t(row), C.int64_t(inner),
		floats(b), C.int64_t(ldb), floats(c), C.int64_t(ldc))
}

func floats(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }
