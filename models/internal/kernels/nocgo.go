//go:build !cgo

package kernels

// Supported returns what can run without C.
func Supported() []Set { return []Set{Go} }

func (Set) forward(*Weights, *State)            { panic("kernels: no such kernel") }
func (Set) backward(*Weights, *State, *Weights) { panic("kernels: no such kernel") }
func (Set) String() string                      { return "go" }
