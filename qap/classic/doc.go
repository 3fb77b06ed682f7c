// Package classic solves graph matching and quadratic assignment without
// learning, by classical methods; lab/research/matchers has more.
//
// Each method is a struct of parameters whose zero value is ready for use; names
// and defaults are those of pygmtools where it has the method. Each is a
// qap.Solver, and the Soft method of those that work on a soft assignment returns
// it: n1×n2 numbers, row-major, entry i·n2+a for node i of graph 1 and node a of
// graph 2.
//
// Dense, sparse and Koopmans–Beckmann affinities are served alike, through
// products with K, so K is never formed. K may be signed. Methods that need K ≥ 0
// work on K plus a constant for each kind of entry where the uniform soft
// assignment has a score below 0 (as every problem has that minimises costs), and
// plus a constant on the diagonal wherever an entry of it is negative: that adds the same to the
// score of every complete matching, which leaves the best where it is. All other methods work on K as it is.
//
// Every result matches min(n1, n2) nodes. It is the assignment nearest to the soft one, or the
// best that the method saw where it works on assignments; it is never worse than
// Options.Initial, if that is a solution.
package classic
