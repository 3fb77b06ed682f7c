// Package compare makes of two graphs what is searched: the affinities of their nodes and edges (Design.Problem), or their
// alignment by structure (Design.Alignment). What is compared, and on which scale, comes from the data, some of it by
// short searches. Package rgm chooses between the two, and searches.
package compare
