package align

import (
	"context"
	"math"
	"time"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
)

// The temperatures are in units of what a shared edge adds on average.
const (
	hottest, coldest = 0.3, 0.05
	hottestLarge     = 0.12   // of large graphs, whose nodes have few trials each
	quickHeat        = 0.15   // of the first cooling, for what is nearly right
	quickCooling     = 0.04   // of the budget: the first cooling
	longCooling      = 0.5    // of what is left, at most: the second
	laterCooling     = 0.25   // of what is left, at most
	leastCooling     = 0.02   // of the budget
	trialsOfNode     = 20_000 // in a cooling, where there are so many
	parts            = 256    // of the budget, at whose ends the best of all threads is told
	trialsAtOnce     = 4096
	rounding         = 1e-9 // of the sums of swaps
)

// anneal improves the best matching by swaps until a limit: it cools once from where the
// rounds ended, and then again and again from the best. Within a time limit threads do so side
// by side, and each cooling begins from the best of all; a number of steps is for one, so that
// what is found does not depend on how many processors there are.
func (e *engine) anneal(ctx context.Context, o *Options) (qap.Status, error) {
	limit, first := o.MaxSteps, o.MaxSteps
	if limit == 0 && o.TimeLimit == 0 {
		limit = e.a.defaultSteps()
		first = max(limit/firstEpoch, min(leastEpoch*e.a.Nodes(), limit))
	}
	a := annealing{engine: e, unit: e.unit(), limit: limit, patience: o.Patience, begin: e.watch.Now()}
	a.epoch = epoch{to: first, begin: e.bestScore}
	a.cooling = cooling{from: quickHeat, end: quickCooling, hottest: hottest}
	if e.a.Nodes() >= largeGraph {
		a.cooling.from, a.cooling.hottest = hottestLarge, hottestLarge
	}
	if _, ended := e.ended(); !ended {
		a.start(o.Seed)
	}
	for round := 0; ; {
		status, ended := e.ended()
		if ended {
			a.gather()
			return status, nil
		}
		if status, reached := e.watch.Reached(a.steps, a.steps-a.improved, math.Inf(-1)); reached {
			return status, nil
		}
		if limit > 0 && a.made >= a.epoch.to {
			if a.made >= limit {
				return qap.MaxSteps, nil
			}
			if a.bestScore <= a.epoch.begin {
				return qap.Converged, nil
			}
			a.epoch = a.epoch.next(limit, a.bestScore)
			a.cooling.end, a.cooling.count = 0, 0
		}
		progress := a.progress()
		if progress >= a.cooling.end {
			if err := e.ask(ctx, o, round); err != nil {
				return "", err
			}
			round++
			progress = a.progress()
			a.gather()
			a.cooling = a.cooling.next(progress, trialsOfNode/a.trialsANode(progress))
			a.restart()
		}
		a.slice(progress)
		a.take()
	}
}

// trialsANode returns how many trials a node has in all, as far as is known.
func (a *annealing) trialsANode(progress float64) float64 {
	total := float64(a.limit)
	if a.limit == 0 {
		total = float64(a.threads[0].made) / max(progress, 1e-9)
	}
	return total / float64(a.a.Nodes())
}

// annealing is one run of anneal.
type annealing struct {
	*engine
	threads []*swaps
	cooling cooling
	unit    float64
	limit   int // trials of each thread, 0 where time says how far it is
	made    int // trials of each thread so far, where there is a limit
	epoch   epoch
	begin   time.Time

	patience, improved int // steps without a better matching that end it, 0 for none, and the step of the last
}

// An epoch is a part of the steps with coolings of its own. Where nothing limits the search the next is
// as long as all before it together, or has all steps that are left, and is there where the last found
// something better: so a search ends when nothing has come for as long as it took to come there.
type epoch struct {
	from, to int
	begin    float64 // the best score then
}

const (
	firstEpoch = 16  // epochs as long as the first in all steps
	leastEpoch = 300 // trials a node in the first
)

// next returns the epoch that follows: from a quarter of the steps on the last, since what is still hard
// then wants a long cooling.
func (e epoch) next(limit int, best float64) epoch {
	to := 2 * e.to
	if 4*to > limit {
		to = limit
	}
	return epoch{e.to, to, best}
}

// start gets the threads ready.
func (a *annealing) start(seed uint64) {
	m := append(matching(nil), a.best...)
	a.fill(m)
	threads := a.engine.threads
	if a.limit > 0 {
		threads = 1
	}
	for k := range threads {
		a.threads = append(a.threads, a.newSwaps(m, seed+uint64(k)))
	}
}

