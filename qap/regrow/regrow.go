package regrow

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/rollout"
)

// Solver is a search by ruin and regrowth. It serves every affinity, graphs of unequal
// size and scores of either sign. Limits.MaxSteps and Limits.Patience count steps of
// the whole search; MaxSteps defaults to StepsPerNode·n with n = max(n1, n2) where no
// time limit is set. Under a time limit cycles go on until the time is up.
type Solver struct {
	Goal qap.Goal
}

// StepsPerNode is the default number of steps for each node of the larger graph.
const StepsPerNode = 200

// Solve searches and returns the best solution.
func (s Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if err := s.Goal.CheckStart(in, o.Initial); err != nil {
		return qap.Result{}, err
	}
	n1, n2 := in.Size()
	if o.MaxSteps == 0 && o.TimeLimit == 0 {
		o.MaxSteps = StepsPerNode * max(n1, n2)
	}
	r := newRun(ctx, in, s.Goal, o)
	r.search(o.Initial)
	return r.result(), nil
}

// run is a search.
type run struct {
	*state
	in          *qap.Instance
	goal        qap.Goal
	least, most int       // sizes of solutions
	factor      []float64 // of the score, by size
	near        [][]int32 // neighbours of the nodes of graph 1; nil where every node is one
	watch       qap.Watch
	onBest      func(qap.Incumbent)
	ctx         context.Context
	status      qap.Status
	random      *rand.Rand
	steps       int
	entries     int // of K that a product with it takes
	proof       proof

	best      qap.Matching // nil before there is one
	bestValue float64
	bestJ     float64
	bestStep  int

	largestRuin int
	blink       float64
	rows, cols  []int // that a step matches anew
	border      []int // nodes that the ruin may go on to
	mark        []int // per node of graph 1: the last ruin that reached it
	stamp       int
	before      qap.Matching // the matching before a step
	found       qap.Matching // the best of a cycle
}

// longReset is from how many entries of K on that a matching has to do with, where its rows are
// not sparse, the search looks at the clock between one match and the next: a few milliseconds.
const longReset = 1 << 22

// largestRuin is how many matches a step releases at most.
const largestRuin = 20

func newRun(ctx context.Context, in *qap.Instance, goal qap.Goal, o qap.Options) *run {
	n1, n2 := in.Size()
	r := &run{
		state: newState(in, goal.Fixed), in: in, goal: goal, near: neighbours(in), watch: o.Watch(ctx, in), onBest: o.OnBest, ctx: ctx,
		status: goal.EndStatus(), random: rand.New(rand.NewPCG(o.Seed, 0x72656772)), bestValue: math.Inf(-1),
		largestRuin: max(2, min(largestRuin, n1, n2)), mark: make([]int, n1), before: qap.NewMatching(n1), found: qap.NewMatching(n1),
		rows: make([]int, 0, 2*n1), cols: make([]int, 0, 2*n2), border: make([]int, 0, n1),
	}
	if r.sparse == nil && n1*n2*min(n1, n2) >= longReset {
		r.Over = r.watch.Over
	}
	r.least, r.most = goal.Sizes(in)
	for m := range min(n1, n2) + 1 {
		r.factor = append(r.factor, goal.Regularizer.Factor(m, n1, n2))
	}
	return r
}

// value returns what decides between matchings (see qap.Goal.Value).
func (r *run) value() float64 { return r.valueOf(r.Score, r.Size) }

func (r *run) valueOf(score float64, size int) float64 { return score * r.factor[size] }

// search runs cycles until a limit.
func (r *run) search(initial qap.Matching) {
	n := max(r.N1, r.N2)
	began := r.watch.Now()
	relaxed := initial == nil && r.isShort() && r.relax(classic.IPFP{}, fixedPointShare)
	if r.best == nil {
		r.start(initial)
	}
	if r.N1*r.N2 <= 1 || r.most == r.goal.Fixed.Size() || r.stopped() {
		return
	}
	if !relaxed && (!r.cycle(n/4, 0) || !r.relax(classic.IPFP{}, fixedPointShare)) || !r.cycle(n, usualTemperature) {
		return
	}
	r.entries = r.countEntries()
	r.proof = newProof(r, began)
	if r.prove() {
		return
	}
	elites := [2]elite{r.elite(), r.elite()}
	if walks := r.affordedWalks(); walks > 0 {
		if !r.relax(classic.RRWM{MaxIter: walks}, walkShare) {
			return
		}
		elites[1] = r.elite()
	}
	for k, length := 1, 4*n; ; k++ {
		if !r.advance(&elites[k%2], length) || r.prove() {
			return
		}
		if k%2 == 0 {
			length += length / 2
		}
	}
}

