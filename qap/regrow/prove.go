package regrow

import (
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
)

// proof is a bound of the score, which is lowered beside the search.
type proof struct {
	dual       *bound.Dual // nil before there is time for one, and where there is none
	none       bool        // there is none
	entries    int         // affinities, each counted once
	iterations int
	began      time.Time     // the search
	used       time.Duration // of it for the bound
}

// The share of the time that goes into the bound: more of it where a proof is near and the best
// has been the same for half of the search. For so many iterations the lesser share must be
// enough, or there is no bound.
const (
	proofShare      = 0.15
	nearShare       = 0.5
	nearGap         = 0.06 // of the score
	fewestLowerings = 10
)

// Nanoseconds for each affinity that preparing the bound and lowering it take.
const (
	preparingTime = 150
	loweringTime  = 40
)

// newProof returns the proof of a search that began at a time.
func newProof(r *run, began time.Time) proof {
	p := proof{began: began, entries: r.entries / 2}
	p.none = p.entries > bound.MaxEntries || !r.goal.Regularizer.None() || r.goal.Fixed != nil
	left, limited := r.watch.Remaining()
	if limited && p.preparing()+fewestLowerings*p.lowering() > time.Duration(proofShare*float64(left)) {
		p.none = true
	}
	return p
}

func (p *proof) preparing() time.Duration { return preparingTime * time.Duration(p.entries) }

func (p *proof) lowering() time.Duration { return loweringTime * time.Duration(p.entries) }

// prove lowers the bound for its share of the search so far, and reports whether it has
// proved the best to be optimal.
func (r *run) prove() bool {
	p := &r.proof
	if p.none || r.best == nil {
		return false
	}
	if p.dual == nil {
		if !r.affords(p.preparing()) {
			return false
		}
		before := r.watch.Now()
		dual, err := bound.New(r.in, r.goal, r.stopped)
		if p.none = err != nil; dual == nil {
			return false
		}
		p.dual, p.used = dual, r.watch.Now().Sub(before)
	}
	for r.affords(p.lowering()) {
		before := r.watch.Now()
		p.dual.Improve(r.bestJ, r.stopped)
		p.iterations++
		p.used += r.watch.Now().Sub(before)
		if p.dual.Closed(r.bestJ) {
			r.status = qap.Optimal
			return true
		}
	}
	return false
}

// affords reports whether the bound's share has room for something that takes a time. Without a
// time limit it is one of steps, so that a number of them always finds the same.
func (r *run) affords(estimate time.Duration) bool {
	p, near := &r.proof, r.isProofNear()
	if left, limited := r.watch.Remaining(); limited {
		share := proofShare
		if near {
			share = nearShare
		}
		return p.used+estimate < time.Duration(share*float64(r.watch.Now().Sub(p.began))) && 2*estimate < left
	}
	const entriesAStep = 150 // an iteration over so many takes a seventh of a step
	every := max(2*max(r.N1, r.N2), p.entries/entriesAStep)
	if near {
		every /= 4
	}
	return p.iterations < r.steps/every && !r.stopped()
}

// isProofNear reports whether little is missing, and the search goes on only for it.
func (r *run) isProofNear() bool {
	d := r.proof.dual
	return d != nil && r.bestStep < r.steps/2 && d.Bound()-r.bestJ < nearGap*math.Abs(r.bestJ)
}

// bounded adds what is proved to a result.
func (r *run) bounded(result qap.Result) qap.Result {
	if p := &r.proof; p.dual != nil && !math.IsInf(p.dual.Bound(), 1) {
		result.Bound, result.HasBound = r.in.Objective(max(p.dual.Bound(), result.Score)), true
	}
	return result
}
