//go:build cgo

package anneal

/*
#cgo CFLAGS: -O3
#cgo noescape anneal_run
#cgo nocallback anneal_run
#include "kernel.h"
*/
import "C"

import "unsafe"

const (
	baselineKernel kernel = C.ANNEAL_BASELINE
	avx2Kernel     kernel = C.ANNEAL_AVX2
	avx512Kernel   kernel = C.ANNEAL_AVX512
)

// The structs must be alike: these do not compile otherwise.
const (
	_ = uint(unsafe.Sizeof(state{}) - C.sizeof_struct_anneal_state)
	_ = uint(C.sizeof_struct_anneal_state - unsafe.Sizeof(state{}))
)

// kernels returns what this processor can run, the fastest first.
func kernels() []kernel {
	var all []kernel
	for _, k := range []kernel{avx512Kernel, avx2Kernel, baselineKernel} {
		if C.anneal_supported(C.enum_anneal_set(k)) != 0 {
			all = append(all, k)
		}
	}
	return append(all, goKernel)
}

func (k kernel) run(e element, s *state, cells unsafe.Pointer, places []int32, reals []float64) {
	C.anneal_run(C.enum_anneal_set(k), C.enum_anneal_type(e), (*C.struct_anneal_state)(unsafe.Pointer(s)), cells,
		(*C.int32_t)(&places[0]), (*C.double)(&reals[0]))
}
