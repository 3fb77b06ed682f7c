// Package regrow searches matchings of graphs with tens to hundreds of nodes, and has
// a good one at any time.
//
// A step releases the matches of some nodes that are near each other in graph 1 and
// matches them anew, the best match first, now and then passing one over; then each
// goes where it is best off. The result replaces the matching by the rule of simulated
// annealing. Steps come in cycles; each cools down. The first start from a
// greedy matching and from what two relaxations find (classic.IPFP and, where there is
// time for it, classic.RRWM), later ones in turn from two elites; what a cycle finds is
// fused with the best: every part in which the two differ is taken from either,
// whichever is best together. An elite that is behind and gains no more gives way to
// another start.
//
// Of equal solutions the smallest counts (see qap.Goal.Choose): where matches bring nothing,
// as with affinities that are all 0, none is made that the instance or the goal does not
// demand.
//
// A step costs what it touches: on qap.Rows the neighbours of the matches it changes.
//
// Sources: Schrimpf, Schneider, Stamm-Wilbrandt, Dueck, J. Computational Physics 159
// (2000), doi:10.1006/jcph.1999.6413 (ruin and recreate); Christiaens, Vanden Berghe,
// Transportation Science 54 (2020), doi:10.1287/trsc.2019.0914 (adjacent ruins, blinks);
// Hutschenreiter, Haller, Feineis, Rother, Kainmüller, Savchynskyy, "Fusion moves for
// graph matching", ICCV 2021, arXiv 2101.12085 (fusion; here of the connected parts of
// two matchings, see fuse).
package regrow
