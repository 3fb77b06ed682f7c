// Package affinities makes affinity matrices of two sets of points by a formula with given widths (Geometric), or of the
// edges of two graphs by any function (Assemble).
//
// An affinity matrix K has (n1·n2)×(n1·n2) entries, to be maximised. Vertex i·n2+a
// means "node i of graph 1 matches node a of graph 2". K[i·n2+a, j·n2+b] says how
// alike the edges (i,j) and (a,b) are; it is 0 where either is no edge.
// K[i·n2+a, i·n2+a] says how alike the nodes i and a are.
package affinities
