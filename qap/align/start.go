package align

import (
	"context"
	"fmt"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// Start is a way of finding matchings that the search goes on from, besides its own. Propose
// gives offer what it finds, as often as it likes, and returns.
//
// The context ends when the start has used its part of the time; qap.Remaining says how much is
// left. The problem may be that of Solve with its graphs exchanged. An error ends Solve.
type Start struct {
	Name    string // Result.FoundBy, where nothing better is found later
	Propose func(ctx context.Context, p *Problem, seed uint64, offer Offer) error
}

// Offer improves a proposal by rounds of witnesses, keeps it where it is the best so far, and
// returns what the rounds made of it and its objective, for a start to go on from.
type Offer func(Proposal) (qap.Matching, float64)

// Proposal is a matching, or candidates, or both. Known pairs need not be in it. Offer panics
// where a matching or a candidate does not fit the problem.
type Proposal struct {
	Matching   qap.Matching // of graph 1, whole or in part; nil for none
	Candidates []Similar    // likely pairs, and how likely, in any unit: the likeliest 30 of a node count
}

// startShare is the part of what is left of a time limit that a start may take.
const startShare = 0.5

// propose lets a start find matchings.
func (e *engine) propose(ctx context.Context, s Start, seed uint64) error {
	if left, limited := e.watch.Remaining(); limited {
		ctx = qap.WithTimeLimit(ctx, max(1, time.Duration(startShare*float64(left))))
	}
	return s.Propose(ctx, e.problem, seed, func(p Proposal) (qap.Matching, float64) {
		m, score := e.improve(p, s.Name)
		return widen(m), score
	})
}

// improve returns what rounds make of a proposal.
func (e *engine) improve(p Proposal, by string) (m matching, score float64) {
	if p.Matching != nil {
		m = e.adopt(p.Matching)
		score = e.offer(m, by)
		if len(p.Candidates) == 0 {
			return e.hard(m, score, by)
		}
	}
	other, value := e.match(e.adoptCandidates(p.Candidates), by, by)
	if m != nil && score > value {
		return m, score
	}
	return other, value
}

// adopt returns a matching with the known pairs in place of those that conflict with them.
func (e *engine) adopt(from qap.Matching) matching {
	if len(from) != e.a.Nodes() {
		panic(fmt.Sprintf("align: a proposed matching of %d nodes, want %d", len(from), e.a.Nodes()))
	}
	m := append(matching(nil), e.fixed1...)
	taken := newMatching(e.b.Nodes())
	copy(taken, e.fixed2)
	for i, j := range from {
		if j != qap.Unmatched && m[i] == none && taken[j] == none {
			m[i], taken[j] = int32(j), int32(i)
		}
	}
	return m
}

// adoptCandidates returns proposed candidates, with the known pairs as the only ones of theirs.
func (e *engine) adoptCandidates(proposed []Similar) *candidates {
	c := newCandidates(e.a.Nodes(), mostNearest)
	for _, s := range proposed {
		if e.fixed1[s.I] == none && e.fixed2[s.J] == none {
			c.add(s.I, int32(s.J), float32(s.Score))
		}
	}
	for i, j := range e.fixed1 {
		if j != none {
			c.only(i, j)
		}
	}
	c.scale(e.b.Nodes())
	return c
}
