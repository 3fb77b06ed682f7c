package rgm

import (
	"context"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
	"github.com/rgm-go/rgm/qap/exact"
)

// A bound of flows and distances has a twentieth of the time limit; without one it is made of up
// to so many nodes, where it takes a few milliseconds, so that no result depends on the clock.
const (
	boundShare       = 0.05
	boundedUnlimited = 100
	boundCubed       = 12 * time.Nanosecond // of bound.OfFlows, ·n³
)

// bounds reports whether the result is going to be bounded after the search: what the method has
// proved by itself is left to it.
func (s *solve) bounds() bool {
	n1, n2 := s.given.Size()
	if _, flows := s.given.Affinity.(*qap.KoopmansBeckmann); !flows || n1 != n2 || s.method.Name == MethodExact {
		return false
	}
	if goal := &s.o.Goal; goal.Inliers > 0 && goal.Inliers < n1 || goal.Fixed != nil || !goal.Regularizer.None() {
		return false
	}
	if s.o.TimeLimit > 0 {
		return boundCubed*time.Duration(n1*n1*n1) <= s.boundTime()
	}
	return n1 <= boundedUnlimited
}

// boundTime is what the bound may take of the time limit.
func (s *solve) boundTime() time.Duration { return time.Duration(boundShare * float64(s.o.TimeLimit)) }

// bound bounds the result, and calls it optimal where nothing can be better.
func (s *solve) bound(ctx context.Context, r *qap.Result) {
	if r.HasBound || r.Status.Interrupted() {
		return
	}
	var most float64
	var err error
	if _, limited := qap.Remaining(ctx); limited {
		most, err = exact.Bound(ctx, s.given, r.Score, qap.Limits{TimeLimit: s.boundTime()})
	} else {
		most, err = bound.OfFlows(s.given)
	}
	if err != nil {
		return
	}
	most = max(most, r.Score)
	r.Bound, r.HasBound = s.given.Objective(most), true
	if most == r.Score && r.Status != qap.Target {
		r.Status = qap.Optimal
	}
}
