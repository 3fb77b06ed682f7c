// Package qap holds the problem itself: instances of graph matching and the
// quadratic assignment problem, matchings, and the revocable environment in
// which a policy builds a matching one vertex at a time.
//
// Lawler's form: given graph 1 with n1 nodes, graph 2 with n2 nodes and a
// symmetric affinity matrix K of (n1·n2)×(n1·n2) numbers, maximise
//
//	J(X) = vec(X)ᵀ·K·vec(X)
//
// over partial injective maps X from the nodes of graph 1 to the nodes of
// graph 2. Vertex p = i·n2 + a of the association graph stands for "node i of
// graph 1 matches node a of graph 2" (row-major, 0-based). K[p,p] is a node
// affinity and K[p,q] an edge affinity; with a symmetric K every pair of
// matches counts twice.
//
// Everything in this package is maximised. An Instance remembers the sense its
// user stated, and Instance.Objective turns a score into the user's number.
//
// Source of the environment: Liu, Jiang, Wang, Huang, Lu, Yan, "Revocable Deep
// Reinforcement Learning with Affinity Regularization for Outlier-Robust Graph
// Matching", ICLR 2023, called "the paper" in comments.
package qap
