package anneal

import "github.com/rgm-go/rgm/internal/splitmix"

// state is what a search holds in single numbers. The C kernel has the same struct
// (kernel.h); every field has eight bytes.
type state struct {
	n, width, terms int64 // width is n rounded up to whole vectors
	lists, linear   int64 // whether flows are lists, and whether places cost by themselves: 0 or 1

	step, bestStep int64 // steps made: in all, until the best
	until          int64 // the step at which run ends
	worse, taken   int64 // trials that lead uphill, and how many of them were made
	unsaved        int64 // 1 where the assignment is the best one and no copy of it was made

	temperature float64
	cost, best  float64
	tolerance   float64         // a better best is better by more than this
	random      splitmix.Source // in C: kernel_types.h
}

// kernel is who makes the trials.
type kernel int

// goKernel is engine (engine.go).
const goKernel kernel = -1

func (k kernel) String() string { return [...]string{"go", "baseline", "avx2", "avx512"}[k+1] }

// newState returns a state in cache lines of its own: what searches side by side write all the time must not
// be in one line.
func newState(s state) *state {
	const line = 128 // bytes: two lines, which processors fetch together
	own := &struct {
		_ [line]byte
		state
		_ [line]byte
	}{state: s}
	return &own.state
}
