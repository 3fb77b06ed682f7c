package assignment_test

import "github.com/rgm-go/rgm/qap/assignment"

// batch holds score matrices that are padded to one size.
type batch struct {
	Scores     []float64 // [len(N1), Rows, Cols]; what lies beyond N1 and N2 is ignored
	Rows, Cols int
	N1, N2     []int // sizes of each matrix
}

// Maximize returns the assignment of each matrix, as Solver.Maximize does.
func (b batch) Maximize(s *assignment.Solver) [][]int {
	assigned := make([][]int, len(b.N1))
	for k := range assigned {
		assigned[k] = append([]int(nil), s.Maximize(b.matrix(k), b.N1[k], b.N2[k])...)
	}
	return assigned
}

// Sinkhorn projects each matrix, as Sinkhorn.Project does. The result has the
// shape of Scores and is 0 in the padding.
func (b batch) Sinkhorn(s *assignment.Sinkhorn) []float64 {
	soft := make([]float64, len(b.Scores))
	for k, n1 := range b.N1 {
		n2, m := b.N2[k], b.matrix(k)
		s.Project(m, m, n1, n2)
		for i := range n1 {
			copy(soft[(k*b.Rows+i)*b.Cols:], m[i*n2:(i+1)*n2])
		}
	}
	return soft
}

// matrix returns a copy of matrix k without its padding.
func (b batch) matrix(k int) []float64 {
	m := make([]float64, 0, b.N1[k]*b.N2[k])
	for i := range b.N1[k] {
		row := (k*b.Rows + i) * b.Cols
		m = append(m, b.Scores[row:row+b.N2[k]]...)
	}
	return m
}
