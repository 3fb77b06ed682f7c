package compare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// nodeTerms are the affinities of nodes by what they have.
type nodeTerms struct {
	of    func(i, a int) float64 // nil for none
	about string                 // what it is, in words
	left  string                 // why there is none where nodes have something
}

// The reasons for which what nodes have is left out.
const (
	sharesMore  = "edges alone share more; where the weight of nodes is given they count all the same"
	saysNothing = "they say nothing of which node is which; where the weight of nodes is given they count all the same"
)

// A weight of 1 is for this many edges a node: a match has as many edges beside it as its
// nodes have, and all say much the same about where they are.
const edgesANode = 10

// nodeTerms returns how alike nodes are, by likelihoods of what they have as weighed against the
// edges, and by exp(−Σ Δ²/width) of numbers that have none.
func (p *Problem) nodeTerms(ctx context.Context, g1, g2 *graphs.Graph, nodes quantities) nodeTerms {
	given := p.Design.NodeWeight
	if given != nil && *given == 0 || len(nodes) == 0 {
		return nodeTerms{}
	}
	var l *ratios
	if p.Design.Joins.Rule == JoinGiven {
		l, _ = nodes.byEdges(ctx, g1, g2, nil, given != nil)
	} else {
		l = nodes.likelihoods(ctx, g1.Nodes, g2.Nodes, nil)
	}
	if l == nil {
		return nodeTerms{left: sharesMore}
	}
	terms := p.weighed(ctx, l, len(nodes), g1.Nodes+g2.Nodes)
	if terms.of == nil {
		terms.left = saysNothing
	}
	return terms
}

// weighed returns affinities by likelihoods, of so many quantities and nodes in all.
func (p *Problem) weighed(ctx context.Context, l *ratios, count, nodes int) (t nodeTerms) {
	given := p.Design.NodeWeight
	if l.most > 0 {
		degree := 2 * float64(len(p.Edges1)+len(p.Edges2)) / float64(nodes)
		weight, source := max(degree, 1)/edgesANode, "from the data"
		if given != nil {
			weight, source = *given, "as given"
		}
		t.of = func(i, a int) float64 { return weight * l.of(i, a) }
		t.about = fmt.Sprintf("by %s, weight %.3g (%s)", l, weight, source)
	}
	if len(l.left) == 0 {
		return t
	}
	weight, text := 1.0, ""
	if given != nil && *given != 1 {
		weight, text = *given, fmt.Sprintf("%.3g·", *given)
	}
	left := l.left.alone(count)
	alike := left.alikeUntil(ctx)
	if t.of == nil {
		return nodeTerms{of: func(i, a int) float64 { return weight * alike(i, a) }, about: text + left.String()}
	}
	likely := t.of
	t.of = func(i, a int) float64 { return likely(i, a) + weight*alike(i, a) }
	t.about += " and " + text + left.String()
	return t
}

// byEdges returns the likelihoods of what nodes have, estimated from the matches that a short
// alignment is sure of, and that alignment, zero where there is none. There are two,
// without the attributes and with them as they say themselves; that of more shared edges is
// right. nil is returned, unless attributes are to be used, where they lead to fewer edges, and nothing
// says how far to trust them. A time limit of the context is used up to a third.
func (all quantities) byEdges(ctx context.Context, g1, g2 *graphs.Graph, known []align.Pair, use bool) (l *ratios, best align.Result) {
	if left, limited := qap.Remaining(ctx); limited {
		ctx = qap.WithTimeLimit(ctx, max(left/3, 1))
	}
	themselves := all.likelihoods(ctx, g1.Nodes, g2.Nodes, nil)
	n := max(g1.Nodes, g2.Nodes)
	directed := g1.Directed && g2.Directed
	a, err1 := structure(g1, nil, directed)
	b, err2 := structure(g2, nil, directed)
	if n > mostAligned || err1 != nil || err2 != nil || late(ctx) {
		return themselves, best
	}
	p := align.Problem{A: a, B: b, Known: known}
	ways := []*align.Problem{&p}
	if themselves.most > 0 {
		attributed := p
		attributed.Attributes = themselves.attributes(g1.Nodes, g2.Nodes)
		attributed.Attributes.Weight = themselves.most / edgeRatio(&p, 0)
		ways = append(ways, &attributed)
	}
	found, k, err := shortAlignments(ctx, 3, ways...)
	if err != nil || ctx.Err() != nil {
		return themselves, best
	}
	without, with := found[0], found[len(found)-1]
	best = found[k]
	likelier := edgeRatio(&p, 0)*float64(without.Shared-with.Shared) < themselves.sum(with.Matching)
	var sure []graphs.Pair
	for i, m := range align.Assess(ctx, &p, best.Matching).Matches {
		if m.Sure() {
			sure = append(sure, graphs.Pair{I: i, J: best.Matching[i]})
		}
	}
	const least, harm = 0.05, 0.95 // of the nodes, where fewer may be chance; of the edges
	switch {
	case len(sure) >= max(fewestKnown, int(least*float64(n))):
		if l = all.likelihoods(ctx, g1.Nodes, g2.Nodes, sure); l.most > 0 || !use {
			return l, best
		}
	case float64(with.Shared) < harm*float64(without.Shared) && !likelier && !use:
		return nil, best
	}
	return themselves, best
}

