// Package kbest lists the best matchings of a small problem, and proves that there are no better ones: branch and bound
// with the score of the k-th best so far as what has to be exceeded. A node of graph 1 is matched at every level; what
// the others can add is bounded by an assignment whose costs have the best that every two nodes could share (Gilmore,
// doi:10.1137/0110022; Lawler, doi:10.1287/mnsc.9.4.586).
//
// Where any number of nodes may be matched, the parts of a good matching are good as well. So only closed matchings count:
// every match raises the score, and no further match, nor two of them, would.
package kbest
