// Package profile searches the best matching of every size at once.
//
// For a fixed number of matches m, every objective that only re-weights the score
// by m has the same best matching. So one search that keeps the best score J of
// each m, the cardinality profile, answers all of them: the best score of any
// size, the complete matching, a given count of inliers, and every regularizer;
// what remains is a choice of m.
//
// The search is a tabu walk (Glover 1989, doi:10.1287/ijoc.1.3.190) at each size in
// turn, up and down through the sizes from several starts. At a fixed size a move
// replaces the partner of a node, exchanges the partners of two, or drops a match
// and makes another elsewhere; between the sizes it adds the best match or
// releases the one that is missed least.
package profile

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
)

// Solver is a search of the profile. It serves every affinity, graphs of unequal
// size and scores of either sign. Limits.MaxSteps and Limits.Patience count moves
// of the whole search and have no default; under a time limit without MaxSteps,
// starts go on until the time is up.
type Solver struct {
	Goal   qap.Goal // chooses the result among the sizes
	Starts int      // the seeds alone (or Options.Initial), and random matchings (16)
}

// defaultStarts, with the steps below, finds all 2,480 optima in the profiles of 248
// real affinity matrices with 10×10 nodes, under each of five seeds.
const defaultStarts = 16

// stepsUp and stepsDown are the moves at each size on the way up and down, for
// graphs whose smaller one has n nodes.
func stepsUp(n int) int   { return max(4, 2*n/5) }
func stepsDown(n int) int { return max(7, 7*n/10) }

// emphasis is by how much more there are about the size of the best solution so far.
const emphasis = 3

// Solve searches the profile and returns it with the solution that the goal
// prefers. The status is qap.Inliers where the search ended by itself with the
// count of inliers that was asked for.
func (s Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if err := s.Goal.CheckStart(in, o.Initial); err != nil {
		return qap.Result{}, err
	}
	if s.Starts == 0 {
		s.Starts = defaultStarts
	}
	r := run{
		in: in, goal: s.Goal, initial: o.Initial, watch: o.Watch(ctx, in), onBest: o.OnBest, status: s.Goal.EndStatus(),
		search: newSearch(in, s.Goal.Fixed, rand.New(rand.NewPCG(o.Seed, 0))),
	}
	if n1, n2 := in.Size(); n1*n2 >= manyVertices {
		r.Over = r.watch.Over
	}
	r.least, r.most = s.Goal.Sizes(in)
	endless := o.TimeLimit > 0 && o.MaxSteps == 0
	r.sweeps(o.Initial, s.Starts, endless)
	return r.result(), nil
}

// manyVertices is from how many vertices on the search looks at the clock within a step.
const manyVertices = 1000

// run is a search with a goal and limits.
type run struct {
	*search
	in          *qap.Instance
	goal        qap.Goal
	initial     qap.Matching
	least, most int // sizes of solutions
	watch       qap.Watch
	onBest      func(qap.Incumbent)
	status      qap.Status

	found    bool // a solution
	value    float64
	bestJ    float64 // score of the solution of the best value
	bestStep int
	bestSize int // matches of it
}

// sweeps goes from every start down through the sizes, and from a random match up
// again, until a limit.
func (r *run) sweeps(initial qap.Matching, starts int, endless bool) {
	largest := min(r.N1, r.N2)
	r.reset(r.goal.Fixed, initial)
	r.record()
	for start := 0; !r.stopped(); start++ {
		if start > 0 {
			if start >= starts && !endless || largest == r.seeds {
				return
			}
			r.reset(r.goal.Fixed, qap.RandomMatching(r.N1, r.N2, r.random))
			r.extend(largest)
			r.record()
		}
		if !r.descend(stepsDown(largest)) {
			return
		}
		r.reset(r.goal.Fixed, oneMatch(r.N1, r.N2, r.random))
		r.record()
		if !r.climb(largest, stepsUp(largest)) {
			return
		}
	}
}

// oneMatch returns a random matching of one node.
func oneMatch(n1, n2 int, random *rand.Rand) qap.Matching {
	m := qap.NewMatching(n1)
	if n1*n2 > 0 {
		m[random.IntN(n1)] = random.IntN(n2)
	}
	return m
}

// descend walks at every size from the present one down to the seeds; false where a
// limit stopped it.
func (r *run) descend(steps int) bool {
	for r.walk(steps) {
		if r.Size <= max(r.seeds, 1) {
			return true
		}
		r.shrink()
		r.record()
	}
	return false
}

// climb walks at every size above the present one; false where a limit stopped it.
func (r *run) climb(largest, steps int) bool {
	for r.Size < largest {
		r.grow()
		r.record()
		if !r.walk(steps) {
			return false
		}
	}
	return true
}

// walk takes steps of tabu search at the present size: the best move that is not
// tabu, better or not. It returns false where a limit stopped it.
func (r *run) walk(steps int) bool {
	if d := r.Size - r.bestSize; r.found && -1 <= d && d <= 1 {
		steps *= emphasis
	}
	for range steps {
		m, ok := r.bestMove(r.needed())
		if !ok {
			return !r.stopped()
		}
		r.steps++
		r.make(m)
		r.record()
		if r.stopped() {
			return false
		}
	}
	return true
}

// record enters the matching in the profile, and remembers a better solution.
func (r *run) record() {
	if !r.keep() || r.Size < r.least || r.Size > r.most {
		return
	}
	if value := r.goal.Value(r.in, r.Score, r.Size); !r.found || value > r.value {
		r.found, r.value, r.bestJ, r.bestStep, r.bestSize = true, value, r.Score, r.steps, r.Size
		if r.onBest != nil {
			r.onBest(qap.NewIncumbent(r.in, r.Match, r.Score, r.steps))
		}
	}
}

// stopped checks the limits.
func (r *run) stopped() bool {
	status, stop := r.watch.Reached(r.steps, r.steps-r.bestStep, r.bestJ)
	if !stop || status == qap.Target && !r.found {
		status, stop = r.watch.Expired()
	}
	if stop {
		r.status = status
	}
	return stop
}

// result returns the profile and the solution that the goal prefers. A search that
// was stopped before it had one takes the greedy way there or, on large graphs, what is at hand.
func (r *run) result() qap.Result {
	if r.IsOver() {
		r.finish()
	}
	for r.Size > r.most && !r.found {
		r.shrink()
		r.record()
	}
	for r.Size < r.least && !r.found {
		r.grow()
		r.record()
	}
	p := r.tidyProfile()
	m, _ := r.goal.Choose(r.in, p)
	result := qap.NewResult(r.in, p[m].Matching, r.status)
	result.Profile, result.Steps = p, r.steps
	return result
}

// finish enters a solution at once: the start, where it is one, else what the matching makes of
// one, if there is none.
func (r *run) finish() {
	offer := func(m qap.Matching) {
		if score, best := r.in.Score(m), &r.profile[m.Size()]; score > best.Score {
			best.Score = score
			copy(best.Matching, m)
		}
	}
	if r.goal.Admits(r.in, r.initial) {
		offer(r.initial)
	} else if !r.found {
		offer(r.goal.Solution(r.in, r.Match, r.Gains))
	}
	r.found = true
}

// tidyProfile recomputes the scores, which carry the rounding of many moves.
func (r *run) tidyProfile() qap.Profile {
	for m := range r.profile {
		best := &r.profile[m]
		if math.IsInf(best.Score, -1) {
			best.Matching = nil // not reached
			continue
		}
		best.Score = r.in.Score(best.Matching)
	}
	return r.profile
}
