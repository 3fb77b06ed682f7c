package anneal

import (
	"math"
	"unsafe"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// cell is the type of flows and distances inside the search, sum that of what is added
// up of their products.
type (
	cell interface{ int8 | int16 | float64 }
	sum  interface{ int32 | float64 }
)

// memory is the arrays of a search, in three pieces, cut up in the order of view in
// kernel_steps.h. Each matrix has n rows of width; with one term, flow + flowᵀ takes
// the place of flow.
type memory[C cell] struct {
	cells  []C
	places []int32
	reals  []float64

	distance [2][]C // [c,k]: from location c to that of facility k, or to location k where flows are lists; second: to c
	flow     [2][]C // [i,j]: from i to j; second: to i
	weight   []C    // flows as lists

	p, best []int32 // location by facility, in the best too
	first   []int32 // of each facility in partner and weight, and their end
	partner []int32 // the facilities that have flow with each

	threshold []float64 // how much worse, in temperatures, a trial may be
	linear    []float64 // [i,c], nil if there is none
}

// A trial that leads uphill is made by an exponential draw from a table.
const (
	thresholds    = 1 << thresholdBits
	thresholdBits = 12
)

// vectorBytes is the longest vector: rows are padded to whole ones.
const vectorBytes = 64

// newMemory returns the memory of a view, at a start.
func newMemory[C cell](v *tabu.View, start qap.Matching, lists bool) *memory[C] {
	n := len(start)
	width, terms, flows := widthOf[C](n), termsOf(v), 0
	if lists {
		flows = countFlows(v, n)
	}
	m := &memory[C]{cells: aligned[C](cellsOf(n, width, terms, flows, lists)), places: make([]int32, 2*n+n+1+flows)}
	cells, places := m.cells, m.places
	m.p, places = places[:n], places[n:]
	m.best, places = places[:n], places[n:]
	m.first, m.partner = places[:n+1], places[n+1:]
	for t := range terms {
		m.distance[t], cells = cells[:n*width], cells[n*width:]
	}
	if lists {
		m.weight = cells
		m.fillLists(v)
	} else {
		for t := range terms {
			m.flow[t], cells = cells[:n*width], cells[n*width:]
		}
		m.fillFlows(v, width)
	}
	for i, c := range start {
		m.p[i], m.best[i] = int32(c), int32(c)
	}
	m.fillDistances(v, width)
	m.fillReals(v)
	return m
}

// widthOf returns n rounded up to an odd number of vectors, so that the entries of a
// column, which a swap exchanges, do not fall into few sets of the processor's cache.
func widthOf[C cell](n int) int {
	var c C
	lanes := vectorBytes / int(unsafe.Sizeof(c))
	return ((n+lanes-1)/lanes | 1) * lanes
}

// termsOf is the number of products a pair of facilities needs: with a symmetric
// distance flow + flowᵀ stands for both directions.
func termsOf(v *tabu.View) int {
	if v.Symmetric {
		return 1
	}
	return 2
}

// cellsOf is the length of memory.cells.
func cellsOf(n, width, terms, flows int, lists bool) int {
	if lists {
		return terms*n*width + flows
	}
	return 2 * terms * n * width
}

// countFlows counts the entries of flow + flowᵀ that are not 0.
func countFlows(v *tabu.View, n int) int {
	count := 0
	for i := range n {
		for j := range i {
			if v.Flow[i*n+j]+v.FlowT[i*n+j] != 0 {
				count += 2
			}
		}
	}
	return count
}

func (m *memory[C]) fillLists(v *tabu.View) {
	n, next := len(m.p), 0
	for i := range n {
		m.first[i] = int32(next)
		for j := range n {
			if both := v.Flow[i*n+j] + v.FlowT[i*n+j]; both != 0 {
				m.partner[next], m.weight[next] = int32(j), C(both)
				next++
			}
		}
	}
	m.first[n] = int32(next)
}

func (m *memory[C]) fillFlows(v *tabu.View, width int) {
	n := len(m.p)
	for i := range n {
		for j := range n {
			out, in := v.Flow[i*n+j], v.FlowT[i*n+j]
			if v.Symmetric {
				m.flow[0][i*width+j] = C(out + in)
			} else {
				m.flow[0][i*width+j], m.flow[1][i*width+j] = C(out), C(in)
			}
		}
	}
}

// fillDistances brings the columns into the order of facilities, unless flows are lists.
func (m *memory[C]) fillDistances(v *tabu.View, width int) {
	n := len(m.p)
	for c := range n {
		for k := range n {
			d := k
			if m.weight == nil {
				d = int(m.p[k])
			}
			m.distance[0][c*width+k] = C(v.Distance[c*n+d])
			if !v.Symmetric {
				m.distance[1][c*width+k] = C(v.DistanceT[c*n+d])
			}
		}
	}
}

func (m *memory[C]) fillReals(v *tabu.View) {
	m.reals = make([]float64, thresholds)
	for k := range m.reals {
		m.reals[k] = portable(-math.Log((float64(k) + 0.5) / thresholds))
	}
	for _, cost := range v.Linear {
		if cost != 0 {
			m.reals = append(m.reals, v.Linear...)
			m.linear = m.reals[thresholds:]
			break
		}
	}
	m.threshold = m.reals[:thresholds]
}

// portable rounds to 24 bits, which the mathematical functions of all machines agree on, of
// a number of any size.
func portable(x float64) float64 {
	fraction, exponent := math.Frexp(x)
	return math.Ldexp(float64(float32(fraction)), exponent)
}

// aligned returns zeros that begin at a whole vector.
func aligned[E any](length int) []E {
	var e E
	size := int(unsafe.Sizeof(e))
	all := make([]E, length+vectorBytes/size)
	skip := -int(uintptr(unsafe.Pointer(&all[0]))/uintptr(size)) & (vectorBytes/size - 1)
	return all[skip : skip+length : skip+length]
}
