package align

import (
	"context"
	"math"
	"math/big"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/confidence"
)

// Match says how far a match can be trusted.
type Match struct {
	Witnesses int // neighbours whose partners are neighbours of the partner
	Margin    int // witnesses more than the best alternative has, for either of the two nodes

	confidence.Told // zeros where that was not looked at
}

// Assessment says what speaks for a matching.
type Assessment struct {
	Shared          int     // edges of A taken to edges of B
	Bound           int     // what Shared cannot exceed, the edges of the graph that has fewer
	EdgeCorrectness float64 // Shared over the edges of A
	S3              float64 // Shared over the edges that A or B has between matched nodes (Saraph, Milenković, doi:10.1093/bioinformatics/btu409)
	Matches         []Match // one a node of A; zeros of those without a partner
	Sure            int     // how many are sure
	Looked          bool    // there was time to look at how likely matches are right: else all that is told of them is zero
	// Groups are matched nodes of A that could exchange their partners, alone or with what is
	// around them, without a change of the objective: nothing in one of the graphs tells them apart.
	Groups [][]int

	// Automorphisms is their number where the matching is an isomorphism and it is known, nil elsewhere. Groups are
	// then the orbits, of which any node may be meant.
	Automorphisms *big.Int

	// Ask are nodes of A, where the matching is an isomorphism and symmetries leave it open: who knows the partner of
	// the first settles most, then of the second, and so on. Of other matchings Questions finds them.
	Ask []int

	walk   samples // of swaps, nil where it was not finished
	inputs func(walk bool) [][]float64
}

// Assess looks at a matching. It takes time linear in the squares of the degrees, and that of a walk
// of swaps. Where the context ends before much of the walk, less is known of matches, and what was
// not looked at has no witnesses and no group.
func Assess(ctx context.Context, p *Problem, m qap.Matching) Assessment {
	watch := qap.Limits{}.Watch(ctx, nil)
	e, other := newEngine(p), newEngine(p.mirrored())
	e.watch, other.watch = &watch, &watch
	own := narrow(m)
	inverse := own.inverted(p.B.Nodes())
	symmetric, ask := e.symmetries(ctx, own)
	a := Assessment{Bound: p.Bound(), Matches: make([]Match, len(m)), Ask: ask}
	e.tellEdges(&a, own)
	groups := newSets(len(m))
	if symmetric != nil && a.Shared >= manyEdges {
		e.tell(own, a.Matches, groups, nil)
		other.tellMargins(inverse, a.Matches, nil)
		a.name(symmetric)
		a.oneOfOrbit(m)
		a.countSure()
		return a
	}
	unlike := e.unlike(other, own, inverse, groups)
	odds := make([]float64, len(m))
	lost := func(edges int) float64 { return float64(edges-a.Shared+1) / float64(edges+2) }
	e.tell(own, a.Matches, groups, func(i, _, more int) { odds[i] += math.Pow(lost(p.B.Edges()), float64(more)) })
	other.tellMargins(inverse, a.Matches, func(_, i, more int) { odds[i] += math.Pow(lost(p.A.Edges()), float64(more)) })
	looked := !watch.Over()
	share := float64(a.Shared) / float64(max(1, a.Bound))
	temperature, margin := walkTemperature, math.MinInt
	trees, most := likeTree(p.A) && likeTree(p.B), max(p.A.Edges(), p.B.Edges())
	switch {
	case trees && float64(a.Shared) < ofTrees*float64(most):
		temperature = walkOfTrees
	case share < nearlyAll || trees && p.A.Nodes() != p.B.Nodes():
		temperature = hotterWalk
	}
	var walk samples
	w := e.stays(other, own, inverse, temperature, &walk, false)
	stays, whole := w.always, w.whole
	if share < many || !whole || w.brief {
		margin = marginOfFew
	}
	steady := make([]bool, len(m))
	for i, j := range own {
		steady[i] = j != none && unlike != nil && stays != nil && unlike[i] && stays[i] && a.Matches[i].Margin >= margin
	}
	if a.Groups = groups.list(); symmetric != nil {
		a.name(symmetric)
	} else if whole {
		a.walk = walk
	}
	if looked {
		e.tellConfidence(&a, own, steady, unlike, w)
	}
	for i, against := range odds {
		told := &a.Matches[i].Told
		told.Right = min(told.Right, 1/(1+against))
	}
	for i, j := range e.fixed1 {
		if j != none && j == own[i] {
			a.Matches[i].Told = confidence.Told{Right: 1}
		}
	}
	a.countSure()
	return a
}

// tellEdges fills in how many edges are shared.
func (e *engine) tellEdges(a *Assessment, m matching) {
	a.Shared, a.EdgeCorrectness, a.S3 = e.shared(m), 0, 0
	if edges := e.problem.A.Edges(); edges > 0 {
		a.EdgeCorrectness = float64(a.Shared) / float64(edges)
	}
	if together := e.inside(widen(m)) - a.Shared; together > 0 {
		a.S3 = float64(a.Shared) / float64(together)
	}
}

// likeTree reports whether a graph has few more edges than a tree.
func likeTree(g *Graph) bool { return 5*g.Edges() < 6*g.Nodes() }

