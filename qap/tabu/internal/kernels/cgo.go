//go:build cgo

package kernels

// Without -g0, debugging information takes a fifth of the time in which the kernels compile.

/*
#cgo CFLAGS: -O3 -g0
#cgo noescape tabu_prepare
#cgo nocallback tabu_prepare
#cgo noescape tabu_run
#cgo nocallback tabu_run
#include "kernel.h"
*/
import "C"

import "unsafe"

const (
	baseline Set = C.TABU_BASELINE
	avx2     Set = C.TABU_AVX2
	avx512   Set = C.TABU_AVX512
)

// The structs must be alike: these do not compile otherwise.
const (
	_ = uint(StateSize - C.sizeof_struct_tabu_state)
	_ = uint(C.sizeof_struct_tabu_state - StateSize)
)

// Supported returns what this processor can run, the fastest first.
func Supported() []Set {
	var all []Set
	for _, s := range []Set{avx512, avx2, baseline} {
		if C.tabu_supported(C.enum_tabu_set(s)) != 0 {
			all = append(all, s)
		}
	}
	return append(all, Go)
}

// Prepare is tabu_prepare of kernel.h.
func (s Set) Prepare(element int, state, cells, ticks, linear unsafe.Pointer, parts, from, to int) {
	C.tabu_prepare(C.enum_tabu_set(s), C.enum_tabu_type(element), (*C.struct_tabu_state)(state), cells, ticks, linear,
		C.int(parts), C.int64_t(from), C.int64_t(to))
}

// Run is tabu_run of kernel.h.
func (s Set) Run(element int, state, cells, ticks unsafe.Pointer) {
	C.tabu_run(C.enum_tabu_set(s), C.enum_tabu_type(element), (*C.struct_tabu_state)(state), cells, ticks)
}

func (s Set) String() string {
	switch s {
	case avx512:
		return "avx512"
	case avx2:
		return "avx2"
	case baseline:
		return "baseline"
	}
	return "go"
}