// progress returns which part of the budget is used.
func (a *annealing) progress() float64 {
	if a.limit > 0 {
		return float64(a.made-a.epoch.from) / float64(a.epoch.to-a.epoch.from)
	}
	left, _ := a.watch.Remaining()
	done := a.watch.Now().Sub(a.begin)
	return float64(done) / float64(max(done+left, time.Nanosecond))
}

// slice lets every thread make trials for a part of the budget at one temperature.
func (a *annealing) slice(progress float64) {
	temperature, chains := a.unit*a.cooling.at(progress), trialsOfChain
	if a.attributes == nil && a.trialsANode(progress) < fewTrials {
		chains = fewerChains
	}
	for _, s := range a.threads {
		s.everyChain = chains
	}
	trials, until := math.MaxInt, time.Time{}
	if a.limit > 0 {
		trials = min(max((a.epoch.to-a.epoch.from)/parts, trialsAtOnce), a.epoch.to-a.made)
	} else {
		left, _ := a.watch.Remaining()
		now := a.watch.Now()
		until = now.Add(max(now.Sub(a.begin)+left, 0) / parts)
	}
	if a.patience > 0 {
		trials = min(trials, max((a.patience-a.steps+a.improved)/len(a.threads), 1))
	}
	if a.limit > 0 {
		a.made += trials
	}
	var wait parallel.Group
	for _, s := range a.threads[1:] {
		wait.Go(func() { s.runUntil(trials, temperature, a.watch, until) })
	}
	a.threads[0].runUntil(trials, temperature, a.watch, until)
	wait.Wait()
	a.steps = 0
	for _, s := range a.threads {
		a.steps += s.made
	}
}

// runUntil makes so many trials, or those until a time, and looks at the clock on the way.
func (s *swaps) runUntil(trials int, temperature float64, watch *qap.Watch, until time.Time) {
	for trials > 0 && !watch.Over() && (until.IsZero() || watch.Now().Before(until)) {
		n := min(trials, trialsAtOnce)
		s.run(n, temperature)
		trials -= n
		s.made += n
	}
}

// leader returns the thread that found the best.
func (a *annealing) leader() *swaps {
	best := a.threads[0]
	for _, s := range a.threads {
		if s.bestScore > best.bestScore {
			best = s
		}
	}
	return best
}

// gather puts together what is good in what the threads found.
func (a *annealing) gather() {
	if len(a.threads) < 2 {
		return
	}
	leader := a.leader()
	m, score := append(matching(nil), leader.Best()...), leader.bestScore
	merger, gain := newMerger(leader), 0.0
	for _, s := range a.threads {
		gain += merger.merge(m, s.Best())
	}
	if gain > leader.rounding {
		a.keep(a.matched(m), score+gain, BySwaps)
	}
}

// restart puts all threads at the best matching.
func (a *annealing) restart() {
	leader := a.leader()
	m, score := append(matching(nil), leader.Best()...), leader.bestScore
	if a.bestScore > score+leader.rounding { // a start found it
		copy(m, a.best)
		a.fill(m)
		score = a.value(m)
		for i, j := range m {
			if j == none {
				m[i] = int32(a.b.Nodes())
			}
		}
	}
	for _, s := range a.threads {
		s.restart(m, score)
	}
}

// take keeps what the swaps found, if it is better.
func (a *annealing) take() {
	s := a.leader()
	if s.bestScore <= a.bestScore+s.rounding {
		return
	}
	a.improved = a.steps
	a.keep(s.Result(), s.bestScore, BySwaps)
}

// A cooling is a part of the budget in which the temperature falls once.
type cooling struct {
	from       float64
	begin, end float64
	count      int
	hottest    float64 // where the second begins
}

// reheated are where coolings but the first two begin, in turns.
var reheated = []float64{0.2, 0.15, 0.25, 0.6}

// next returns the cooling that follows, in a part of the budget that is enough.
func (c cooling) next(progress, enough float64) cooling {
	from, share := c.hottest, longCooling
	if c.count > 0 {
		from, share = reheated[(c.count-1)%len(reheated)], laterCooling
	}
	length := max(min(share*(1-progress), enough), leastCooling)
	return cooling{from, progress, progress + length, c.count + 1, c.hottest}
}

func (c *cooling) at(progress float64) float64 {
	return c.from * math.Pow(coldest/c.from, (progress-c.begin)/(c.end-c.begin))
}

// unit returns what a pair of matched edges adds on average.
func (e *engine) unit() float64 {
	if e.plain || e.problem.Kinds {
		return 1
	}
	if u := float64(e.a.meanWeight()) * float64(e.b.meanWeight()); u > 0 {
		return u
	}
	return 1
}