// isShort reports whether the search begins with IPFP: in the first milliseconds nothing gains as
// much. On larger graphs an iteration takes too long.
func (r *run) isShort() bool {
	const most = 40_000
	_, limited := r.watch.Remaining()
	return limited && r.N1*r.N2 > 1 && r.N1*r.N2 <= most
}

// elite is a matching from which cycles go on.
type elite struct {
	m     qap.Matching
	value float64
}

// elite returns the present matching.
func (r *run) elite() elite { return elite{r.Match.Clone(), r.value()} }

// advance lets a cycle follow an elite and fuses what it finds with the best. An elite
// that is behind and does not gain gives way to another start. It returns false
// where a limit stopped it.
func (r *run) advance(e *elite, length int) bool {
	r.goTo(e.m)
	if !r.cycle(length, usualTemperature) {
		return false
	}
	found, before := r.elite(), e.value
	r.fuse()
	switch {
	case found.value > before:
		*e = found
	case before < r.bestValue:
		r.scatter()
		*e = r.elite()
	}
	return true
}

// affordedWalks returns how many iterations of RRWM there is time for: none, its
// default, or twice as many, since walks over more than 100 nodes take longer to come
// to rest.
func (r *run) affordedWalks() int {
	left, limited := r.watch.Remaining()
	if !limited {
		return manyWalks
	}
	const entry, vertex = 1, 45 // nanoseconds that an entry of K and a vertex take
	iteration := time.Duration(entry*r.entries + vertex*len(r.Gains))
	for _, walks := range []int{manyWalks, manyWalks / 2} {
		if float64(walks)*float64(iteration) < walkShare*float64(left) {
			return walks
		}
	}
	return 0
}

const manyWalks = 100

// countEntries returns how many entries of K a product with it takes.
func (r *run) countEntries() int {
	if r.sparse == nil {
		return len(r.Gains) * len(r.Gains)
	}
	count := 0
	for v := range r.Gains {
		columns, _ := r.sparse.RowEntries(v, r.q, r.k)
		count += len(columns)
	}
	return count
}

// start goes to the initial matching, as far as the goal allows, or to a greedy one.
func (r *run) start(initial qap.Matching) {
	first := rollout.GreedyMatchingUntil(r.in, r.goal, r.Over)
	r.Reset(first)
	r.keep()
	if r.IsOver() {
		r.offer(first)
		r.offer(initial)
		return
	}
	if initial != nil {
		r.Reset(r.repaired(initial))
		r.keep()
		r.goTo(r.best)
	}
}

// offer remembers the solution that m makes at once if it is the best, where the time is up.
func (r *run) offer(m qap.Matching) {
	if m == nil {
		return
	}
	m = r.goal.Solution(r.in, m, r.Gains)
	if score := r.in.Score(m); r.best == nil || r.valueOf(score, m.Size()) > r.bestValue {
		r.best, r.bestValue, r.bestJ, r.bestStep = m, r.valueOf(score, m.Size()), score, r.steps
	}
}

// repaired returns a solution that has the seeds and, as far as it can, the matches of m.
func (r *run) repaired(m qap.Matching) qap.Matching {
	r.Reset(r.goal.Fixed)
	for i, a := range m {
		if a != qap.Unmatched && r.Match[i] == qap.Unmatched && r.Inverse[a] == qap.Unmatched && !r.IsOver() {
			r.Add(i, a)
		}
	}
	for r.Size > r.most && !r.IsOver() {
		i, _ := r.weakest()
		r.Release(i)
	}
	r.rows, r.cols = r.rows[:0], r.cols[:0]
	if r.Size < r.least && !r.IsOver() {
		r.addFree(max(r.N1, r.N2))
		r.regrow(r.least)
	}
	return r.Match.Clone()
}

