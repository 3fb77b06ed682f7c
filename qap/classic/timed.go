package classic

import "github.com/rgm-go/rgm/qap"

// timed is a dense affinity whose product looks at the clock: with 100 nodes each it
// takes longer than a search may go over its limit. A product that is cut leaves the
// rest of its result as it was; the step that asked for it does not count.
type timed struct {
	*qap.Dense
	watch *qap.Watch
	cut   bool // whether the time is up
}

// rowsBetweenLooks are those of a product between two looks at the clock, for rows of a
// thousand entries or more.
const rowsBetweenLooks = 64

func (t *timed) Multiply(dst, x []float64) {
	for from := 0; from < len(x) && !t.expired(); from += rowsBetweenLooks {
		t.MultiplyRows(dst, x, from, min(from+rowsBetweenLooks, len(x)))
	}
}

func (t *timed) expired() bool {
	if !t.cut {
		_, t.cut = t.watch.Expired()
	}
	return t.cut
}

// leastTimed is the number of vertices from which products are timed.
const leastTimed = 1000

// withClock returns the instance with a timed affinity, where that is a large dense one.
func (s *search) withClock(in *qap.Instance) *qap.Instance {
	dense, ok := in.Affinity.(*qap.Dense)
	if !ok || len(s.x) < leastTimed {
		return in
	}
	s.timed = &timed{Dense: dense, watch: &s.watch}
	clocked := *in
	clocked.Affinity = s.timed
	return &clocked
}

// keep remembers where a step began, if it may be cut; restore goes back there if it
// was.
func (s *search) keep() {
	if s.timed != nil {
		s.before = append(s.before[:0], s.x...)
	}
}

func (s *search) restore() (cut bool) {
	if s.timed == nil || !s.timed.cut {
		return false
	}
	copy(s.x, s.before)
	return true
}
