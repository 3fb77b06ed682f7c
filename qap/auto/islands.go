package auto

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
)

// islands are searches side by side under a time limit, a goroutine each. Now and then each
// gives its best to the next.
type islands struct {
	in    *qap.Instance
	watch *qap.Watch
	all   []*island

	recalls *island // the one that begins at what is recalled

	mutex  sync.Mutex
	tell   func(qap.Incumbent) // nil: nobody listens
	told   float64             // the least cost told
	status qap.Status          // "" while the search goes on
}

// island is a search and what it was given.
type island struct {
	*search
	mutex sync.Mutex
	given gift // of the island before, and not taken yet
}

// gift is what an island gives to the next one.
type gift struct {
	best   qap.Matching // nil: there is none
	cost   float64
	elites [Components]elite // of populations
}

// elite is the best member of a population.
type elite struct {
	assignment []int32 // nil: there is none
	cost       float64
}

// exchangeAfter is how many times the steps of an exchange an island has made at the next one.
const exchangeAfter = 1.25

// solveOnIslands searches by a number of islands. The first begins as a search alone does.
// The last one begins at what is recalled, if anything is, and exchanges with no other.
func solveOnIslands(ctx context.Context, number int, in *qap.Instance, o qap.Options, recalled qap.Matching, watch *qap.Watch) (qap.Result, error) {
	l := &islands{in: in, watch: watch, tell: o.OnBest, told: math.Inf(1)}
	for range number {
		l.all = append(l.all, &island{})
	}
	seeds := rand.New(rand.NewPCG(o.Seed, 0x1a9e))
	errs := make([]error, number)
	exchanging := number
	if recalled != nil {
		exchanging--
		l.recalls = l.all[exchanging]
	}
	var done parallel.Group
	for k, one := range l.all {
		own := o
		if k > 0 {
			own.Seed, own.Initial = seeds.Uint64(), nil
		}
		next := l.all[(k+1)%exchanging]
		if k == exchanging {
			own.Initial, next = recalled, nil
		}
		done.Go(func() { errs[k] = l.run(ctx, one, next, own) })
	}
	done.Wait()
	if err := errors.Join(errs...); err != nil {
		return qap.Result{}, err
	}
	return l.result(), nil
}

// run searches in an island until the search is over. It gives to the next one, nobody where that is nil.
func (l *islands) run(ctx context.Context, s, next *island, o qap.Options) error {
	defer l.end(qap.Cancelled) // of all others where this one fails
	var err error
	if s.search, err = newSearch(ctx, l.in, o, l.watch); err != nil {
		return err
	}
	cost, exchange := math.Inf(1), 0.0
	for !l.over(s) {
		if s.state.BestCost < cost {
			cost = s.state.BestCost
			l.report(s)
		}
		s.advance(s.pace.Until(s.state.Steps))
		if next != nil && float64(s.state.Steps) >= exchange {
			exchange = exchangeAfter * float64(s.state.Steps)
			next.give(s.gift())
			s.take()
		}
	}
	l.report(s)
	return nil
}

// over reports whether the search is: for all islands, once it is for one.
func (l *islands) over(s *island) bool {
	status, stop := l.watch.Reached(s.state.Steps, 0, -s.state.BestCost)
	if !stop {
		status, _ = l.watch.Expired()
	}
	return l.end(status)
}

// end ends the search by a status, "" for none yet, and reports whether it has ended.
func (l *islands) end(status qap.Status) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.status == "" {
		l.status = status
	}
	return l.status != ""
}

// report tells of the best of an island if it is the best of all.
func (l *islands) report(s *island) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.tell != nil && s.state.BestCost < l.told {
		l.told = s.state.BestCost
		found := s.incumbent()
		found.FoundBy = l.foundBy(s)
		l.tell(found)
	}
}

// result returns the best of all islands, the first of equal ones.
func (l *islands) result() qap.Result {
	best, steps := l.all[0], 0
	for _, s := range l.all {
		steps += s.state.Steps
		if s.state.BestCost < best.state.BestCost {
			best = s
		}
	}
	result := qap.NewResult(l.in, best.best(), l.status)
	result.Steps, result.FoundBy = steps, l.foundBy(best)
	return result
}

func (l *islands) foundBy(s *island) string {
	if s == l.recalls {
		return ByRecalled
	}
	return s.search.foundBy()
}

// gift returns what the island may give.
func (s *search) gift() gift {
	g := gift{best: s.best(), cost: s.state.BestCost}
	for k, part := range s.parts {
		if p, ok := part.(*population.Search); ok {
			g.elites[k].assignment, g.elites[k].cost = p.Elite()
		}
	}
	return g
}

// give leaves a gift for the island, in place of one that it has not taken yet.
func (s *island) give(g gift) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.given = g
}

// take has the populations take in what the island was given, and the search know the best.
func (s *island) take() {
	s.mutex.Lock()
	g := s.given
	s.given = gift{}
	s.mutex.Unlock()
	if g.best == nil {
		return
	}
	s.guest, s.guestCost = g.best, g.cost
	for k, part := range s.parts {
		if p, ok := part.(*population.Search); ok && g.elites[k].assignment != nil {
			p.Adopt(g.elites[k].assignment, g.elites[k].cost)
		}
	}
}
