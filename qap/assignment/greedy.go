package assignment

import (
	"cmp"
	"slices"
)

// Greedy returns the assignment of min(n1, n2) nodes that takes the pair with the
// greatest score, then the greatest among those that are left, and so on; of
// equal scores the one that comes first. The result holds the node of graph 2 of
// each node of graph 1, or Unmatched.
func Greedy(score []float64, n1, n2 int) []int {
	order := make([]int, n1*n2)
	for p := range order {
		order[p] = p
	}
	slices.SortStableFunc(order, func(p, q int) int { return cmp.Compare(score[q], score[p]) })
	assigned := make([]int, n1)
	for i := range assigned {
		assigned[i] = Unmatched
	}
	taken := make([]bool, n2)
	for _, p := range order {
		if i, a := p/n2, p%n2; assigned[i] == Unmatched && !taken[a] {
			assigned[i], taken[a] = a, true
		}
	}
	return assigned
}
