package tabu

import (
	"math/rand/v2"
	"unsafe"

	"github.com/rgm-go/rgm/qap"
)

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
// in the order of view in internal/kernels/steps.h. Matrices are width×width, vectors width
// long.
type memory[C cell, T tick] struct {
	cells []C
	ticks []T

	potential       []C       // [i,c]: cost of facility i at location c, others as they are
	delta           []C       // [i,j]: cost change of swapping i and j; see scan
	flow            [2][]C    // [k,i]: flow from i to k; second: from k to i
	distance        [2][]C    // [d,c]: distance from c to d; second: from d to c
	flowSum         []C       // flow + flowᵀ
	u, w, wFacility [2][]C    // the last swap: changes of potential u·wᵀ; w by facility
	held            []C       // potential[i,p(i)]
	near            [2][2][]C // [r or q][term]: distances to the facilities from where the swap put it
	pairUntil       []T       // [i,j]: the lesser of what swapping them needs of until
	until           []T       // [i,c]: step from which i may go to c
	untilByLocation []T       // [c,i]
	p, bestP        []T       // location by facility
	oldest          []T       // [i]: no pair in the scanned part of row i is less in pairUntil
}

func newMemory[C cell, T tick](width int) *memory[C, T] {
	const matrices, vectors, tickMatrices, tickVectors = 7, 11, 3, 3
	m := &memory[C, T]{
		cells: aligned[C](matrices*width*width + vectors*width),
		ticks: aligned[T](tickMatrices*width*width + tickVectors*width),
	}
	cells, ticks := m.cells, m.ticks
	for _, matrix := range []*[]C{&m.potential, &m.delta, &m.flow[0], &m.flow[1], &m.distance[0], &m.distance[1], &m.flowSum} {
		*matrix, cells = cells[:width*width:width*width], cells[width*width:]
	}
	for _, vector := range []*[]C{&m.u[0], &m.u[1], &m.w[0], &m.w[1], &m.wFacility[0], &m.wFacility[1], &m.near[0][0], &m.near[0][1], &m.near[1][0], &m.near[1][1], &m.held} {
		*vector, cells = cells[:width:width], cells[width:]
	}
	for _, matrix := range []*[]T{&m.pairUntil, &m.until, &m.untilByLocation} {
		*matrix, ticks = ticks[:width*width:width*width], ticks[width*width:]
	}
	for _, vector := range []*[]T{&m.p, &m.bestP, &m.oldest} {
		*vector, ticks = ticks[:width:width], ticks[width:]
	}
	return m
}

// place sets what is of the places of facilities.
func (m *memory[C, T]) place(start qap.Matching, width int) {
	n := len(start)
	for k := range width {
		m.p[k] = T(k)
		if k < n {
			m.p[k] = T(start[k])
		}
		m.oldest[k] = forever[T]()
		if k >= n {
			m.held[k] = -largest[C]() // so the deltas of padding stay largest
		}
	}
	copy(m.bestP, m.p)
}

// fillRows sets some rows of what does not depend on computed costs. With one term, flow +
// flowᵀ takes the place of flow.
func (m *memory[C, T]) fillRows(p *problem, width, from, to int) {
	n, never := p.n, forever[T]()
	for i := from; i < min(n, to); i++ {
		flow, flowT := p.flow[i*n:(i+1)*n], p.flowT[i*n:(i+1)*n]
		distance, distanceT := p.distance[i*n:(i+1)*n], p.distanceT[i*n:(i+1)*n]
		sums, flow0, distance0 := m.flowSum[i*width:], m.flow[0][i*width:], m.distance[0][i*width:]
		for j := range n {
			sums[j] = C(flow[j]) + C(flowT[j])
		}
		if p.symmetric {
			copy(flow0, sums[:n])
			convert(distance0, distance)
		} else {
			convert(flow0, flowT)
			convert(distance0, distanceT)
			convert(m.flow[1][i*width:], flow)
			convert(m.distance[1][i*width:], distance)
		}
	}
	for k := from * width; k < to*width; k++ {
		m.until[k], m.untilByLocation[k] = never, never
	}
}

func convert[C cell](dst []C, src []float64) {
	for k, v := range src {
		dst[k] = C(v)
	}
}

// fillTimes has some facilities have left each location some time ago.
func (m *memory[C, T]) fillTimes(n, width, from, to int, rng *rand.Rand) {
	for i := from; i < to; i++ {
		for c := range n {
			m.until[i*width+c] = T(-rng.IntN(n * n))
		}
	}
	transpose(m.untilByLocation, m.until, n, width, from, to)
}

// aligned returns zeros that begin at a multiple of 64 bytes, the longest vector.
func aligned[E cell | tick](length int) []E {
	const bytes = 64
	var e E
	size := int(unsafe.Sizeof(e))
	all := make([]E, length+bytes/size)
	skip := -int(uintptr(unsafe.Pointer(&all[0]))/uintptr(size)) & (bytes/size - 1)
	return all[skip : skip+length : skip+length]
}
