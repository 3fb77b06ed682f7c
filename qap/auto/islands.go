package auto

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/tabu"
)

// islands are searches side by side under a time limit, a goroutine each. Now and then
// the population of each gives its best member to that of the next.
type islands struct {
	in *qap.Instance
	turning
	watch  *qap.Watch
	all    []*island
	cancel context.CancelFunc // of what runs before turns

	mutex  sync.Mutex
	tell   func(qap.Incumbent) // nil: nobody listens
	told   float64             // the least cost told
	status qap.Status          // "" while the search goes on
}

// island is a search and what it was given.
type island struct {
	*search
	annealed     int     // steps of annealing before the turns
	annealedCost float64 // of its result
	mutex        sync.Mutex
	given        []int32 // the best member of the island before; nil where it has been taken
	cost         float64 // of it
}

// exchangeEvery is the swaps of a population, ·n, between exchanges, and
// mostExchangeDeltas bounds it as mostLaterDeltas does a turn.
const (
	exchangeEvery      = 300
	mostExchangeDeltas = 200_000_000
)

// solveOnIslands is Solve by a number of islands. The first begins as a search alone does.
func (t turning) solveOnIslands(ctx context.Context, in *qap.Instance, o qap.Options, watch *qap.Watch) (qap.Result, error) {
	number := t.threads
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &islands{in: in, turning: t, watch: watch, cancel: cancel, tell: o.OnBest, told: math.Inf(1)}
	for range number {
		l.all = append(l.all, &island{})
	}
	seeds := rand.New(rand.NewPCG(o.Seed, 0x1a9e))
	errs := make([]error, number)
	var done sync.WaitGroup
	for k, one := range l.all {
		own := o
		if k > 0 {
			own.Seed, own.Initial = seeds.Uint64(), nil
		}
		done.Go(func() {
			if k == 0 {
				errs[k] = l.anneal(ctx, one, &own)
			}
			if errs[k] == nil {
				errs[k] = l.run(one, l.all[(k+1)%number], own)
			}
		})
	}
	done.Wait()
	if err := errors.Join(errs...); err != nil {
		return qap.Result{}, err
	}
	return l.result(), nil
}

// anneal has an island begin at the result of annealing, if that comes before the turns.
func (l *islands) anneal(ctx context.Context, s *island, o *qap.Options) error {
	if l.annealed == nil {
		return nil
	}
	own := *o
	own.Limits, own.OnBest = *l.annealed, nil
	r, err := anneal.Solver{}.Solve(ctx, l.in, own)
	if err != nil {
		l.end(qap.Cancelled)
		return err
	}
	o.Initial, s.annealed, s.annealedCost = r.Matching, r.Steps, -r.Score
	return nil
}

// run searches in an island until the search is over.
func (l *islands) run(s, next *island, o qap.Options) error {
	var err error
	if s.search, err = newSearch(l.in, l.plan, o, l.watch); err != nil {
		l.end(qap.Cancelled)
		return err
	}
	partner := s.turns.plan.population
	pace, cost, exchange := tabu.NewPace(s.n, l.watch), math.Inf(1), 0
	for !l.over(s) {
		if s.state.BestCost < cost {
			cost = s.state.BestCost
			l.report(s)
		}
		s.run(pace.Until(s.state.Steps))
		if members := s.population(partner); members != nil && members.Steps() >= exchange {
			exchange = members.Steps() + turnOf(s.n, exchangeEvery, mostExchangeDeltas)
			next.give(members.Elite())
			if assignment, cost := s.take(); assignment != nil {
				members.Adopt(assignment, cost)
			}
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
	if l.status != "" {
		l.cancel()
	}
	return l.status != ""
}

// report tells of the best of an island if it is the best of all.
func (l *islands) report(s *island) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.tell != nil && s.state.BestCost < l.told {
		l.told = s.state.BestCost
		l.tell(s.incumbent())
	}
}

// result returns the best of all islands, the first of equal ones.
func (l *islands) result() qap.Result {
	best, steps := l.all[0], 0
	for _, s := range l.all {
		steps += s.annealed + s.state.Steps
		if s.state.BestCost < best.state.BestCost {
			best = s
		}
	}
	result := qap.NewResult(l.in, best.best(), l.status)
	result.Steps, result.FoundBy = steps, foundBy[best.state.Found]
	if best.annealed > 0 && best.state.BestCost >= best.annealedCost {
		result.FoundBy = ByAnneal
	}
	return result
}

// give leaves an assignment for the island's population, in place of one that it has not
// taken yet.
func (s *island) give(assignment []int32, cost float64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.given, s.cost = assignment, cost
}

// take returns what was given, nil where there is nothing new.
func (s *island) take() (assignment []int32, cost float64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	assignment, s.given = s.given, nil
	return assignment, s.cost
}
