// Package edit measures the edit distance of two graphs: the least cost of deleting, inserting and substituting nodes
// and edges so that graph 1 becomes graph 2, with a lower bound, and a proof where time allows.
//
// With partial matchings this is Lawler's quadratic assignment: the distance is what it costs to delete graph 1 and
// to insert graph 2, less what a matching of their nodes saves. Nodes i and a that are matched save
// delete(i) + insert(a) - substitute(i, a), and so do edges between matched nodes where that is more than nothing.
// The n1·n2 × n1·n2 affinities are never formed: states are maps of nodes, and changes are computed by lists of
// neighbours. Costs are integers; who has others multiplies them by a common unit.
//
//	pair.go    two graphs and costs, as savings
//	assign.go  linear assignment with duals, from nothing or from the duals of the last one
//	star.go    the best matching of the edges at two nodes
//	branch.go  the assignment bound of Blumenthal et al., and matchings to start from
//	anneal.go  the search: annealing whose compound moves carry neighbours along
//	dual.go    the star bound: the halves of each saving are moved between its two ends by subgradients
//	sweep.go   the same by sweeps over all stars, each of which takes what it can without a change of the bound
//	prove.go   depth first with the star bound, where it is close to the best matching
//	twins.go   nodes that can be exchanged, as classes
//	transport.go  assignments of classes
//	exact.go   depth first over the nodes of graph 1, an assignment bound at each node
//	members.go this bound, by classes, and the matching that it is
//	solve.go   who takes turns, and when they stop
//
// Sources: Riesen, Bunke, Image and Vision Computing 27 (2009), doi:10.1016/j.imavis.2008.04.004, for starts by
// assignment; Blumenthal, Gamper, VLDB Journal 29 (2020), doi:10.1007/s00778-019-00544-1, for the BRANCH bound;
// Chang, Feng, Lin, Qin, Zhang, ICDE 2020, doi:10.1109/ICDE48307.2020.00035, for bounds that know which neighbours
// are placed; Held, Wolfe, Crowder, Mathematical Programming 6 (1974), doi:10.1007/BF01580223, for subgradients.
package edit
