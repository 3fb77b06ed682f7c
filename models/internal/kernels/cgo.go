//go:build cgo

package kernels

// Without -g0, debugging information takes a fifth of the time in which the kernels compile.

/*
#cgo CFLAGS: -O3 -g0
#cgo noescape gain_forward
#cgo nocallback gain_forward
#cgo noescape gain_backward
#cgo nocallback gain_backward
#include "kernel.h"
*/
import "C"

import "unsafe"

const (
	baseline Set = C.GAIN_BASELINE
	avx2     Set = C.GAIN_AVX2
	avx512   Set = C.GAIN_AVX512
)

// The structs must be alike: these do not compile otherwise.
const (
	_ = uint(unsafe.Sizeof(Weights{}) - C.sizeof_struct_gain_weights)
	_ = uint(C.sizeof_struct_gain_weights - unsafe.Sizeof(Weights{}))
)

// Supported returns what this processor can run, the fastest first.
func Supported() []Set {
	var all []Set
	for _, s := range []Set{avx512, avx2, baseline} {
		if C.gain_supported(C.enum_gain_set(s)) != 0 {
			all = append(all, s)
		}
	}
	return append(all, Go)
}

func (set Set) forward(w *Weights, s *State) {
	C.gain_forward(C.enum_gain_set(set), weights(w), C.int64_t(s.N1), C.int64_t(s.N2),
		floats(s.Vertices), floats(s.Rows), floats(s.Columns), floats(s.State), floats(s.RowMeans), floats(s.ColumnMeans),
		floats(s.Means), floats(s.RowPart), floats(s.ColumnPart), floats(s.H), floats(s.U), floats(s.DH), floats(s.Q), floats(s.HSum))
}

func (set Set) backward(w *Weights, s *State, gradient *Weights) {
	C.gain_backward(C.enum_gain_set(set), weights(w), C.int64_t(s.N1), C.int64_t(s.N2),
		floats(s.Vertices), floats(s.Rows), floats(s.Columns), floats(s.State), floats(s.RowMeans), floats(s.ColumnMeans),
		floats(s.Means), floats(s.RowPart), floats(s.ColumnPart), floats(s.H), floats(s.U), floats(s.DH), floats(s.Q), floats(s.HSum),
		weights(gradient))
}

func weights(w *Weights) *C.struct_gain_weights { return (*C.struct_gain_weights)(unsafe.Pointer(w)) }
func floats(x []float32) *C.float               { return (*C.float)(unsafe.SliceData(x)) }

func (set Set) String() string {
	switch set {
	case avx512:
		return "avx512"
	case avx2:
		return "avx2"
	case baseline:
		return "baseline"
	}
	return "go"
}
