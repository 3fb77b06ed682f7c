package relaxation

import (
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// leastTimed is the number of vertices from which the parts of a step, products with K,
// assignments and Sinkhorn projections, look at the clock: with 100 nodes each a product with
// a dense K takes longer than a search may go over its limit, with 1,000 nodes any does.
const leastTimed = 1000

// timed is what a search knows of the clock within a step.
type timed struct {
	long   bool      // whether the parts of a step look at it
	cut    bool      // whether one was cut: the step does not count
	over   time.Time // when the time was first found to be up, at the end
	before []float64 // x before the step
}

// grace is what the end of a search may take after its time is up, for the matching that it
// makes of a soft assignment.
const grace = 10 * time.Millisecond

// Multiply sets dst to K·x. Where it is cut, dst is of no use.
func (s *Search) Multiply(dst, x []float64) {
	if k, ok := s.In.Affinity.(qap.Interruptible); ok && s.long {
		k.MultiplyUntil(dst, x, s.expired)
		return
	}
	s.In.Affinity.Multiply(dst, x)
}

// MultiplyMatching sets dst to K·x for the 0/1 vector x of a matching m: by lists of edges or
// rows of K where the affinity can.
func (s *Search) MultiplyMatching(dst, x []float64, m qap.Matching) {
	switch k := s.In.Affinity.(type) {
	case *qap.KoopmansBeckmann:
		k.MultiplyMatchingUntil(dst, m, s.Over())
	case interface {
		MultiplyMatching(dst []float64, m qap.Matching)
	}:
		k.MultiplyMatching(dst, m)
	default:
		s.Multiply(dst, x)
	}
}

// InStep returns the solver of linear assignment problems of the steps: where it is cut, so is
// the step.
func (s *Search) InStep() *assignment.Solver {
	s.lap.Over = s.Over()
	return &s.lap
}

// AtEnd returns the solver of linear assignment problems of the end.
func (s *Search) AtEnd() *assignment.Solver {
	if s.lap.Over = nil; s.long {
		s.lap.Over = s.late
	}
	return &s.lap
}

// Sinkhorn returns a projection of the steps.
func (s *Search) Sinkhorn(of assignment.Sinkhorn) assignment.Sinkhorn {
	of.Over = s.Over()
	return of
}

// Over returns what cuts the parts of a step that take long, nil where none does.
func (s *Search) Over() func() bool {
	if !s.long {
		return nil
	}
	return s.expired
}

// Cut reports whether a part of the step was cut: it does not count.
func (s *Search) Cut() bool { return s.cut }

// expired reports whether the time is up, which cuts the step.
func (s *Search) expired() bool {
	if !s.cut {
		s.cut = s.Watch.Over()
	}
	return s.cut
}

// late reports whether the time has been up for longer than the end may take.
func (s *Search) late() bool {
	if !s.Watch.Over() {
		return false
	}
	now := s.Watch.Now()
	if s.over.IsZero() {
		s.over = now
	}
	return now.Sub(s.over) > grace
}

// keep remembers where a step began, if it may be cut; restore goes back there if it
// was.
func (s *Search) keep() {
	if s.long {
		s.before = append(s.before[:0], s.X...)
	}
}

func (s *Search) restore() (cut bool) {
	if !s.cut {
		return false
	}
	copy(s.X, s.before)
	return true
}

// RowsBetweenLooks are those of a matrix with a thousand entries a row or more that are worked
// on between two looks at the clock.
const RowsBetweenLooks = 64
