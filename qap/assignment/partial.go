package assignment

import "fmt"

// MaximizePartial returns the partial assignment with the greatest sum, in which
// a pair counts score[i·n2+a], a node i of graph 1 without a partner unmatch1[i],
// and a node a of graph 2 without one unmatch2[a]. A pair that gains nothing is
// left out. The result is valid until the next call; Duals are not set.
//
// A pair gains score − unmatch1 − unmatch2 over leaving its nodes alone, so this
// is the assignment of the greatest sum of gains, none counting below 0.
func (s *Solver) MaximizePartial(score, unmatch1, unmatch2 []float64, n1, n2 int) (assigned []int) {
	if len(score) != n1*n2 || len(unmatch1) != n1 || len(unmatch2) != n2 {
		panic(fmt.Sprintf("assignment: %d scores and %d and %d unmatch scores, want %d·%d, %d and %d",
			len(score), len(unmatch1), len(unmatch2), n1, n2, n1, n2))
	}
	s.gain = resize(s.gain, n1*n2)
	for p, x := range score {
		s.gain[p] = max(0, x-unmatch1[p/n2]-unmatch2[p%n2])
	}
	assigned = s.Maximize(s.gain, n1, n2)
	for i, a := range assigned {
		if a != Unmatched && s.gain[i*n2+a] == 0 {
			assigned[i] = Unmatched
		}
	}
	return assigned
}
