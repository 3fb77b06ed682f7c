package population

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// exchangeEvery is the swaps of each search, ·n, between exchanges of elites.
const exchangeEvery = 1000

// islands are searches side by side, a goroutine each, that now and then give their
// best member to the next one. All make the same number of swaps between two
// exchanges, so that a seed and a number of steps give the same on any machine.
type islands []*Search

// newIslands returns a number of searches, the first of them from initial.
func newIslands(in *qap.Instance, settings Settings, number int, o qap.Options, watch *qap.Watch) (islands, error) {
	seeds := rand.New(rand.NewPCG(o.Seed, 0x151a))
	var all islands
	for k := range number {
		seed, initial := seeds.Uint64(), o.Initial
		if k > 0 {
			initial = nil
		}
		s, err := New(in, settings, initial, seed, watch)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// best returns the search that has the best of all, the first of equal ones.
func (all islands) best() *Search {
	best := all[0]
	for _, s := range all[1:] {
		if s.BestCost() < best.BestCost() {
			best = s
		}
	}
	return best
}

// solve searches until a limit. Limits count the steps of each search.
func (all islands) solve(watch *qap.Watch, in *qap.Instance, o qap.Options) qap.Status {
	n, _ := in.Size()
	target, told := -o.TargetScore(in), math.Inf(1)
	for {
		best := all.best()
		if o.OnBest != nil && best.BestCost() < told {
			told = best.BestCost()
			o.OnBest(qap.NewIncumbent(in, best.Best(), -told, best.BestStep()))
		}
		steps := all[0].Steps() // of all: they differ only where the search is over
		if status, stop := watch.Reached(steps, steps-best.BestStep(), -best.BestCost()); stop {
			return status
		}
		if status, stop := watch.Expired(); stop {
			return status
		}
		until := (steps/(exchangeEvery*n) + 1) * exchangeEvery * n
		if o.MaxSteps > 0 {
			until = min(until, o.MaxSteps)
		}
		if o.Patience > 0 {
			until = min(until, best.BestStep()+o.Patience)
		}
		all.run(until, target, watch)
		if all[0].Steps()%(exchangeEvery*n) == 0 {
			all.exchange()
		}
	}
}

// run has all search until a number of steps, a target, or the end of the time.
func (all islands) run(until int, target float64, watch *qap.Watch) {
	var done parallel.Group
	for _, s := range all {
		done.Go(func() {
			pace := tabu.NewPace(s.n, watch)
			for s.Steps() < until && s.BestCost() > target {
				if _, stop := watch.Expired(); stop {
					return
				}
				s.Run(min(until, pace.Until(s.Steps())), target)
			}
		})
	}
	done.Wait()
}

// exchange gives the best member of each search to the next one.
func (all islands) exchange() {
	elites := make([]member, len(all))
	for k, s := range all {
		elites[k].assignment, elites[k].cost = s.Elite()
	}
	for k, s := range all {
		elite := elites[(k+len(all)-1)%len(all)]
		s.Adopt(elite.assignment, elite.cost)
	}
}

// Elite returns a copy of the best member, for Adopt of another search over the
// instance, and its cost.
func (s *Search) Elite() (assignment []int32, cost float64) {
	best := s.members[s.bestMember()]
	return append([]int32(nil), best.assignment...), best.cost
}

// Adopt puts the elite of another search in the place of the worst member, unless it is
// worse or a copy of one.
func (s *Search) Adopt(assignment []int32, cost float64) {
	worst := 0
	for k, own := range s.members {
		if own.cost == cost && differences(own.assignment, assignment) <= s.n/50 {
			return
		}
		if own.cost > s.members[worst].cost {
			worst = k
		}
	}
	if w := &s.members[worst]; cost < w.cost {
		copy(w.assignment, assignment)
		w.cost = cost
	}
}
