package align

import (
	"context"
	"math"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/isomorphism"
)

const (
	warmest, warmer = 0.3, 0.1   // the temperatures that walks to other matchings begin with: of try t warmest + t mod 4·warmer
	trialsOfTry     = 60         // a node, half of them while it cools
	mostTrialsOfTry = 20_000_000 // of all tries together
	coolingsOfTry   = 8
)

// Others returns matchings that walks of swaps from one come to, each warmed up and cooled again: so many, fewer where the
// context ends. They may repeat.
func (p *Problem) Others(ctx context.Context, m qap.Matching, tries int, seed uint64, complete bool) (found []qap.Matching) {
	watch := qap.Limits{}.Watch(ctx, nil)
	e := newEngine(p)
	e.watch = &watch
	from := narrow(m)
	e.fill(from)
	s := e.newSwaps(from, seed)
	begin, score := append(matching(nil), s.m...), s.score
	trials := max(1, min(trialsOfTry*len(m), mostTrialsOfTry/max(1, tries))/2)
	for t := range tries {
		hot := (warmest + warmer*float64(t%4)) * s.unit
		s.restart(begin, score)
		s.runUntil(trials, hot, e.watch, time.Time{})
		for k := range coolingsOfTry {
			s.runUntil(trials/coolingsOfTry+1, hot*math.Pow(coldest*s.unit/hot, float64(k+1)/coolingsOfTry), e.watch, time.Time{})
		}
		if watch.Over() {
			break
		}
		other := append(matching(nil), s.m...)
		for i, j := range other {
			if int(j) == e.b.Nodes() {
				other[i] = none
			}
		}
		if complete {
			e.fill(other)
		} else {
			e.release(other)
		}
		found = append(found, widen(other))
	}
	return found
}

// Terms returns what a match adds to the objective by itself, and what two of them add.
func (p *Problem) Terms() (node func(i, j int) float64, pair func(i, j, k, l int) float64) {
	e := newEngine(p)
	return e.term, func(i, j, k, l int) float64 {
		x, y := e.a.find(i, k), e.b.find(j, l)
		if x < 0 || y < 0 {
			return 0
		}
		return e.product(x, y)
	}
}

// Most returns how many nodes can be matched.
func (p *Problem) Most() int {
	if p.Class1 == nil {
		return min(p.A.Nodes(), p.B.Nodes())
	}
	return qap.Matching(widen(newEngine(p).byDegree())).Size()
}

// Equivalent reports whether symmetries of the two graphs, which keep all that is known and compared of their nodes, take one
// matching to another; false where that is not found within the options, or nodes have similarities.
func (p *Problem) Equivalent(ctx context.Context, m, other qap.Matching, o isomorphism.Options) bool {
	if len(p.Similar) > 0 {
		return false
	}
	g1, g2 := newEngine(p).coloured()
	return isomorphism.Equivalent(ctx, g1, g2, m, other, o)
}