// tell fills in the witnesses and margins of matches as graph 1 sees them, joins nodes whose
// exchange would change nothing, and unless it is nil calls rivals as tellRival does.
func (e *engine) tell(m matching, matches []Match, groups sets, rivals func(i, j, more int)) {
	s := e.newSwaps(m, 0)
	e.margins(m, 1, func(i, witnesses, margin int, rival int32, _ int) {
		matches[i].Witnesses, matches[i].Margin = witnesses, margin
		if rival == none {
			return
		}
		if k := s.inverse[rival]; k != none && s.change(int32(i), rival, k) == 0 {
			groups.join(i, int(k))
		}
		s.tellRival(i, rival, rivals)
	})
}

// tellRival tells of a partner that nobody has, where as much speaks for it as for that of node i: how many more edges of it
// nothing explains.
func (s *swaps) tellRival(i int, rival int32, tell func(i, j, more int)) {
	j := s.m[i]
	if tell != nil && s.inverse[rival] == none && s.fixed1[i] == none && s.change(int32(i), rival, none) >= 0 {
		tell(i, int(j), max(0, s.b.Degree(int(rival))-s.b.Degree(int(j))))
	}
}

// tellMargins lowers the margins of matches to those that graph 1 sees, whose nodes are the partners. Unless it is nil it calls
// rivals as tellRival does.
func (e *engine) tellMargins(m matching, matches []Match, rivals func(j, i, more int)) {
	var s *swaps
	if rivals != nil {
		s = e.newSwaps(m, 0)
	}
	e.margins(m, 1, func(j, _, margin int, rival int32, _ int) {
		match := &matches[m[j]]
		match.Margin = min(match.Margin, margin)
		if rival != none && rivals != nil {
			s.tellRival(j, rival, rivals)
		}
	})
}

// unlike returns which nodes of graph 1 no other is like, nor their partners any other, and joins
// matched nodes that are alike or whose partners are. It returns nil where time was up.
func (e *engine) unlike(other *engine, m, inverse matching, groups sets) []bool {
	colours1, whole1 := e.colours()
	colours2, whole2 := other.colours()
	if !whole1 || !whole2 {
		return nil
	}
	size1, size2 := sizes(colours1), sizes(colours2)
	first1, first2 := map[uint64]int{}, map[uint64]int{}
	unlike := make([]bool, len(m))
	for i, j := range m {
		if j == none {
			continue
		}
		c1, c2 := colours1[i], colours2[j]
		unlike[i] = size1[c1] == 1 && size2[c2] == 1
		if size1[c1] > 1 {
			groups.joinFirst(first1, c1, i)
		}
		if size2[c2] > 1 {
			groups.joinFirst(first2, c2, i)
		}
	}
	return unlike
}

// inside returns how many edges the two graphs have between matched nodes.
func (e *engine) inside(m qap.Matching) int {
	taken := make([]bool, e.b.Nodes())
	for _, j := range m {
		if j != qap.Unmatched {
			taken[j] = true
		}
	}
	return e.a.among(func(i int) bool { return m[i] != qap.Unmatched }) + e.b.among(func(j int) bool { return taken[j] })
}

// among returns the number of edges between some nodes.
func (g *Graph) among(some func(i int) bool) int {
	entries := 0
	for i := range g.Nodes() {
		if !some(i) {
			continue
		}
		for e := g.start[i]; e < g.start[i+1]; e++ {
			if some(int(g.to[e])) && (g.in == nil || g.out[e] != 0) {
				entries++
			}
		}
	}
	if g.in == nil {
		return entries / 2
	}
	return entries
}

// hub is of how many neighbours a node is taken to be a witness of every alternative, which
// leaves margins too small at most: so a star does not take the square of its leaves.
const hub = 2000

// margins calls told for every matched node with its witnesses, how many more these are than
// those of the best alternative, and every alternative that has at most so many less, and how many, or none of none.
func (e *engine) margins(m matching, tie int, told func(i, witnesses, margin int, rival int32, less int)) {
	counts := make([]int32, e.b.Nodes())
	var reached []int32
	for i, own := range m {
		if own == none {
			continue
		}
		if i%rowsBetweenLooks == 0 && e.watch.Over() {
			return
		}
		reached = reached[:0]
		hubs, ownHubs := int32(0), int32(0)
		for x := e.a.start[i]; x < e.a.start[i+1]; x++ {
			k := e.a.to[x]
			if m[k] == none {
				continue
			}
			row, first := e.b.Neighbours(int(m[k])), e.b.start[m[k]]
			if len(row) > hub {
				hubs++
				if e.b.find(int(m[k]), int(own)) >= 0 {
					ownHubs++
				}
				continue
			}
			for y, j := range row {
				if !e.problem.May(i, int(j)) || e.problem.Strict && e.common(e.a.find(int(k), i), first+y) == 0 {
					continue
				}
				if counts[j] == 0 {
					reached = append(reached, j)
				}
				counts[j]++
			}
		}
		witnesses, most := counts[own]+ownHubs, hubs
		for _, j := range reached {
			if j != own {
				most = max(most, counts[j]+hubs)
			}
		}
		margin := int(witnesses - most)
		told(i, int(witnesses), margin, none, 0)
		if margin <= tie {
			for _, j := range reached {
				if less := int(witnesses - counts[j] - hubs); j != own && less <= tie {
					told(i, int(witnesses), margin, j, less)
				}
			}
		}
		for _, j := range reached {
			counts[j] = 0
		}
	}
}
