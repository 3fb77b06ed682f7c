//go:build cgo

package belief

/*
#cgo CFLAGS: -O3
#cgo noescape belief_exp
#cgo nocallback belief_exp
#cgo noescape belief_log1p
#cgo nocallback belief_log1p
#cgo noescape belief_scale
#cgo nocallback belief_scale
#cgo noescape belief_order
#cgo nocallback belief_order
#cgo noescape belief_left
#cgo nocallback belief_left
#cgo noescape belief_right
#cgo nocallback belief_right
#cgo noescape belief_dense
#cgo nocallback belief_dense
#cgo noescape belief_outer
#cgo nocallback belief_outer
#include "kernel.h"
*/
import "C"

import "unsafe"

func at(x []float32) *C.float   { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
func ints(x []int32) *C.int32_t { return (*C.int32_t)(unsafe.Pointer(unsafe.SliceData(x))) }

func expAll(y, x []float32)   { C.belief_exp(at(y), at(x), C.int64_t(len(x))) }
func log1pAll(y, x []float32) { C.belief_log1p(at(y), at(x), C.int64_t(len(x))) }

func scale(y, x []float32, factor, least, most float32) {
	C.belief_scale(at(y), at(x), C.int64_t(len(x)), C.float(factor), C.float(least), C.float(most))
}

func order(less, greater, x, y []float32, factor, most float32) {
	C.belief_order(at(less), at(greater), at(x), at(y), C.int64_t(len(x)), C.float(factor), C.float(most))
}

func left(y, x []float32, r *rows, n2 int, factor float32) {
	C.belief_left(at(y), at(x), C.int64_t(r.nodes()), C.int64_t(n2), ints(r.start), ints(r.to), C.float(factor))
}

func right(y, x []float32, n1 int, r *rows, factor float32, spare []float32) {
	C.belief_right(at(y), at(x), C.int64_t(n1), C.int64_t(r.nodes()), ints(r.start), ints(r.to), C.float(factor), at(spare))
}

func dense(y, x, w, b []float32, in, n int, relu bool) {
	positive := C.int(0)
	if relu {
		positive = 1
	}
	C.belief_dense(at(y), at(x), at(w), at(b), C.int64_t(len(b)), C.int64_t(in), C.int64_t(n), positive)
}

func outer(dw, dy, x []float32, out, in, n int) {
	C.belief_outer(at(dw), at(dy), at(x), C.int64_t(out), C.int64_t(in), C.int64_t(n))
}
