package tabu

import (
	"math/rand/v2"
	"unsafe"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

// parts are what prepare computes, as bits, numbered as in internal/kernels/kernel.h.
type parts int

const (
	potentials parts = 1 << iota // and, in state, twice the cost
	deltas                       // from all potentials
	pairs                        // which are tabu, by the times that are in place
	freePairs                    // that none is
)

// A call of the kernel takes as many rows as this work allows, in cells, so that watches are
// looked at every few milliseconds: on large graphs the whole takes as long as a hundred
// swaps and more.
const (
	workOfKernel = 1 << 27 // about n² cells a row
	workOfGo     = 1 << 23
)

// prepare computes parts of the memory for the assignment that is in place. It returns false
// where the watch (nil: there is none) ended it before.
func (t *search[C, T]) prepare(all parts, watch *qap.Watch) bool {
	n, work := int(t.s.n), workOfKernel
	if t.kernel == kernels.Go {
		work = workOfGo
	}
	rows := max(1, work/(n*n))
	if rows >= n { // in no time
		t.prepareRows(all, 0, n)
		return true
	}
	for _, part := range []parts{potentials, deltas, pairs, freePairs} {
		for from := 0; from < n && all&part != 0; from += rows {
			if watch.Over() {
				return false
			}
			t.prepareRows(part, from, min(n, from+rows))
		}
	}
	return true
}

func (t *search[C, T]) prepareRows(all parts, from, to int) {
	if t.kernel == kernels.Go {
		t.prepareGo(all, from, to)
		return
	}
	t.kernel.Prepare(int(t.element), unsafe.Pointer(t.s), unsafe.Pointer(&t.cells[0]), unsafe.Pointer(&t.ticks[0]), unsafe.Pointer(unsafe.SliceData(t.linear)), int(all), from, to)
}

// prepareGo is the same as internal/kernels/prepare.h, on the same memory.
func (t *search[C, T]) prepareGo(all parts, from, to int) {
	for i := from; i < to && all&potentials != 0; i++ {
		t.setPotential(i)
	}
	for i := from; i < to && all&deltas != 0; i++ {
		t.setNear(i, t.near[0])
		t.setDeltaRow(i, t.near[0], false)
	}
	for i := from; i < to && all&pairs != 0; i++ {
		t.setPairUntil(i)
	}
	for i := from; i < to && all&freePairs != 0; i++ {
		t.setFree(i)
	}
}

// setPotential computes the potentials of i, and adds to the cost what it has to do with
// others, who do so too, and twice what it costs at its location.
func (t *search[C, T]) setPotential(i int) {
	n, width := int(t.s.n), int(t.s.width)
	potential := t.potential[i*width : (i+1)*width]
	if t.linear == nil {
		clear(potential)
	} else {
		copy(potential, t.linear[i*width:])
	}
	for term := range int(t.s.terms) {
		for k := range n {
			if flow := t.flow[term][k*width+i]; flow != 0 {
				d := int(t.p[k])
				addScaled(potential, flow, t.distance[term][d*width:(d+1)*width])
			}
		}
	}
	at := i*width + int(t.p[i])
	t.held[i] = t.potential[at]
	t.s.cost += float64(t.held[i])
	if t.linear != nil {
		t.s.cost += float64(t.linear[at])
	}
}

// setFree has no swap of i be tabu.
func (t *search[C, T]) setFree(i int) {
	n, width := int(t.s.n), int(t.s.width)
	for k := range n {
		t.until[i*width+k], t.untilByLocation[i*width+k], t.pairUntil[i*width+k] = -1, -1, -1
	}
	t.pairUntil[i*width+i] = forever[T]()
	t.oldest[i] = -1
}

// rowsAtOnce is how many rows are filled between looks at a watch.
const rowsAtOnce = 256

// fill sets what does not depend on computed costs, where that was not done before. It
// returns false where the watch ended it.
func (t *search[C, T]) fill(watch *qap.Watch) bool {
	for width := int(t.s.width); t.filled < width; {
		if width > rowsAtOnce && watch.Over() {
			return false
		}
		to := min(width, t.filled+rowsAtOnce)
		t.fillRows(t.problem, width, t.filled, to)
		t.filled = to
	}
	return true
}

// begin prepares the first step from the assignment in place, whose cost is known.
func (t *search[C, T]) begin(rng *rand.Rand, watch *qap.Watch) bool {
	n, width := int(t.s.n), int(t.s.width)
	if !t.fill(watch) {
		return false
	}
	for from := 0; from < n; from += rowsAtOnce {
		if n > rowsAtOnce && watch.Over() {
			return false
		}
		t.fillTimes(n, width, from, min(n, from+rowsAtOnce), rng)
	}
	cost := t.s.cost
	begun := t.prepare(potentials|deltas|pairs, watch)
	t.s.cost = cost
	return begun
}

// restart begins a search at locations by facility, with no swap tabu and the clock at 0. One
// that the watch ended before is at p too.
func (t *search[C, T]) restart(p []int32, watch *qap.Watch) bool {
	for i, c := range p {
		t.p[i] = T(c)
	}
	copy(t.bestP, t.p)
	for term := range int(t.s.terms) {
		clear(t.u[term]) // no swap is pending
		clear(t.wFacility[term])
	}
	s := t.s
	s.cost = 0
	begun := t.fill(watch) && t.prepare(potentials|deltas|freePairs, watch)
	if s.cost /= 2; !begun {
		s.cost = t.problem.cost(p)
	}
	s.clock, s.best, s.bestStep = 0, s.cost, s.step
	return begun
}
