//go:build cgo

package tabu

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
	baselineKernel kernel = C.TABU_BASELINE
	avx2Kernel     kernel = C.TABU_AVX2
	avx512Kernel   kernel = C.TABU_AVX512
)

// The structs must be alike: these do not compile otherwise.
const (
	_ = uint(unsafe.Sizeof(state{}) - C.sizeof_struct_tabu_state)
	_ = uint(C.sizeof_struct_tabu_state - unsafe.Sizeof(state{}))
)

// kernels returns what this processor can run, the fastest first.
func kernels() []kernel {
	var all []kernel
	for _, k := range []kernel{avx512Kernel, avx2Kernel, baselineKernel} {
		if C.tabu_supported(C.enum_tabu_set(k)) != 0 {
			all = append(all, k)
		}
	}
	return append(all, goKernel)
}

func (k kernel) prepare(e element, s *state, cells, ticks, linear unsafe.Pointer, parts parts, from, to int) {
	C.tabu_prepare(C.enum_tabu_set(k), C.enum_tabu_type(e), (*C.struct_tabu_state)(unsafe.Pointer(s)), cells, ticks, linear,
		C.int(parts), C.int64_t(from), C.int64_t(to))
}

func (k kernel) run(e element, s *state, cells, ticks unsafe.Pointer) {
	C.tabu_run(C.enum_tabu_set(k), C.enum_tabu_type(e), (*C.struct_tabu_state)(unsafe.Pointer(s)), cells, ticks)
}

func (k kernel) String() string {
	switch k {
	case avx512Kernel:
		return "avx512"
	case avx2Kernel:
		return "avx2"
	case baselineKernel:
		return "baseline"
	}
	return "go"
}
