package auto

import (
	"context"
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// Trace is what each component brings to an instance by itself. What a search finds is
// the best of what its components find, and these know nothing of each other but where
// the opening ended; so a trace tells what any Chooser would have found.
type Trace struct {
	Name     string
	Features Features
	Opening  Component
	Curves   [Components][]Point // the opening is part of its component's
}

// Point is how far a component is after a number of its own swaps, At.
type Point struct {
	At, BestStep int
	Cost         float64
}

// pointsOfTurn is how often a component is looked at in a turn.
const pointsOfTurn = 16

// Work is what a swap of a component costs on graphs of n nodes, in swaps of one
// trajectory: the short population's searches are begun anew all the time. Measured on
// one core with AVX-512, at n = 12 to 175.
func Work(k Component, n int) float64 {
	if k != ShortPopulation {
		return 1
	}
	size := float64(n) / 90
	return 1 + 1.1/(1+size*size)
}

// Record runs every component for a time of SwapsIn's core, or until the target of the
// limits; no other limit counts. The error is that of an instance that is not served, or
// the context's.
func Record(ctx context.Context, in *qap.Instance, d time.Duration, o qap.Options) (*Trace, error) {
	n, _ := in.Size()
	s, err := newSearch(in, describe(in), Rule(), o, nil)
	if err != nil {
		return nil, err
	}
	t := &Trace{Name: in.Name, Opening: s.state.Opening}
	work := float64(SwapsIn(d, n))
	first := s.parts[t.Opening]
	t.record(ctx, t.Opening, first, s.end, s.end, s.target)
	s.note(t.Opening, 0)
	s.endOpening()
	t.Features = s.state.Features
	for k := range Component(Components) {
		p := first
		if k != t.Opening {
			p = s.begin(k, s)
		}
		turn := turnOf(n, laterTurn, mostLaterDeltas)
		t.record(ctx, k, p, int(work/Work(k, n)), turn, s.target)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

// record runs a component until a number of its steps and looks at it at the end of each
// turn, counted from where it is, and some times within.
func (t *Trace) record(ctx context.Context, k Component, p searcher, until, turn int, target float64) {
	curve, from := t.Curves[k], p.Steps()
	for ctx.Err() == nil {
		if last := len(curve) - 1; last < 0 || p.BestStep() != curve[last].BestStep || p.BestCost() != curve[last].Cost {
			curve = append(curve, Point{p.Steps(), p.BestStep(), p.BestCost()})
		}
		if p.Steps() >= until || p.BestCost() <= target {
			break
		}
		turns, within := (p.Steps()-from)/turn, (p.Steps()-from)%turn
		part := within*pointsOfTurn/turn + 1
		p.Run(min(until, from+turns*turn+(part*turn+pointsOfTurn-1)/pointsOfTurn), target)
	}
	t.Curves[k] = curve
}

// CostAt returns the cost of the best of a component after a number of its own swaps.
func (t *Trace) CostAt(k Component, steps int) float64 {
	cost := math.Inf(1)
	for _, p := range t.Curves[k] {
		if p.At > steps {
			break
		}
		cost = p.Cost
	}
	return cost
}

// Best returns the least cost of all that was recorded.
func (t *Trace) Best() float64 {
	best := math.Inf(1)
	for _, curve := range t.Curves {
		best = min(best, curve[len(curve)-1].Cost)
	}
	return best
}

// Replay returns what a search finds whose chooser has so much time of SwapsIn's core,
// at what each component's swaps cost.
func (t *Trace) Replay(c Chooser, d time.Duration) State {
	n := t.Features.N
	s := &search{chooser: c, target: math.Inf(-1), begin: func(k Component, _ *search) searcher { return &curve{points: t.Curves[k]} }}
	s.open(t.Features, max(1, SwapsIn(d, n)), &curve{points: t.Curves[t.Opening]})
	for left := float64(SwapsIn(d, n)); ; {
		k := s.state.Last
		p := s.parts[k]
		before := p.Steps()
		affordable := before + int(left/Work(k, n))
		if affordable <= before {
			return s.state
		}
		s.run(s.state.Steps + min(s.end, affordable) - before)
		left -= Work(k, n) * float64(p.Steps()-before)
	}
}

// curve is a component as it was recorded.
type curve struct {
	points []Point
	at     int // index
	steps  int
}

func (c *curve) Run(steps int, _ float64) {
	for c.at+1 < len(c.points) && c.points[c.at+1].At <= steps {
		c.at++
	}
	c.steps = steps
}

func (c *curve) Steps() int         { return c.steps }
func (c *curve) Best() qap.Matching { return nil }
func (c *curve) BestCost() float64  { return c.points[c.at].Cost }
func (c *curve) BestStep() int      { return c.points[c.at].BestStep }
func (c *curve) Tolerance() float64 { return 0 }
