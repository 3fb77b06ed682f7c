// Package bound proves how good matchings of sparse problems can be: it bounds their score
// from above, so that a search may say how far from the optimum it is at most, and
// end where it has reached it.
//
// The bound is a Lagrangean dual. Score = Σ d(i,a)·x(i,a) + Σ 2K(ia,jb)·x(i,a)·x(j,b) is cut
// into problems that are easy each by itself: the assignment of nodes; for two
// nodes i and j of graph 1 that have affinities, the choice of their two partners; and for two
// nodes a and b of graph 2 likewise. "No partner" is a choice too. Affinities are shared between
// the latter two, and what a node's choices are worth between all problems that it is part
// of. Whatever the shares, the sum of the optima is an upper bound.
//
// A sweep improves the shares in blocks. Of a node it collects what each of its choices is worth at
// best in its pairs, and hands out again what they are worth less than the best choice, to the
// pairs that come later. The assignment gets its share of that; its dual values say what a
// partner costs. What a pair of nodes of graph 1 can spare of an affinity goes to
// the pair of graph 2 that has it, and back.
//
// Sources: Swoboda, Rother, Abu Alhaija, Kainmüller, Savchynskyy, "A Study of Lagrangean
// Decompositions and Dual Ascent Solvers for Graph Matching", CVPR 2017, arXiv:1612.05476
// (choices of nodes and an assignment as subproblems, messages); Kolmogorov, IEEE Trans.
// Pattern Analysis and Machine Intelligence 28 (2006), doi:10.1109/TPAMI.2006.200 (the
// order of messages and their weights); Hahn, Grant, Operations Research 46 (1998),
// doi:10.1287/opre.46.6.912 (affinities move between the two nodes that share them);
// Sherali, Ulular, Applied Mathematics and Optimization 20 (1989) (steps along the mean of
// this direction and the last).
package bound
