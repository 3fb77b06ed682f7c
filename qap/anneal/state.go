package anneal

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
	tolerance   float64 // a better best is better by more than this
	random      random
}

// random is SplitMix64 (Steele, Lea, Flood, doi:10.1145/2660193.2660195), written in Go
// and in C (kernel_types.h) so that both draw the same numbers.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns 0..n-1; its bias, below n/2³², does not matter here.
func (r *random) below(n int) int { return int(r.next() & 0xffffffff * uint64(n) >> 32) }

// kernel is who makes the trials.
type kernel int

// goKernel is engine (engine.go).
const goKernel kernel = -1

func (k kernel) String() string { return [...]string{"go", "baseline", "avx2", "avx512"}[k+1] }
