//go:build !cgo

package kernels

import "unsafe"

// Supported returns what can run without C.
func Supported() []Set { return []Set{Go} }

// Prepare panics: there is no kernel of this name.
func (Set) Prepare(int, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, int, int, int) {
	panic("tabu: no such kernel")
}

// Run panics: there is no kernel of this name.
func (Set) Run(int, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer) { panic("tabu: no such kernel") }
func (Set) String() string                                          { return "go" }
