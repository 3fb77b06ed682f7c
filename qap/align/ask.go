package align

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/isomorphism"
)

const (
	askWork     = 2_000_000 // entries of rows for the symmetries of each graph
	mostAsked   = 40        // nodes that may be asked of, those of the greatest entropy
	mostSettled = 500       // nodes whose entropy an answer is to lower

	mostTried      = 8    // orbits of each graph, in turns, one node of each of which is tried,
	mostTriedAlone = 5000 // of more nodes than this the first alone
)

// samples are the matchings that a walk came to, of graph 1 to graph 2.
type samples []matching

// record adds the present matching of swaps, of which graph 1 is this one, or the other one where they are mirrored.
func (w *samples) record(s *swaps, mirrored bool) {
	m := s.m
	if mirrored {
		m = s.inverse[:s.b.Nodes()]
	}
	*w = append(*w, append(matching(nil), m...))
}

// Questions returns Ask, and of a matching that is no isomorphism, as far as a walk of swaps was finished, such nodes too: of those that are
// not sure, so none where all are.
func (a *Assessment) Questions(ctx context.Context, p *Problem, m qap.Matching) []int {
	if a.Automorphisms != nil || a.walk == nil {
		return a.Ask
	}
	unsure := func(i int) bool { return m[i] != qap.Unmatched && !a.Matches[i].Sure() }
	if a.Sure == m.Size() {
		return nil
	}
	watch := qap.Limits{}.Watch(ctx, nil)
	e, own := newEngine(p), narrow(m)
	e.watch = &watch
	return e.questions(ctx, own, own.inverted(p.B.Nodes()), a.walk, unsure)
}

// questions returns nodes of which to ask who they are, where the matching is no isomorphism: those that leave the fewest
// symmetries of both graphs, and then those whose answers lower the entropy of a walk's samples most.
func (e *engine) questions(ctx context.Context, m, inverse matching, walk samples, unsure func(i int) bool) []int {
	n := max(e.a.Nodes(), e.b.Nodes())
	if n > mostAskable {
		return nil
	}
	var asked []int
	left := e.symmetric(ctx, m, asked)
	for len(asked) < mostQuestions && left.open() > 0 {
		tried := left.candidates(m, inverse)
		if n > mostTriedAlone {
			tried = tried[:min(1, len(tried))]
		}
		best, next := none, left
		for _, i := range tried {
			if e.watch.Over() {
				break
			}
			if after := e.symmetric(ctx, m, append(slices.Clip(asked), i)); after.knows(&left) && after.open() < next.open() {
				best, next = i, after
			}
		}
		if best == none {
			break
		}
		asked, left = append(asked, best), next
	}
	return walk.ask(asked, m, unsure, e.watch.Over)
}

// symmetric returns the symmetries of both graphs that are left once the partners of some nodes are known.
func (e *engine) symmetric(ctx context.Context, m matching, asked []int) (left symmetries) {
	p := *e.problem
	p.Known = slices.Clip(p.Known)
	for _, i := range asked {
		if e.fixed1[i] == none {
			p.Known = append(p.Known, Pair{i, int(m[i])})
		}
	}
	g1, g2 := newEngine(&p).coloured()
	for side, g := range []*isomorphism.Graph{g1, g2} {
		left[side] = isomorphism.Automorphisms(ctx, g, isomorphism.Options{MaxWork: askWork, Over: e.watch.Over})
	}
	return left
}

// symmetries are those of graph 1 and of graph 2.
type symmetries [2]isomorphism.Group

// open returns how much they leave open, 0 where they are not known.
func (s *symmetries) open() (sum float64) {
	for side := range s {
		if s[side].Order != nil {
			sum += s[side].Entropy()
		}
	}
	return sum
}

// knows reports whether symmetries are known as far as others are.
func (s *symmetries) knows(other *symmetries) bool {
	return (s[0].Order != nil || other[0].Order == nil) && (s[1].Order != nil || other[1].Order == nil)
}

// candidates returns matched nodes of graph 1, of the largest orbits of both graphs in turns.
func (s *symmetries) candidates(m, inverse matching) (nodes []int) {
	for k := range mostTried {
		for side := range s {
			orbits := slices.Clone(s[side].Alike)
			slices.SortStableFunc(orbits, func(x, y []int32) int { return cmp.Compare(len(y), len(x)) })
			if k >= len(orbits) || s[side].Order == nil {
				continue
			}
			i := orbits[k][0]
			if side == 1 {
				i = inverse[i]
			}
			if i != none && m[i] != none && !slices.Contains(nodes, int(i)) {
				nodes = append(nodes, int(i))
			}
		}
	}
	return nodes
}

// ask adds nodes that are unsure to those that are asked of already.
func (w samples) ask(asked []int, m matching, unsure func(i int) bool, over func() bool) []int {
	if len(w) == 0 {
		return asked
	}
	var open []int // nodes that have several partners
	entropy := make([]float64, len(m))
	whole := make([]int32, len(w))
	for i := range m {
		if m[i] != none && unsure(i) {
			if entropy[i] = w.entropy(i, whole); entropy[i] > 0 {
				open = append(open, i)
			}
		}
	}
	slices.SortStableFunc(open, func(i, k int) int { return cmp.Compare(entropy[k], entropy[i]) })
	settled := open[:min(len(open), mostSettled)]
	group := whole // of each sample: equal where all that were asked of have the same partners
	for _, i := range asked {
		group = w.split(i, group)
	}
	for len(asked) < mostQuestions && !over() {
		best, least, split := -1, w.sum(settled, group), []int32(nil)
		for _, i := range open[:min(len(open), mostAsked)] {
			next := w.split(i, group)
			if left := w.sum(settled, next); left < least-1e-9 {
				best, least, split = i, left, next
			}
		}
		if best < 0 {
			break
		}
		asked, group = append(asked, best), split
	}
	return asked
}

// sum returns the entropy of nodes together, as if they were independent in every group.
func (w samples) sum(nodes []int, group []int32) (sum float64) {
	for _, i := range nodes {
		sum += w.entropy(i, group)
	}
	return sum
}

// entropy returns that of the partner of a node where the group of the sample is known.
func (w samples) entropy(i int, group []int32) float64 {
	together := w.pairs(i, group)
	entropy, inGroup := 0.0, 0
	for from := 0; from < len(together); from = inGroup {
		for inGroup = from; inGroup < len(together) && together[inGroup]>>32 == together[from]>>32; inGroup++ {
		}
		for k := from; k < inGroup; {
			same := k
			for same < inGroup && together[same] == together[k] {
				same++
			}
			count := float64(same - k)
			entropy -= count * math.Log(count/float64(inGroup-from))
			k = same
		}
	}
	return entropy / float64(len(w))
}

// pairs returns the groups of the samples and the partners of a node in them, sorted.
func (w samples) pairs(i int, group []int32) []int64 {
	together := make([]int64, len(w))
	for k, m := range w {
		together[k] = int64(group[k])<<32 | int64(m[i]+1)
	}
	slices.Sort(together)
	return together
}

// split returns the groups that are left once the partner of a node is known.
func (w samples) split(i int, group []int32) []int32 {
	number, next := map[int64]int32{}, make([]int32, len(w))
	for k, m := range w {
		key := int64(group[k])<<32 | int64(m[i]+1)
		if _, known := number[key]; !known {
			number[key] = int32(len(number))
		}
		next[k] = number[key]
	}
	return next
}
