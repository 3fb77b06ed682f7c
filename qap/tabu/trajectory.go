package tabu

import (
	"math/rand/v2"
	"unsafe"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

// element is the type of costs inside a trajectory, numbered as in internal/kernels/kernel.h.
type element int

const (
	elementFloat32 element = iota // where exact: integers below 2²⁴ throughout
	elementInt32                  // where exact
	elementFloat64                // elsewhere
)

// widestNarrow is the number of nodes up to which ticks of 32 bits hold every
// aspiration, and a place in a matrix.
const widestNarrow = 10_000

// element returns the fastest type that computes a problem without overflow, and
// exactly if its data are integers.
func (p *problem) element() element {
	switch largest := p.largest(); {
	case !p.isInteger() || p.n > widestNarrow:
		return elementFloat64
	case largest < 1<<24:
		return elementFloat32
	case largest < 1<<31-1:
		return elementInt32
	}
	return elementFloat64
}

// trajectory is a search of any element type.
type trajectory interface {
	state() *state
	// begin prepares the first step, and restart that of a search from locations by facility
	// with no swap tabu. They return false where the watch (nil: there is none) ended them
	// before: then no step can be made.
	begin(rng *rand.Rand, watch *qap.Watch) bool
	restart(p []int32, watch *qap.Watch) bool

	run()                     // searches until state's limits
	copyBest(p []int32)       // the best since the last restart
	rebase()                  // sets the clock back to 0
	assignment() qap.Matching // where it is
	best() qap.Matching       // the best so far
}

// newTrajectory returns a trajectory at an assignment, which must begin or restart.
func newTrajectory(p *problem, e element, k kernels.Set, start qap.Matching, cost float64, rng *rand.Rand) trajectory {
	s := newState(p, cost, rng)
	switch e {
	case elementFloat32:
		return newSearch[float32, int32](p, e, k, start, s)
	case elementInt32:
		return newSearch[int32, int32](p, e, k, start, s)
	default:
		return newSearch[float64, int64](p, e, k, start, s)
	}
}

// search is a trajectory of one element type.
type search[C cell, T tick] struct {
	*memory[C, T]
	problem *problem
	linear  []C // [i,c]: cost of facility i at location c by itself; nil if there is none
	s       *state
	element element
	kernel  kernels.Set
	filled  int // rows; see fill
}

func newSearch[C cell, T tick](p *problem, e element, k kernels.Set, start qap.Matching, s *state) *search[C, T] {
	t := &search[C, T]{memory: newMemory[C, T](int(s.width)), problem: p, s: s, element: e, kernel: k}
	t.place(start, int(s.width))
	t.linear = paddedLinear[C](p, int(s.width))
	return t
}

func (t *search[C, T]) state() *state { return t.s }

func (t *search[C, T]) run() {
	if t.kernel == kernels.Go {
		t.runGo()
	} else {
		t.kernel.Run(int(t.element), unsafe.Pointer(t.s), unsafe.Pointer(&t.cells[0]), unsafe.Pointer(&t.ticks[0]))
	}
}

// paddedLinear returns the linear costs with rows of width, nil where all are 0.
func paddedLinear[C cell](p *problem, width int) []C {
	if p.linearEntries.NonZeros == 0 {
		return nil
	}
	linear := make([]C, p.n*width)
	for i := range p.n {
		for c := range p.n {
			linear[i*width+c] = C(p.linear[i*p.n+c])
		}
	}
	return linear
}

func (t *search[C, T]) copyBest(p []int32) {
	for i, c := range t.bestP[:len(p)] {
		p[i] = int32(c)
	}
}

// rebase keeps the clock small enough for int32. Free for longer than any
// aspiration is all the same.
func (t *search[C, T]) rebase() {
	shift := T(t.s.clock)
	oldest := -T(t.s.lateAspiration) - 1
	for _, times := range [][]T{t.until, t.untilByLocation, t.pairUntil, t.oldest} {
		for k, until := range times {
			if until != forever[T]() {
				times[k] = max(until-shift, oldest)
			}
		}
	}
	t.s.clock = 0
}

func (t *search[C, T]) assignment() qap.Matching { return matching(t.p[:t.s.n]) }
func (t *search[C, T]) best() qap.Matching       { return matching(t.bestP[:t.s.n]) }

func matching[T tick](locations []T) qap.Matching {
	m := make(qap.Matching, len(locations))
	for i, c := range locations {
		m[i] = int(c)
	}
	return m
}
