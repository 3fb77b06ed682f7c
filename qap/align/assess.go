package align

import (
	"cmp"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Match says how far a match can be trusted.
type Match struct {
	Witnesses int  // neighbours whose partners are neighbours of the partner
	Margin    int  // witnesses more than the best alternative has, for either of the two nodes
	Sure      bool // the margin is 2 or more, 3 or 4 where not nearly all edges are shared, or the pair was known
}

// sureMargin returns the least margin of a match that is sure, by the share of the bound that
// is shared: what is left over may be whole regions that were taken for others, whose matches
// support each other. Of the sure matches on the networks of docs/ALIGN.md more than 99 % were
// right, at most 1 or 2 of a pair wrong.
func sureMargin(share float64) int {
	switch {
	case share >= 0.999:
		return 2
	case share >= 0.99:
		return 3
	}
	return 4
}

// Assessment says what speaks for a matching.
type Assessment struct {
	Shared          int     // edges of A taken to edges of B
	Bound           int     // what Shared cannot exceed, the edges of the graph that has fewer
	EdgeCorrectness float64 // Shared over the edges of A
	S3              float64 // Shared over the edges that A or B has between matched nodes (Saraph, Milenković, doi:10.1093/bioinformatics/btu409)
	Matches         []Match // one a node of A; zeros of those without a partner
	Sure            int     // how many are sure

	// Groups are nodes of A that could exchange their partners without a change of the
	// objective: nothing in the graphs tells them apart.
	Groups [][]int
}

// Assess looks at a matching. It takes time linear in the squares of the degrees.
func Assess(p *Problem, m qap.Matching) Assessment {
	e := newEngine(p)
	a := Assessment{Shared: e.shared(narrow(m)), Bound: p.Bound(), Matches: make([]Match, len(m))}
	if edges := p.A.Edges(); edges > 0 {
		a.EdgeCorrectness = float64(a.Shared) / float64(edges)
	}
	if together := e.inside(m) - a.Shared; together > 0 {
		a.S3 = float64(a.Shared) / float64(together)
	}
	s := e.newSwaps(narrow(m), 0)
	groups := newSets(len(m))
	e.margins(narrow(m), func(i, witnesses, margin int, rival int32) {
		a.Matches[i].Witnesses, a.Matches[i].Margin = witnesses, margin
		if rival == none {
			return
		}
		if k := s.inverse[rival]; k != none && s.change(int32(i), rival, k) == 0 {
			groups.join(i, int(k))
		}
	})
	other := newEngine(p.mirrored())
	inverse := narrow(m).inverted(p.B.Nodes())
	other.margins(inverse, func(j, _, margin int, _ int32) {
		match := &a.Matches[inverse[j]]
		match.Margin = min(match.Margin, margin)
	})
	least := sureMargin(float64(a.Shared) / float64(max(1, a.Bound)))
	for i, j := range m {
		match := &a.Matches[i]
		match.Sure = j != qap.Unmatched && (match.Margin >= least || e.fixed1[i] == int32(j))
		if match.Sure {
			a.Sure++
		}
	}
	a.Groups = groups.list()
	return a
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
// leaves margins too small at most: so a star does not take the square of its leaves. Leaves
// of hubs alone are in no group.
const hub = 2000

// margins calls told for every matched node with its witnesses, how many more these are than
// those of the best alternative, and every alternative that has as many, or none of none.
func (e *engine) margins(m matching, told func(i, witnesses, margin int, rival int32)) {
	counts := make([]int32, e.b.Nodes())
	var reached []int32
	for i, own := range m {
		if own == none {
			continue
		}
		reached = reached[:0]
		hubs, ownHubs := int32(0), int32(0)
		for _, k := range e.a.Neighbours(i) {
			if m[k] == none {
				continue
			}
			row := e.b.Neighbours(int(m[k]))
			if len(row) > hub {
				hubs++
				if e.b.find(int(m[k]), int(own)) >= 0 {
					ownHubs++
				}
				continue
			}
			for _, j := range row {
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
		told(i, int(witnesses), margin, none)
		const tie = 1 // neighbours of each other count themselves, so that equals seem one apart
		if margin <= tie {
			for _, j := range reached {
				if j != own && counts[j]+hubs >= witnesses-tie {
					told(i, int(witnesses), margin, j)
				}
			}
		}
		for _, j := range reached {
			counts[j] = 0
		}
	}
}

// sets are disjoint sets of numbers.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) of(i int) int {
	for int(s[i]) != i {
		s[i] = s[s[i]]
		i = int(s[i])
	}
	return i
}

func (s sets) join(i, j int) {
	i, j = s.of(i), s.of(j)
	s[max(i, j)] = int32(min(i, j))
}

// list returns the sets of more than one number, sorted.
func (s sets) list() [][]int {
	at := map[int]int{}
	var all [][]int
	for i := range s {
		first := s.of(i)
		if first == i {
			continue
		}
		k, known := at[first]
		if !known {
			k = len(all)
			at[first] = k
			all = append(all, []int{first})
		}
		all[k] = append(all[k], i)
	}
	slices.SortFunc(all, func(x, y []int) int { return cmp.Compare(x[0], y[0]) })
	return all
}
