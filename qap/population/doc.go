// Package population solves quadratic assignment by a population of good
// assignments, which short tabu searches improve (a memetic algorithm).
//
// It serves the instances that tabu search serves: Koopmans–Beckmann form, graphs of
// one size. Where good assignments lie in many funnels far apart, one trajectory
// stays in its first; a population keeps several, crosses them, and finds others.
//
// The search goes in rounds. A round first disturbs every member but the best and
// improves it again; then it breeds: a child of two members is improved, and takes the
// place of the worst unless it is worse or a copy. The round ends when a number of
// children brought no new best; after rounds without one, all members are random
// again. Improving is tabu search by swaps (package tabu) that ends some swaps after its
// last best. Steps are swaps; inside, costs are minimised.
//
// A child has a block of its first parent, the facilities around one or those at the
// locations around one, and the rest from the second; or, crossed uniformly, what both
// share and the rest from either. Or it grows: it keeps connected facilities of one member,
// and the others are placed one after another where they cost least, first the one that
// has most to lose, with a look at what equal places leave to its partners.
//
// Sources: Benlic, Hao, Expert Systems with Applications 42 (2015),
// doi:10.1016/j.eswa.2014.08.011, for memetic search with tabu search and its uniform
// crossover; James, Rego, Glover, European Journal of Operational Research 195
// (2009), doi:10.1016/j.ejor.2007.06.061, for short tabu searches from disturbed
// assignments; Schrimpf et al., J. Computational Physics 159 (2000),
// doi:10.1006/jcph.1999.6413, for ruin and regrowth.
package population
