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
	longest  int // entries of a row that do not conflict with its vertex, at most
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
	largest := 0.0
	for k, e := range entries {
		switch {
		case e.P < 0 || e.P >= n || e.Q < 0 || e.Q >= n:
			return nil, fmt.Errorf("qap: entry %d is K[%d,%d]: want indices 0..%d", k, e.P, e.Q, n-1)
		case math.IsNaN(e.Value) || math.IsInf(e.Value, 0):
			return nil, fmt.Errorf("qap: K[%d,%d] is %v: want a finite number", e.P, e.Q, e.Value)
		case e.P == e.Q:
			s.diagonal[e.P] += sense.sign() * e.Value
		default:
			largest = max(largest, math.Abs(e.Value/2))
		}
	}
	if err := checkMagnitude(max(largest, maxAbs(s.diagonal)), n1, n2); err != nil {
		return nil, err
	}
	s.fill(entries, sense.sign())
	return &Instance{Sense: sense, Affinity: s}, nil
}

// fill makes the rows of (K+Kᵀ)/2, where K is sign times the entries off the diagonal.
func (s *Sparse) fill(entries []Entry, sign float64) {
	free := s.place(entries, sign) // where each row ends, until rows are packed
	kept := 0
	var row []rowEntry
	for p, end := range free {
		row = row[:0]
		for k := end - s.start[p]; k > 0; k-- {
			q := s.column[end-k]
			row = append(row, rowEntry{q, conflict(p, int(q), s.n2), s.value[end-k]})
		}
		sortRow(row)
		s.start[p], s.middle[p] = kept, kept
		for k, e := range row {
			if k > 0 && row[k-1].q == e.q {
				s.value[kept-1] += e.value
				continue
			}
			s.column[kept], s.value[kept] = e.q, e.value
			kept++
			if !e.conflicts {
				s.middle[p] = kept
			}
		}
		s.longest = max(s.longest, s.middle[p]-s.start[p])
	}
	s.start[len(free)] = kept
	s.column, s.value = s.column[:kept], s.value[:kept]
}

// place writes every entry to its row and its mirror image to that of Q, in the order
// of the entries, and returns where each row ends.
func (s *Sparse) place(entries []Entry, sign float64) []int {
	for _, e := range entries {
		if e.P != e.Q {
			s.start[e.P+1]++
			s.start[e.Q+1]++
		}
	}
	for p := range s.middle {
		s.start[p+1] += s.start[p]
	}
	end := append([]int(nil), s.start[:len(s.middle)]...)
	s.column, s.value = make([]int32, s.start[len(s.middle)]), make([]float64, s.start[len(s.middle)])
	put := func(p, q int, v float64) {
		s.column[end[p]], s.value[end[p]] = int32(q), v
		end[p]++
	}
	for _, e := range entries {
		if e.P != e.Q {
			v := sign * e.Value / 2
			put(e.P, e.Q, v)
			put(e.Q, e.P, v)
		}
	}
	return end
}

// rowEntry is K[p,q] of a row p.
type rowEntry struct {
	q         int32
	conflicts bool // q with p
	value     float64
}

// sortRow sorts what does not conflict first, and each part by q; entries of one place
// keep their order.
func sortRow(row []rowEntry) {
	slices.SortStableFunc(row, func(x, y rowEntry) int {
		if x.conflicts != y.conflicts {
			if y.conflicts {
				return -1
			}
			return 1
		}
		return cmp.Compare(x.q, y.q)
	})
}

// NonZeros returns the number of entries held off the diagonal, both (p,q) and
// (q,p) counted.
func (s *Sparse) NonZeros() int { return len(s.value) }

// Size returns the numbers of nodes of the two graphs.
func (s *Sparse) Size() (n1, n2 int) { return s.n1, s.n2 }

// At returns K[p,q].
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

// Diagonal writes K[p,p] into dst, one number a vertex.
func (s *Sparse) Diagonal(dst []float64) { copy(dst, s.diagonal) }

// AddRow adds scale·K[p,q] to dst[q] for every q that does not conflict with p and is not p itself.
func (s *Sparse) AddRow(dst []float64, p int, scale float64) {
	lo, hi := s.start[p], s.middle[p]
	values := s.value[lo:hi]
	for k, q := range s.column[lo:hi] {
		dst[q] += scale * values[k]
	}
}

// RowEntries returns the entries of a row that are not 0 (see Rows).
func (s *Sparse) RowEntries(p int, _ []int32, _ []float64) ([]int32, []float64) {
	lo, hi := s.start[p], s.middle[p]
	return s.column[lo:hi:hi], s.value[lo:hi:hi]
}

// LongestRow returns the most entries that a row has.
func (s *Sparse) LongestRow() int { return s.longest }

// Row writes K[p,q] of all q into dst.
func (s *Sparse) Row(dst []float64, p int) {
	clear(dst[:len(s.diagonal)])
	dst[p] = s.diagonal[p]
	for k := s.start[p]; k < s.start[p+1]; k++ {
		dst[s.column[k]] = s.value[k]
	}
}

// Multiply sets dst to K·x, all entries of K included.
func (s *Sparse) Multiply(dst, x []float64) { s.MultiplyUntil(dst, x, nil) }

// MultiplyUntil is Multiply that can be stopped (see Interruptible).
func (s *Sparse) MultiplyUntil(dst, x []float64, over func() bool) bool {
	pace := pace{over: over}
	for p, d := range s.diagonal {
		sum := d * x[p]
		lo, hi := s.start[p], s.start[p+1]
		if over != nil && pace.stops(hi-lo+1) {
			return false
		}
		values := s.value[lo:hi]
		for k, q := range s.column[lo:hi] {
			sum += values[k] * x[q]
		}
		dst[p] = sum
	}
	return true
}

// MultiplyMatching sets dst to K·x for the 0/1 vector x of a matching, all entries of K
// included, by the order of operations of Multiply.
func (s *Sparse) MultiplyMatching(dst []float64, m Matching) {
	clear(dst)
	for i, a := range m {
		if a != Unmatched {
			dst[i*s.n2+a] = s.diagonal[i*s.n2+a]
		}
	}
	for _, part := range []func(p int) (from, to int){
		func(p int) (from, to int) { return s.start[p], s.middle[p] },
		func(p int) (from, to int) { return s.middle[p], s.start[p+1] },
	} {
		for i, a := range m {
			if a == Unmatched {
				continue
			}
			from, to := part(i*s.n2 + a)
			values := s.value[from:to]
			for k, q := range s.column[from:to] {
				dst[q] += values[k]
			}
		}
	}
}
