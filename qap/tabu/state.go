package tabu

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// state is what a trajectory holds in single numbers. The C kernel has the same
// struct (kernel.h); every field has eight bytes.
type state struct {
	n, width, terms       int64 // width is n rounded up to whole blocks
	step, clock, bestStep int64 // swaps made: in all, since the last rebase, until the best

	// run ends at the first of these.
	until    int64 // step
	patience int64 // steps since the best improved
	target   float64

	// The schedule: aspirations in steps, tenures scale·(offset + u) before
	// earlySteps and scale·u³ after, u uniform.
	earlySteps, earlyAspiration, lateAspiration int64
	earlyScale, earlyOffset, lateScale          float64

	cost, best float64
	tolerance  float64 // a better best is better by more than this
	random     random
}

// The schedule: a short, even tenure finds good assignments soon; the later one,
// with its long tail, keeps finding better ones.
const (
	earlySteps       = 20_000 // swaps made under the first tenure
	earlyAspiration  = 3      // ·n² swaps without a match force it
	lateAspiration   = 5
	earlyTenureLow   = 0.9 // ·n
	earlyTenureHigh  = 1.1
	lateTenureFactor = 4 // tenure is this ·n·u³
)

// blockSize is the number of columns that are scanned as one; rows are padded to
// whole blocks.
const blockSize = 16

// roundOff is the part of the starting cost under which a gain may be rounding,
// where data are no integers.
const roundOff = 1e-12

func newState(p *problem, cost, tolerance float64, rng *rand.Rand) *state {
	n := float64(p.n)
	return &state{
		n: int64(p.n), width: int64((p.n + blockSize - 1) &^ (blockSize - 1)), terms: int64(p.terms()),
		earlySteps:      earlySteps,
		earlyAspiration: int64(earlyAspiration * p.n * p.n),
		lateAspiration:  int64(lateAspiration * p.n * p.n),
		earlyScale:      (earlyTenureHigh - earlyTenureLow) * n,
		earlyOffset:     earlyTenureLow / (earlyTenureHigh - earlyTenureLow),
		lateScale:       lateTenureFactor * n,
		cost:            cost, best: cost, tolerance: tolerance,
		random: newRandom(rng),
	}
}

// cell is the type of costs inside the search, tick one of steps that is as wide.
type (
	cell interface{ float32 | int32 | float64 }
	tick interface{ int32 | int64 }
)

// forever is the step until which a pair that is none (a facility with itself, a
// padded column) is tabu.
func forever[T tick]() T {
	var most T = 1
	for most<<1 > 0 {
		most = most<<1 | 1
	}
	return most
}

// memory is the arrays of a trajectory: one piece of cells and one of ticks, cut up
// in the order of view in kernel_steps.h. Matrices are width×width.
type memory[C cell, T tick] struct {
	cells []C
	ticks []T

	potential            []C       // [i,c]: cost of facility i at location c, others as they are
	delta                []C       // [i,j]: cost change of swapping i and j; see scan
	flow                 [2][]C    // [k,i]: flow from i to k; second: from k to i
	distance             [2][]C    // [d,c]: distance from c to d; second: from d to c
	flowSum, distanceSum []C       // flow + flowᵀ, distance + distanceᵀ
	u, w, wFacility      [2][]C    // the last swap: changes of potential u·wᵀ; w by facility
	held                 []C       // potential[i,p(i)]
	near                 [2][2][]C // [r or q][term]: distances to the facilities from where the swap put it
	row, column          []C       // scratch
	pairUntil            []T       // [i,j]: the lesser of what swapping them needs of until
	until                []T       // [i,c]: step from which i may go to c
	untilByLocation      []T       // [c,i]
	p, bestP             []T       // location by facility
}

func newMemory[C cell, T tick](width int) *memory[C, T] {
	const matrices, vectors, tickMatrices, tickVectors = 7, 13, 3, 2
	m := &memory[C, T]{
		cells: aligned[C](matrices*width*width + vectors*width),
		ticks: aligned[T](tickMatrices*width*width + tickVectors*width),
	}
	cells, ticks := m.cells, m.ticks
	for _, matrix := range []*[]C{&m.potential, &m.delta, &m.flow[0], &m.flow[1], &m.distance[0], &m.distance[1], &m.flowSum} {
		*matrix, cells = cells[:width*width:width*width], cells[width*width:]
	}
	for _, vector := range []*[]C{&m.u[0], &m.u[1], &m.w[0], &m.w[1], &m.wFacility[0], &m.wFacility[1], &m.near[0][0], &m.near[0][1], &m.near[1][0], &m.near[1][1], &m.held, &m.row, &m.column} {
		*vector, cells = cells[:width:width], cells[width:]
	}
	for _, matrix := range []*[]T{&m.pairUntil, &m.until, &m.untilByLocation} {
		*matrix, ticks = ticks[:width*width:width*width], ticks[width*width:]
	}
	for _, vector := range []*[]T{&m.p, &m.bestP} {
		*vector, ticks = ticks[:width:width], ticks[width:]
	}
	return m
}

// fill sets what does not depend on computed costs. With one term, flow + flowᵀ
// takes the place of flow.
func (m *memory[C, T]) fill(p *problem, start qap.Matching, width int, rng *rand.Rand) {
	n := p.n
	for i := range n {
		for j := range n {
			x, xt := C(p.flow[i*n+j]), C(p.flow[j*n+i])
			y, yt := C(p.distance[i*n+j]), C(p.distance[j*n+i])
			k := i*width + j
			m.flowSum[k] = x + xt
			if p.symmetric {
				m.flow[0][k], m.distance[0][k] = x+xt, y
			} else {
				m.flow[0][k], m.distance[0][k] = xt, yt
				m.flow[1][k], m.distance[1][k] = x, y
			}
			m.potential[k] = C(p.linear[i*n+j])
		}
	}
	for k := range m.until {
		m.until[k], m.untilByLocation[k] = forever[T](), forever[T]()
	}
	for i := range n {
		for c := range n {
			t := T(-rng.IntN(n * n))
			m.until[i*width+c], m.untilByLocation[c*width+i] = t, t
		}
	}
	for k := range width {
		m.p[k] = T(k)
		if k < n {
			m.p[k] = T(start[k])
		}
	}
	copy(m.bestP, m.p)
}
