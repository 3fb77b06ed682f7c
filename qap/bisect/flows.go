package bisect

import (
	"cmp"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Flows are those of each facility as a list, both directions added up.
type Flows struct {
	first   []int32
	partner []int32
	flow    []float64
}

// FlowsOf returns those of a view.
func FlowsOf(v *tabu.View, n int) *Flows {
	f := &Flows{first: make([]int32, 1, n+1)}
	for i := range n {
		for j := range n {
			if both := v.Flow[i*n+j] + v.FlowT[i*n+j]; both != 0 {
				f.partner, f.flow = append(f.partner, int32(j)), append(f.flow, both)
			}
		}
		f.first = append(f.first, int32(len(f.partner)))
	}
	return f
}

// FlowsOfMapping returns those of a mapping, where facilities without any fill the places.
func FlowsOfMapping(k *qap.Mapping, sense float64) *Flows {
	n1, n := k.Size()
	f := &Flows{first: make([]int32, 1, n+1)}
	for i := range n {
		if i < n1 {
			partner, flow := k.Partners(i)
			f.partner = append(f.partner, partner...)
			for _, v := range flow {
				f.flow = append(f.flow, sense*v)
			}
		}
		f.first = append(f.first, int32(len(f.partner)))
	}
	return f
}

// Size returns the number of facilities.
func (f *Flows) Size() int { return len(f.first) - 1 }

// Partners returns the facilities that have flow with i, and how much.
func (f *Flows) Partners(i int) ([]int32, []float64) {
	from, to := f.first[i], f.first[i+1]
	return f.partner[from:to], f.flow[from:to]
}

// Matrix is places with the distances of a matrix, row-major.
type Matrix struct {
	N         int
	Distances []float64
}

// Distance returns that from a to b.
func (m Matrix) Distance(a, b int) float64 { return m.Distances[a*m.N+b] }

// Order returns the places as a tree of shortest distances reaches them, from the first one on: groups
// of a hierarchy one after the other.
func (m Matrix) Order() []int {
	order, reach := make([]int, m.N), make([]float64, m.N)
	for c := range order {
		order[c], reach[c] = c, math.Inf(1)
	}
	for k := 1; k < m.N; k++ {
		last, next := order[k-1], k
		for l, c := range order[k:] {
			reach[c] = min(reach[c], m.Distance(last, c))
			if reach[c] < reach[order[next]] {
				next = k + l
			}
		}
		order[k], order[next] = order[next], order[k]
	}
	return order
}

// Half brings a part into the order from one of its ends to another, and divides it in the middle,
// or nearby where two places that follow each other are much farther apart.
func (m Matrix) Half(part []int) int {
	farthest := func(from int) int {
		far := part[0]
		for _, c := range part {
			if m.Distance(from, c) > m.Distance(from, far) {
				far = c
			}
		}
		return far
	}
	a := farthest(part[0])
	b := farthest(a)
	slices.SortStableFunc(part, func(c, d int) int {
		return cmp.Compare(m.Distance(a, c)-m.Distance(b, c), m.Distance(a, d)-m.Distance(b, d))
	})
	middle := len(part) / 2
	half, gap := middle, m.Distance(part[middle-1], part[middle])
	for k := 1; k <= len(part)/4; k++ {
		for _, at := range [2]int{middle - k, middle + k} {
			if at < 1 || at >= len(part) {
				continue
			}
			if d := m.Distance(part[at-1], part[at]); d > 2*gap {
				half, gap = at, d
			}
		}
	}
	return half
}
