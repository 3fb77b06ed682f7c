// Package datasets reads and writes instances of graph matching and quadratic
// assignment.
//
// The formats it reads are
//
//   - .dat: QAPLIB's layout, n and the n×n matrices A and B; minimise
//     Σ A[i,j]·B[m(i),m(j)].
//   - .npy: an affinity matrix of (n1·n2)×(n1·n2) numbers, or a stack of them.
//     Vertex i·n2+a means "node i of graph 1 matches node a of graph 2".
//   - .npz: a zip archive of .npy files, or a sparse affinity matrix as
//     scipy.sparse.save_npz writes it (CSR, CSC, COO).
//   - .mtx: an affinity matrix of MatrixMarket, as entries or whole.
//   - .dd: costs of assignments and of pairs of assignments, one a line;
//     minimise. A .txt file may hold several such problems.
//
// A file may hold several instances; all of them come through one iterator,
// which goes on after an instance that cannot be read. Errors name the file,
// the line where the format has lines, and what is wanted there. No reader
// trusts what a file claims about its size: memory grows with the file's real
// length. The number of a node, a vertex or an instance counts from 0, that of a
// line from 1.
package datasets
