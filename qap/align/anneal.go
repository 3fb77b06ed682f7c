package align

import (
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// The temperatures are in units of what a shared edge adds on average.
const (
	hottest, coldest = 0.3, 0.05
	firstCooling     = 0.5  // of the budget
	laterCooling     = 0.25 // of what is left
	leastCooling     = 0.02 // of the budget
	trialsAtOnce     = 4096
)

// anneal improves the best matching by swaps until a limit: it cools once from where the
// rounds ended, and then again and again from the best.
func (e *engine) anneal(o *Options) qap.Status {
	limit := o.MaxSteps
	if limit == 0 && o.TimeLimit == 0 {
		limit = min(DefaultSteps*e.a.Nodes(), MostSteps)
	}
	m := append(matching(nil), e.best...)
	e.fill(m)
	s := e.newSwaps(m, o.Seed)
	if e.b.Edges() < e.a.Edges() { // proposals begin with edges that are not shared: of the fewer
		s = e.mirrored().newSwaps(m.inverted(e.b.Nodes()), o.Seed)
	}
	unit := e.unit()
	cooling := cooling{from: hottest, end: firstCooling}
	for begin := e.watch.Now(); ; {
		e.take(s)
		if status, ended := e.ended(); ended {
			return status
		}
		if limit > 0 && e.steps >= limit {
			return qap.MaxSteps
		}
		trials, progress := trialsAtOnce, 0.0
		if limit > 0 {
			trials, progress = min(trials, limit-e.steps), float64(e.steps)/float64(limit)
		} else if left, limited := e.watch.Remaining(); limited {
			done := e.watch.Now().Sub(begin)
			progress = float64(done) / float64(max(done+left, time.Nanosecond))
		}
		if cooling.next(progress) {
			s.restart()
		}
		s.run(trials, unit*cooling.at(progress))
		e.steps += trials
	}
}

// A cooling is a part of the budget in which the temperature falls once.
type cooling struct {
	from       float64
	begin, end float64
	count      int
}

// reheated are where coolings but the first begin, in turns.
var reheated = []float64{0.2, 0.15, 0.25, 0.6}

// next goes on to the next cooling once this one has ended.
func (c *cooling) next(progress float64) bool {
	if progress < c.end {
		return false
	}
	length := max(laterCooling*(1-progress), leastCooling)
	*c = cooling{reheated[c.count%len(reheated)], progress, progress + length, c.count + 1}
	return true
}

func (c *cooling) at(progress float64) float64 {
	return c.from * math.Pow(coldest/c.from, (progress-c.begin)/(c.end-c.begin))
}

// unit returns what a pair of matched edges adds on average.
func (e *engine) unit() float64 {
	if e.plain {
		return 1
	}
	if u := float64(e.a.meanWeight()) * float64(e.b.meanWeight()); u > 0 {
		return u
	}
	return 1
}

// take offers what the swaps found, if it is better.
func (e *engine) take(s *swaps) {
	if s.bestScore <= e.bestScore+1e-9 {
		return
	}
	m := s.Result()
	if s.a != e.a {
		m = m.inverted(e.a.Nodes())
	}
	e.offer(m, BySwaps)
}
