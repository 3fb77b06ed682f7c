package classic

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

// multiply sets dst to K·x. Where it is cut, dst is of no use.
func (s *search) multiply(dst, x []float64) {
	if k, ok := s.in.Affinity.(qap.Interruptible); ok && s.long {
		k.MultiplyUntil(dst, x, s.expired)
		return
	}
	s.in.Affinity.Multiply(dst, x)
}

// multiplyMatching sets dst to K·x for the 0/1 vector x of a matching m: by lists of edges or
// rows of K where the affinity can.
func (s *search) multiplyMatching(dst, x []float64, m qap.Matching) {
	switch k := s.in.Affinity.(type) {
	case *qap.KoopmansBeckmann:
		over := s.expired
		if !s.long {
			over = nil
		}
		k.MultiplyMatchingUntil(dst, m, over)
	case interface {
		MultiplyMatching(dst []float64, m qap.Matching)
	}:
		k.MultiplyMatching(dst, m)
	default:
		s.multiply(dst, x)
	}
}

// inStep returns the solver of linear assignment problems of the steps: where it is cut, so is
// the step.
func (s *search) inStep() *assignment.Solver {
	if s.lap.Over = nil; s.long {
		s.lap.Over = s.expired
	}
	return &s.lap
}

// atEnd returns the solver of linear assignment problems of the end.
func (s *search) atEnd() *assignment.Solver {
	if s.lap.Over = nil; s.long {
		s.lap.Over = s.late
	}
	return &s.lap
}

// sinkhorn returns a projection of the steps.
func (s *search) sinkhorn(of assignment.Sinkhorn) assignment.Sinkhorn {
	if s.long {
		of.Over = s.expired
	}
	return of
}

// expired reports whether the time is up, which cuts the step.
func (s *search) expired() bool {
	if !s.cut {
		s.cut = s.watch.Over()
	}
	return s.cut
}

// late reports whether the time has been up for longer than the end may take.
func (s *search) late() bool {
	if !s.watch.Over() {
		return false
	}
	now := s.watch.Now()
	if s.over.IsZero() {
		s.over = now
	}
	return now.Sub(s.over) > grace
}

// keep remembers where a step began, if it may be cut; restore goes back there if it
// was.
func (s *search) keep() {
	if s.long {
		s.before = append(s.before[:0], s.x...)
	}
}

func (s *search) restore() (cut bool) {
	if !s.cut {
		return false
	}
	copy(s.x, s.before)
	return true
}

// rowsBetweenLooks are those of a matrix with a thousand entries a row or more that are worked
// on between two looks at the clock.
const rowsBetweenLooks = 64
