//go:build !cgo

package tabu

import "unsafe"

// kernels returns what can run without C.
func kernels() []kernel { return []kernel{goKernel} }

func (k kernel) prepare(element, *state, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, parts, int, int) {
	panic("tabu: no such kernel")
}

func (k kernel) run(element, *state, unsafe.Pointer, unsafe.Pointer) { panic("tabu: no such kernel") }
func (k kernel) String() string                                      { return "go" }
