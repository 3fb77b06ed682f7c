// Package rgm matches the nodes of two graphs, measures how far they are from each other, and solves quadratic assignment problems.
//
//	m, err := rgm.Match(ctx, g1, g2, rgm.Options{TimeLimit: time.Second})
//	for i, a := range m.Matching { fmt.Println(g1.NodeName(i), a) }
//
// Solve searches an instance (package qap), Match two graphs (package datasets/graphs), Distance finds
// the edits from one to the other, Evaluate recomputes what a matching is worth. They do what the commands rgm solve, rgm match and rgm score do:
// the command line, the HTTP service, the C library, Python and the browser call them and nothing
// below them. The functions of the package share a Solver with the default configuration; Open
// makes one of its own. Goroutines may share a Solver.
//
// A limit, or the end of a context, ends a search with the best matching so far and a Status, not
// an error. An option that cannot be used is an error that wraps OptionError. The package prints
// nothing and fetches nothing unless Config says so.
package rgm
