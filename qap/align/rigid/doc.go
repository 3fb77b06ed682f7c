// Package rigid aligns graphs whose nodes look alike: lattices, meshes, regular graphs, rings. There no
// surroundings tell nodes apart, but one right pair settles most others.
//
// A hypothesis is a pair of nodes that is taken for right. It grows: the pair that is most certain by the
// neighbours matched so far comes next. Of many hypotheses, grown to some tens of nodes, the best grow
// on, and the best of these to the end (Search). What is left of conflicts is mended: a ball around an edge
// that is lost is freed and grows anew.
package rigid
