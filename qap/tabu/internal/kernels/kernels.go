// Package kernels holds the compiled steps of the search by tabu, one kernel for each set of
// vector instructions. It is a package of its own so that C is compiled once, not again for
// each test of package tabu. All do exactly what tabu's engine does in Go, on the same memory.
package kernels

// Set is an instruction set of the C kernels, or Go.
type Set int

// Go stands for the engine in Go, which needs no kernel.
const Go Set = -1

// StateSize is the size in bytes of the struct that a trajectory holds its single numbers in.
const StateSize = 22 * 8
