package qap

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Mapping is the affinity of few flows and of distances by a topology,
//
//	Σ A[i,j]·d(m(i), m(j))
//
// in memory that grows with the flows and the places, for graphs whose matrices would not fit.
type Mapping struct {
	n1       int
	sign     float64 // −1 where the user minimises
	start    []int32 // the partners of facility i are [start[i], start[i+1])
	partner  []int32 // increasing
	flow     []float64
	topology *Topology
}

// NewMapping returns the instance of n1 facilities that have the given flows (A[P,Q]; those of one
// pair add up) and go to the places of a topology, in the user's sense. Every solution is complete.
func NewMapping(n1 int, flows []Entry, t *Topology, sense Sense) (*Instance, error) {
	switch {
	case n1 < 1:
		return nil, fmt.Errorf("qap: %d facilities: want some", n1)
	case n1 > t.Places():
		return nil, fmt.Errorf("qap: %d facilities, and the topology %s has %d places: want at least as many places", n1, t, t.Places())
	}
	k := &Mapping{n1: n1, sign: sense.sign(), start: make([]int32, n1+1), topology: t}
	both := make([]Entry, 0, 2*len(flows))
	largest := 0.0
	for e, f := range flows {
		switch {
		case f.P < 0 || f.P >= n1 || f.Q < 0 || f.Q >= n1:
			return nil, fmt.Errorf("qap: flow %d is from %d to %d: want facilities 0..%d", e, f.P, f.Q, n1-1)
		case math.IsNaN(f.Value) || math.IsInf(f.Value, 0):
			return nil, fmt.Errorf("qap: the flow from %d to %d is %v: want a finite number", f.P, f.Q, f.Value)
		}
		if largest = max(largest, math.Abs(f.Value)); f.P != f.Q { // no way from a place to itself
			both = append(both, f, Entry{f.Q, f.P, f.Value})
		}
	}
	if err := checkMagnitude(largest*t.longest(), n1, n1); err != nil {
		return nil, err
	}
	slices.SortStableFunc(both, func(x, y Entry) int { return cmp.Or(cmp.Compare(x.P, y.P), cmp.Compare(x.Q, y.Q)) })
	for e, f := range both {
		if e > 0 && both[e-1].P == f.P && both[e-1].Q == f.Q {
			k.flow[len(k.flow)-1] += f.Value
			continue
		}
		k.partner, k.flow = append(k.partner, int32(f.Q)), append(k.flow, f.Value)
		k.start[f.P+1] = int32(len(k.flow))
	}
	for i := range n1 {
		k.start[i+1] = max(k.start[i+1], k.start[i])
	}
	return &Instance{Sense: sense, Complete: true, Affinity: k}, nil
}

// longest is the largest distance in size, or more.
func (t *Topology) longest() float64 { return maxAbs(t.outer.table) + maxAbs(t.inner.table) }

// Topology returns the places.
func (k *Mapping) Topology() *Topology { return k.topology }

// Partners returns the facilities that have flow with i, and A[i,j] + A[j,i] of each. Do not change
// them.
func (k *Mapping) Partners(i int) (partner []int32, flow []float64) {
	from, to := k.start[i], k.start[i+1]
	return k.partner[from:to:to], k.flow[from:to:to]
}

// Flows returns the number of pairs that have flow.
func (k *Mapping) Flows() int { return len(k.flow) / 2 }

// Size returns the numbers of nodes of the two graphs.
func (k *Mapping) Size() (n1, n2 int) { return k.n1, k.topology.places }

// At returns K[p,q].
func (k *Mapping) At(p, q int) float64 {
	n2 := k.topology.places
	partner, flow := k.Partners(p / n2)
	at, ok := slices.BinarySearch(partner, int32(q/n2))
	if !ok {
		return 0
	}
	return k.sign / 2 * flow[at] * k.topology.Distance(p%n2, q%n2)
}

// Diagonal writes K[p,p] into dst, one number a vertex.
func (k *Mapping) Diagonal(dst []float64) { clear(dst) }

// AddRow adds scale·K[p,q] to dst[q] for every q that does not conflict with p and is not p itself.
func (k *Mapping) AddRow(dst []float64, p int, scale float64) {
	n2 := k.topology.places
	partner, flow := k.Partners(p / n2)
	from := k.topology.From(p % n2)
	for at, j := range partner {
		row, u := dst[int(j)*n2:(int(j)+1)*n2], scale*k.sign/2*flow[at]
		for b := range row {
			if b != p%n2 {
				row[b] += u * from.To(k.topology.Coordinates(b))
			}
		}
	}
}

// Row writes K[p,q] of all q into dst.
func (k *Mapping) Row(dst []float64, p int) {
	clear(dst[:k.n1*k.topology.places])
	k.AddRow(dst, p, 1)
}

// Multiply sets dst to K·x, all entries of K included.
func (k *Mapping) Multiply(dst, x []float64) { k.MultiplyUntil(dst, x, nil) }

// MultiplyUntil is Multiply that can be stopped (see Interruptible).
func (k *Mapping) MultiplyUntil(dst, x []float64, over func() bool) bool {
	pace := pace{over: over}
	n2 := k.topology.places
	clear(dst[:k.n1*n2])
	for p, v := range x[:k.n1*n2] {
		if v == 0 {
			continue
		}
		if pace.stops(int(k.start[p/n2+1]-k.start[p/n2]) * n2) {
			return false
		}
		k.AddRow(dst, p, v)
	}
	return true
}

// score is Instance.Score along the flows.
func (k *Mapping) score(m Matching) float64 {
	sum := 0.0
	for i, a := range m {
		if a == Unmatched {
			continue
		}
		from := k.topology.From(a)
		partner, flow := k.Partners(i)
		for at, j := range partner {
			if b := m[j]; int(j) < i && b != Unmatched {
				sum += flow[at] * from.To(k.topology.Coordinates(b))
			}
		}
	}
	return k.sign * sum
}

// Matrices returns the instance of a Mapping with both matrices in full, for solvers that need them
// so; other instances it returns as they are.
func (in *Instance) Matrices() (*Instance, error) {
	k, ok := in.Affinity.(*Mapping)
	if !ok {
		return in, nil
	}
	n1, n2 := k.Size()
	a, b := make([]float64, n1*n1), make([]float64, n2*n2)
	for i := range n1 {
		partner, flow := k.Partners(i)
		for at, j := range partner {
			a[i*n1+int(j)] = flow[at] / 2
		}
	}
	for c := range n2 {
		from := k.topology.From(c)
		for d := range n2 {
			if d != c {
				b[c*n2+d] = from.To(k.topology.Coordinates(d))
			}
		}
	}
	whole, err := NewKoopmansBeckmann(n1, n2, a, b, nil, in.Sense)
	if err == nil {
		whole.Name = in.Name
	}
	return whole, err
}
