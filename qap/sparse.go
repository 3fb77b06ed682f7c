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
	start    []int   // row p is [start[p], start[p+1]) of column and value:
	middle   []int   // until middle[p] vertices that do not conflict, then those that do
	column   []int32 // increasing within each part
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
	s := &Sparse{n1: n1, n2: n2, diagonal: make([]float64, n), start: make([]int, n+1), middle: make([]int, n)}
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
		default:
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
	s.fill(both)
	return &Instance{Sense: sense, Affinity: s}, nil
}

// fill makes the rows of entries off the diagonal; those of one place add up.
func (s *Sparse) fill(entries []Entry) {
	part := func(e Entry) int {
		if conflict(e.P, e.Q, s.n2) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.P, y.P), cmp.Compare(part(x), part(y)), cmp.Compare(x.Q, y.Q))
	})
	row := 0 // the row whose parts end at len(s.value)
	for k, e := range entries {
		if k > 0 && entries[k-1].P == e.P && entries[k-1].Q == e.Q {
			s.value[len(s.value)-1] += e.Value
			continue
		}
		for ; row < e.P; row++ {
			s.start[row+1] = len(s.value)
			s.middle[row+1] = len(s.value)
		}
		s.column = append(s.column, int32(e.Q))
		s.value = append(s.value, e.Value)
		if part(e) == 0 {
			s.middle[row] = len(s.value)
		}
	}
	for ; row < len(s.middle); row++ {
		s.start[row+1] = len(s.value)
		if row+1 < len(s.middle) {
			s.middle[row+1] = len(s.value)
		}
	}
}

// NonZeros returns the number of entries held off the diagonal, both (p,q) and
// (q,p) counted.
func (s *Sparse) NonZeros() int { return len(s.value) }

func (s *Sparse) Size() (n1, n2 int) { return s.n1, s.n2 }

func (s *Sparse) At(p, q int) float64 {
	if p == q {
		return s.diagonal[p]
	}
	lo, hi := s.start[p], s.middle[p]
	if conflict(p, q, s.n2) {
		lo, hi = s.middle[p], s.start[p+1]
	}
	if k, ok := slices.BinarySearch(s.column[lo:hi], int32(q)); ok {
		return s.value[lo+k]
	}
	return 0
}

func (s *Sparse) Diagonal(dst []float64) { copy(dst, s.diagonal) }

func (s *Sparse) AddRow(dst []float64, p int, scale float64) {
	lo, hi := s.start[p], s.middle[p]
	values := s.value[lo:hi]
	for k, q := range s.column[lo:hi] {
		dst[q] += scale * values[k]
	}
}

func (s *Sparse) Row(dst []float64, p int) {
	clear(dst[:len(s.diagonal)])
	dst[p] = s.diagonal[p]
	for k := s.start[p]; k < s.start[p+1]; k++ {
		dst[s.column[k]] = s.value[k]
	}
}

func (s *Sparse) Multiply(dst, x []float64) {
	for p, d := range s.diagonal {
		sum := d * x[p]
		lo, hi := s.start[p], s.start[p+1]
		values := s.value[lo:hi]
		for k, q := range s.column[lo:hi] {
			sum += values[k] * x[q]
		}
		dst[p] = sum
	}
}
