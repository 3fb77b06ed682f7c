package isomorphism

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Verdict says what is known of two graphs.
type Verdict string

const (
	Isomorphic Verdict = "isomorphic" // Result.Matching is a bijection that takes edges to edges
	Different  Verdict = "different"  // there is none, see Result.Reason
	Undecided  Verdict = "undecided"  // the budget or the context ended the search
)

// Options bound a search. The zero value is ready for use.
type Options struct {
	// MaxWork bounds the entries of rows that are looked at, for the bijection and again for the
	// automorphisms (0 for DefaultWork).
	MaxWork int

	// NoGroup leaves the automorphisms out.
	NoGroup bool

	Over func() bool // asked now and then whether time is up; nil for never
}

// DefaultWork is about a second of one core on graphs that fit its caches.
const DefaultWork = 200_000_000

// Result is what is known of two graphs.
type Result struct {
	Verdict  Verdict
	Matching qap.Matching // of graph 1 to graph 2, nil unless they are isomorphic
	Reason   string       // in words, where they are different
	Group
	Work int // entries of rows that were looked at
}

// Group is what is known of the automorphisms of a graph.
type Group struct {
	// Order is their number, nil where it is not known.
	Order *big.Int

	// Alike are sets of nodes, of two at least and sorted, that automorphisms take to one another. Where
	// Order is known they are all there are (the orbits); else those that were found.
	Alike [][]int32
}

// Compare decides whether two graphs are isomorphic. A cancelled context ends it Undecided.
func Compare(ctx context.Context, g1, g2 *Graph, o Options) Result {
	b := newBudget(ctx, o)
	if reason := count(g1, g2); reason != "" {
		return Result{Verdict: Different, Reason: reason}
	}
	lead, _ := newRefined(g1, nil, b)
	follow, same := newRefined(g2, lead, b)
	r := Result{Verdict: Undecided, Work: b.spent}
	switch {
	case b.over:
		return r
	case !same:
		r.Verdict, r.Reason = Different, "colour refinement tells them apart: neighbours, theirs, and so on"
		return r
	}
	s := search{lead: lead, follow: follow, budget: b}
	before := lead.mark()
	image := s.image
	result := b.share(quickShare, s.run)
	if result == stopped {
		h := newHunt(lead, follow, b)
		image = h.image
		if result = b.share(huntShare, h.run); result == stopped { // then one choice for all that are symmetric
			b.share(symmetryShare, func() outcome {
				again, _ := newRefined(g2, nil, b)
				h.tried = findGroup(again, b).orbits
				return none
			})
			result = b.share(1, h.run)
		}
	}
	switch result {
	case none:
		r.Verdict, r.Reason = Different, "every choice of partners for some nodes contradicts itself"
	case found:
		r.Verdict, r.Matching = Isomorphic, make(qap.Matching, g1.Nodes())
		for i := range r.Matching {
			r.Matching[i] = int(image(int32(i)))
		}
	}
	r.Work = b.spent
	if result == found && !o.NoGroup {
		lead.undo(before)
		lead.budget = newBudget(ctx, o)
		r.Group = findGroup(lead, lead.budget).told()
		r.Work += lead.budget.spent
	}
	return r
}

// Of what is left of the budget a first search has one part in quickShare, one with many paths has then one in
// huntShare, and finding symmetries one in symmetryShare of the rest.
const quickShare, huntShare, symmetryShare = 16, 2, 3

// Automorphisms returns what is known of those of a graph.
func Automorphisms(ctx context.Context, g *Graph, o Options) Group {
	b := newBudget(ctx, o)
	p, _ := newRefined(g, nil, b)
	return findGroup(p, b).told()
}

func newBudget(ctx context.Context, o Options) *budget {
	return &budget{ctx: ctx, timeIsUp: o.Over, left: cmp.Or(o.MaxWork, DefaultWork)}
}

// newRefined returns the partition of a graph from which choices begin, and whether it is as the leader's.
func newRefined(g *Graph, leader *partition, b *budget) (*partition, bool) {
	p := newPartition(g, leader, b)
	return p, p.refine() && p.splitByCycles()
}

func (g *group) told() Group {
	t := Group{Alike: g.orbits.sets()}
	if g.whole {
		t.Order = g.order()
	}
	return t
}

// count returns why two graphs differ by what is counted at once, "" where they do not.
func count(g1, g2 *Graph) string {
	for _, c := range []struct {
		of1, of2 int
		what     string
	}{{g1.Nodes(), g2.Nodes(), "nodes"}, {g1.edges, g2.edges, "edges"}, {g1.loops, g2.loops, "edges from a node to itself"}} {
		if c.of1 != c.of2 {
			return fmt.Sprintf("%d and %d %s", c.of1, c.of2, c.what)
		}
	}
	degrees := make([]int, g1.Nodes()+1)
	for i := range int32(g1.Nodes()) {
		degrees[g1.degree(i)]++
		degrees[g2.degree(i)]--
	}
	for d, more := range degrees {
		if more != 0 {
			return fmt.Sprintf("not equally many nodes have %d neighbours", d)
		}
	}
	if (g1.colours == nil) != (g2.colours == nil) && g1.Nodes() > 0 {
		return "nodes of one graph have colours and those of the other none"
	}
	if !slices.Equal(slices.Sorted(slices.Values(g1.colours)), slices.Sorted(slices.Values(g2.colours))) {
		return "the colours of the nodes differ"
	}
	return ""
}