// relax takes what a relaxation finds, within a share of the time, if that is better.
func (r *run) relax(relaxation qap.Solver, share float64) bool {
	limits := qap.Limits{}
	if left, limited := r.watch.Remaining(); limited {
		limits.TimeLimit = max(time.Duration(share*float64(left)), 1)
	}
	found, err := relaxation.Solve(r.ctx, r.in, qap.Options{Limits: limits})
	if err != nil {
		return !r.stopped() // it does not serve the instance
	}
	r.Reset(r.repaired(found.Matching))
	r.trim()
	r.keep()
	if r.IsOver() {
		r.offer(found.Matching)
	}
	return !r.stopped()
}

// The parts of the time left that relaxations may take.
const fixedPointShare, walkShare = 0.9, 0.5

// cycle anneals from the present matching, at first with a temperature of so many mean
// gains of a match; false where a limit stopped it.
func (r *run) cycle(steps int, temperature float64) bool {
	hot := temperature * r.meanGain()
	copy(r.found, r.Match)
	value := r.value()
	for k := range steps {
		r.step(hot * float64(steps-k) / float64(steps))
		r.steps++
		r.keep()
		if v := r.value(); v > value {
			value = v
			copy(r.found, r.Match)
		}
		if r.stopped() {
			return false
		}
	}
	r.goTo(r.found)
	return true
}

// manyNodes is from how many nodes on a random matching has no chance to catch up.
const manyNodes = 60

// scatter goes to a random solution; of many nodes, to the best with a third anew.
func (r *run) scatter() {
	n := min(r.N1, r.N2)
	if n < manyNodes {
		r.Reset(r.repaired(qap.RandomMatching(r.N1, r.N2, r.random)))
		return
	}
	r.goTo(r.best)
	r.ruin(n / 3)
	r.blink = oftenBlink
	r.regrow(r.best.Size())
}

// usualTemperature is that at which most cycles begin, in mean gains of a match.
const usualTemperature = 1. / 6

// meanGain returns the mean size of what a match adds to the value.
func (r *run) meanGain() float64 {
	sum := 0.0
	for i, a := range r.Match {
		if a != qap.Unmatched {
			sum += math.Abs(r.Gains[i*r.N2+a])
		}
	}
	return sum / float64(max(r.Size, 1)) * r.factor[r.Size]
}

// keep remembers the matching if it is the best solution, by more than rounding.
func (r *run) keep() {
	value := r.value()
	if r.Size < r.least || r.Size > r.most || r.best != nil && value <= r.bestValue+rounding*math.Abs(r.bestValue) {
		return
	}
	if r.best == nil {
		r.best = qap.NewMatching(r.N1)
	}
	copy(r.best, r.Match)
	r.bestValue, r.bestJ, r.bestStep = value, r.Score, r.steps
	if r.onBest != nil {
		r.onBest(qap.NewIncumbent(r.in, r.Match, r.Score, r.steps))
	}
}

// stopped checks the limits.
func (r *run) stopped() bool {
	status, stop := r.watch.Reached(r.steps, r.steps-r.bestStep, r.bestJ)
	if !stop {
		status, stop = r.watch.Expired()
	}
	if stop {
		r.status = status
	}
	return stop
}

// result returns the best solution, without matches that bring nothing, and with those
// that bring something once these are gone.
func (r *run) result() qap.Result {
	best := r.best
	if r.least < r.most { // else there is none of either
		r.Over = nil
		r.Reset(best)
		r.dropIdle()
		r.rows, r.cols, r.blink = r.rows[:0], r.cols[:0], 0
		r.addFree(max(r.N1, r.N2))
		r.regrow(r.Size)
		r.dropIdle()
		best = r.Match
	}
	result := qap.NewResult(r.in, best.Clone(), r.status)
	result.Steps = r.steps
	return r.bounded(result)
}

// dropIdle releases matches that bring nothing.
func (r *run) dropIdle() {
	for r.Size > r.least {
		i, gain := r.weakest()
		if i < 0 || r.valueOf(r.Score-gain, r.Size-1) < r.value() {
			return
		}
		r.Release(i)
	}
}
