// Package graphs reads graphs and sets of points from the files that users have (Open),
// makes affinity matrices of two of them, and matches them (Match). What is compared,
// and on which scale, comes from the data (Design), or from formulas with given widths:
// of points of the plane (Geometric), or of nodes and edges with feature vectors
// (Gaussian).
//
// An affinity matrix K has (n1·n2)×(n1·n2) entries, to be maximised. Vertex i·n2+a
// means "node i of graph 1 matches node a of graph 2". K[i·n2+a, j·n2+b] says how
// alike the edges (i,j) and (a,b) are; it is 0 where either is no edge.
// K[i·n2+a, i·n2+a] says how alike the nodes i and a are.
package graphs
