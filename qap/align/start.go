package align

import (
	"context"
	"fmt"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// Start is a way of finding matchings that the search goes on from, besides its own. Propose
// gives offer what it finds, as often as it likes, and returns; best is the best matching so far.
//
// The context ends when the start has used its part of the time; qap.Remaining says how much is
// left. The problem may be that of Solve with its graphs exchanged. An error ends Solve.
type Start struct {
	Name    string // Result.FoundBy where nothing better is found later, NAME+swaps where these go on from it
	Propose func(ctx context.Context, p *Problem, best qap.Matching, seed uint64, offer Offer) error

	// Below makes a start one for hard problems: in place of once before the swaps it is asked each
	// time that they have cooled and share less than this part of Problem.Bound, with another seed,
	// until mostIdle times in turn nothing better came of it, and at most MostAsked times where no
	// time limit ends the search.
	Below float64
}

// MostAsked is how often a start with Below is asked without a time limit.
const MostAsked = 3

const mostIdle = 2

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
	best := widen(e.best)
	if left, limited := e.watch.Remaining(); limited {
		ctx = qap.WithTimeLimit(ctx, max(1, time.Duration(startShare*float64(left))))
	}
	err := s.Propose(ctx, e.problem, best, seed, func(p Proposal) (qap.Matching, float64) {
		m, score := e.improve(p, s.Name)
		return widen(m), score
	})
	if e.foundBy == s.Name {
		e.begun = s.Name
	}
	return err
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
		if j != qap.Unmatched && m[i] == none && taken[j] == none && e.problem.May(i, j) {
			m[i], taken[j] = int32(j), int32(i)
		}
	}
	return m
}

// adoptCandidates returns proposed candidates, with the known pairs as the only ones of theirs.
func (e *engine) adoptCandidates(proposed []Similar) *candidates {
	c := newCandidates(e.a.Nodes(), mostNearest)
	for _, s := range proposed {
		if e.fixed1[s.I] == none && e.fixed2[s.J] == none && e.problem.May(s.I, s.J) {
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

// ask lets the starts propose that are for problems as hard as this one; round counts how often
// there was a cooling before.
func (e *engine) ask(ctx context.Context, o *Options, round int) error {
	share := float64(e.shared(e.best)) / float64(max(1, e.problem.Bound()))
	_, limited := e.watch.Remaining()
	if e.idle == nil {
		e.idle = make([]int, len(o.Starts))
	}
	for k, s := range o.Starts {
		if _, ended := e.ended(); ended || share >= s.Below || e.idle[k] == mostIdle || !limited && round >= MostAsked {
			continue
		}
		before := e.bestScore
		if err := e.propose(ctx, s, o.Seed+uint64(round)); err != nil {
			return fmt.Errorf("align: %s: %w", s.Name, err)
		}
		if e.idle[k]++; e.bestScore > before {
			e.idle[k] = 0
		}
	}
	return nil
}
