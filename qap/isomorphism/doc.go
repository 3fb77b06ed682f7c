// Package isomorphism decides whether two graphs are the same but for the numbers of their nodes, and
// counts the automorphisms of a graph.
//
// Graphs may have directed edges, and colours (any numbers) of nodes and edges: an isomorphism takes
// nodes and edges to those of the same colour. Compare answers Isomorphic with the bijection,
// Different with a reason, or Undecided where its budget or its context ended it. The first two are
// proved: a bijection is checked edge by edge, and Different rests on exhausted choices alone.
//
// The method is colour refinement with a worklist of smaller halves in O(m log n) (Paige, Tarjan,
// doi:10.1137/0216062), then individualisation of one node of each graph at a time with backtracking,
// in lockstep (McKay, Piperno, doi:10.1016/j.jsc.2013.09.003). Refinement of graph 2 stops at the
// first step that differs from graph 1's. Automorphisms are found from the deepest choice up; one is
// complete as soon as the two partitions differ in single nodes alone (Darga, Sakallah, Markov,
// doi:10.1145/1391469.1391509), so its cost follows the nodes that it moves.
package isomorphism
