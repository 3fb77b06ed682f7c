// Package assignment projects scores of vertices onto matchings.
//
// A score is an n1×n2 matrix in row-major order, larger is better: entry i·n2+a
// speaks for matching node i of graph 1 with node a of graph 2. Solver finds the
// assignment of the greatest sum, and Sinkhorn returns a (partly) doubly stochastic matrix.
package assignment