// sum returns the sum of the pairs of a matching.
func (l *ratios) sum(m qap.Matching) (sum float64) {
	for i, a := range m {
		if a != qap.Unmatched {
			sum += l.of(i, a)
		}
	}
	return sum
}

// edgeRatio returns by how much likelier, as a logarithm, a shared edge makes it that two pairs are
// right, ln p₁₁·p₀₀/(p₁₀·p₀₁) with p₁₁ the share of pairs of nodes that have an edge in both graphs:
// what a log likelihood ratio of nodes is worth in edges.
func edgeRatio(p *align.Problem, shared int) float64 {
	const kept = 0.8 // of the edges, where nothing is known
	m1, m2 := float64(p.A.Edges()), float64(p.B.Edges())
	both := max(float64(shared), kept*min(m1, m2), 1)
	n := float64(min(p.A.Nodes(), p.B.Nodes()))
	neither := max(n*(n-1)/2-m1-m2+both, 1)
	return max(math.Log(both)+math.Log(neither)-math.Log(max(m1-both, 1))-math.Log(max(m2-both, 1)), 1)
}

// alone returns quantities that were averaged beside others, of so many in all, as they are
// averaged alone.
func (all quantities) alone(of int) quantities {
	kept := slices.Clone(all)
	for k := range kept {
		kept[k].width *= float64(len(all)) / float64(of)
	}
	return kept
}

// agreed returns the affinities of nodes whose likelihoods are estimated from the matches that
// short searches find by edges alone and by nodes besides: these are right for the most part, where
// they are half of the nodes or more. The edges are those of points.
func (p *Problem) agreed(ctx context.Context, g1, g2 *graphs.Graph, nodes quantities, terms nodeTerms) (nodeTerms, error) {
	if terms.of == nil || p.Design.Joins.Rule == JoinGiven || len(p.Edges1)*len(p.Edges2) > trialPairs || late(ctx) {
		return terms, nil
	}
	with := p.Instance
	if _, err := p.assemble(ctx, g1, g2, nil); err != nil {
		return terms, err
	}
	alone := p.Instance
	p.Instance = with
	found, _, err := trial([]*qap.Instance{with, alone}, func(in *qap.Instance) (qap.Result, error) { return shortSearch(ctx, in) }, scoreOf)
	if err != nil {
		return terms, err
	}
	var known []graphs.Pair
	for i, a := range found[0].Matching {
		if a != qap.Unmatched && found[1].Matching[i] == a {
			known = append(known, graphs.Pair{I: i, J: a})
		}
	}
	if len(known) < max(fewestKnown, min(g1.Nodes, g2.Nodes)/2) {
		return terms, nil
	}
	terms = p.weighed(ctx, nodes.likelihoods(ctx, g1.Nodes, g2.Nodes, known), len(nodes), g1.Nodes+g2.Nodes)
	_, err = p.assemble(ctx, g1, g2, terms.of)
	return terms, err
}
