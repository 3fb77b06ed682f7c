package exact

import "math"

// assignment solves small linear assignment problems in memory that it keeps.
// Costs are minimised. After solve, u and v are optimal duals: cost[i,a] ≥
// u[i]+v[a] everywhere, with equality on the assignment, and value = Σu + Σv.
// Columns may stay unmatched where there are more of them than rows are matched,
// so v ≤ 0 except where rows and columns must all be matched; rows may stay
// unmatched, at cost 0, in partial problems, so there u ≤ 0 as well.
//
// Package assignment knows no rows that stay unmatched at a price; this one also
// starts from the duals of almost solved problems, which are most of those that
// the bound needs.
//
// The method is shortest augmenting paths: Jonker, Volgenant, Computing 38
// (1987), doi:10.1007/BF02278710.
type assignment struct {
	cost         []float64 // k1×k2, row-major, to be filled in before solve
	u, v         []float64
	ofRow, ofCol []int // partner, or −1
	value        float64

	distance []float64 // of each column from the row that is being matched
	before   []int     // the row before each column on its shortest path
	scanned  []bool    // whether a column's distance is final
	tree     []int     // such columns
}

func newAssignment(rows, cols int) *assignment {
	return &assignment{
		cost: make([]float64, rows*cols), u: make([]float64, rows), v: make([]float64, cols),
		ofRow: make([]int, rows), ofCol: make([]int, cols),
		distance: make([]float64, cols), before: make([]int, cols), scanned: make([]bool, cols),
	}
}

// solve finds an optimal assignment of k1 rows and k2 columns. Unless partial,
// every row is matched, and k1 ≤ k2.
func (s *assignment) solve(k1, k2 int, partial bool) float64 {
	s.start(k1, k2, partial)
	for i := range k1 {
		if s.ofRow[i] < 0 && !(partial && s.u[i] == 0) {
			s.augment(i, k2, partial)
		}
	}
	s.value = 0
	for _, u := range s.u[:k1] {
		s.value += u
	}
	for _, v := range s.v[:k2] {
		s.value += v
	}
	return s.value
}

// start sets feasible duals and matches greedily along tight entries.
func (s *assignment) start(k1, k2 int, partial bool) {
	for a := range k2 {
		s.v[a], s.ofCol[a] = 0, -1
	}
	if !partial && k1 == k2 {
		copy(s.v[:k2], s.cost[:min(k2, len(s.cost))])
		for i := 1; i < k1; i++ {
			for a, c := range s.cost[i*k2 : (i+1)*k2] {
				s.v[a] = min(s.v[a], c)
			}
		}
	}
	for i := range k1 {
		least, at := math.Inf(1), -1
		if partial {
			least = 0
		}
		for a, c := range s.cost[i*k2 : (i+1)*k2] {
			r := c - s.v[a]
			if r < least || r == least && at >= 0 && s.ofCol[at] >= 0 {
				least, at = r, a
			}
		}
		s.u[i], s.ofRow[i] = least, -1
		if at >= 0 && s.ofCol[at] < 0 {
			s.ofRow[i], s.ofCol[at] = at, i
		}
	}
}

// augment matches row start along a shortest path, which ends in a free column
// or, in a partial problem, in a row that gives its column up.
func (s *assignment) augment(start, k2 int, partial bool) {
	for a := range k2 {
		s.distance[a], s.scanned[a] = math.Inf(1), false
	}
	s.tree = s.tree[:0]
	endLength, endRow, endCol := math.Inf(1), -1, -1
	length, row := 0.0, start
	for {
		if partial && length-s.u[row] < endLength {
			endLength, endRow = length-s.u[row], row
		}
		least, next := math.Inf(1), -1
		shift := length - s.u[row]
		for a, c := range s.cost[row*k2 : (row+1)*k2] {
			if s.scanned[a] {
				continue
			}
			if d := c + shift - s.v[a]; d < s.distance[a] {
				s.distance[a], s.before[a] = d, row
			}
			if d := s.distance[a]; d < least || d == least && s.ofCol[a] < 0 {
				least, next = d, a
			}
		}
		if endLength <= least {
			break
		}
		if s.ofCol[next] < 0 {
			endLength, endRow, endCol = least, -1, next
			break
		}
		s.scanned[next] = true
		s.tree = append(s.tree, next)
		length, row = least, s.ofCol[next]
	}
	s.u[start] += endLength
	for _, a := range s.tree {
		s.v[a] -= endLength - s.distance[a]
		s.u[s.ofCol[a]] += endLength - s.distance[a]
	}
	if endCol < 0 {
		// endRow stays unmatched and its column, if any, is free to end the path.
		s.u[endRow] = 0
		endCol = s.ofRow[endRow]
		s.ofRow[endRow] = -1
		if endCol < 0 {
			return
		}
	}
	for {
		row := s.before[endCol]
		s.ofCol[endCol] = row
		endCol, s.ofRow[row] = s.ofRow[row], endCol
		if row == start {
			return
		}
	}
}
