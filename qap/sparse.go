package qap

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Entry is one non-zero K[P,Q] of a sparse affinity matrix.
type Entry struct {
	P, Q  int
	Value float64
}

// Sparse is an affinity matrix in compressed rows; its memory grows with its
// non-zero entries.
type Sparse struct {
	n1, n2   int
	diagonal []float64
	start    []int   // row p is [start[p], start[p+1]) of column and value
	column   []int32 // increasing within a row
	value    []float64
}

// NewSparse returns the instance of Lawler's form whose affinity matrix has the
// given entries, in the user's sense. Entries may come in any order; entries of
// one place add up; K becomes (K+Kᵀ)/2. An index out of range or a value that is
// not finite is an error.
func NewSparse(n1, n2 int, entries []Entry, sense Sense) (*Instance, error) {
	if err := checkSize(n1, n2); err != nil {
		return nil, err
	}
	n := n1 * n2
	s := &Sparse{n1: n1, n2: n2, diagonal: make([]float64, n), start: make([]int, n+1)}
	sign := sense.sign()
	both := make([]Entry, 0, 2*len(entries))
	for k, e := range entries {
		switch {
		case e.P < 0 || e.P >= n || e.Q < 0 || e.Q >= n:
			return nil, fmt.Errorf("qap: entry %d is K[%d,%d]: want indices 0..%d", k, e.P, e.Q, n-1)
		case math.IsNaN(e.Value) || math.IsInf(e.Value, 0):
			return nil, fmt.Errorf("qap: K[%d,%d] is %v: want a finite number", e.P, e.Q, e.Value)
		case e.P == e.Q:
			s.diagonal[e.P] += sign * e.Value
		case !conflict(e.P, e.Q, n2):
			v := sign * e.Value / 2
			both = append(both, Entry{e.P, e.Q, v}, Entry{e.Q, e.P, v})
		}
	}
	largest := maxAbs(s.diagonal)
	for _, e := range both {
		largest = max(largest, math.Abs(e.Value))
	}
	if err := checkMagnitude(largest, n1, n2); err != nil {
		return nil, err
	}
	slices.SortStableFunc(both, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.P, y.P), cmp.Compare(x.Q, y.Q))
	})
	for k, e := range both {
		if k > 0 && both[k-1].P == e.P && both[k-1].Q == e.Q {
			s.value[len(s.value)-1] += e.Value
			continue
		}
		s.column = append(s.column, int32(e.Q))
		s.value = append(s.value, e.Value)
		s.start[e.P+1] = len(s.value)
	}
	for p := range n {
		s.start[p+1] = max(s.start[p+1], s.start[p])
	}
	return &Instance{Sense: sense, Affinity: s}, nil
}

// NonZeros returns the number of entries held off the diagonal, both (p,q) and
// (q,p) counted.
func (s *Sparse) NonZeros() int { return len(s.value) }

func (s *Sparse) Size() (n1, n2 int) { return s.n1, s.n2 }

func (s *Sparse) At(p, q int) float64 {
	if p == q {
		return s.diagonal[p]
	}
	row := s.column[s.start[p]:s.start[p+1]]
	if k, ok := slices.BinarySearch(row, int32(q)); ok {
		return s.value[s.start[p]+k]
	}
	return 0
}

func (s *Sparse) Diagonal(dst []float64) { copy(dst, s.diagonal) }

func (s *Sparse) AddRow(dst []float64, p int, scale float64) {
	lo, hi := s.start[p], s.start[p+1]
	values := s.value[lo:hi]
	for k, q := range s.column[lo:hi] {
		dst[q] += scale * values[k]
	}
}
