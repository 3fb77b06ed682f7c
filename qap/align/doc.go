// Package align matches the nodes of two graphs by their structure, from some tens of nodes
// to a million (network alignment).
//
// Graph 1 has adjacency A and graph 2 B, held as rows of their edges. Solve seeks the matching
// π of most shared edges, with weights
//
//	Σ A[i][j]·B[π(i)][π(j)] over edges of A + Σ s(i, π(i)) over matched nodes
//
// where s are the similarities of Problem.Similar and the scores of Problem.Attributes. Memory is linear in edges: nothing of n1·n2
// or m1·m2 is ever made, but by a Start that asks for it, as belief propagation does (up to 1,500 nodes).
//
// Graphs that are the same but for the order of their nodes are matched by package isomorphism. For all others the search
// has six parts, in this order. Features describe the surroundings of each node; how far they
// are to be trusted is learnt from the graph itself, by removing some of its own edges
// (features.go, axes.go). The nodes of B with the nearest features are the first candidates
// of each node of A (internal/kdtree). Soft rounds then weigh candidates by their witnesses, the
// neighbours whose candidates are neighbours, and find new ones (rounds.go). Hard rounds do the
// same with one matching. Where it shares few edges, hypotheses grow from pairs of nodes (package rigid). Annealed swaps end
// the search (swap.go).
//
// A Start in Options.Starts, such as a trained network, proposes matchings or candidates of its
// own: rounds go on from them, and swaps from the best of all. One with Below is asked where the swaps share few edges, and not
// before them (start.go).
//
// Assess says how far a matching can be trusted, node by node.
package align
