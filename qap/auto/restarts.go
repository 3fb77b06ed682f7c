package auto

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// restartUnit is the swaps, ·n, of the shortest trajectory.
const restartUnit = 100

// restarts are trajectories from random assignments, one after another. Their lengths
// follow the universal sequence of Luby, Sinclair, Zuckerman, Information Processing
// Letters 47 (1993), doi:10.1016/0020-0190(93)90029-9.
type restarts struct {
	in    *qap.Instance
	n     int
	rng   *rand.Rand
	watch *qap.Watch // nil: there is none
	walk  *tabu.Walk
	runs  int // begun so far
	end   int // steps of the walk at which the next one begins
	done  int // steps of those before it

	best     qap.Matching
	bestCost float64
	bestStep int
}

func newRestarts(in *qap.Instance, seed uint64, watch *qap.Watch) (*restarts, error) {
	n, _ := in.Size()
	r := &restarts{in: in, n: n, watch: watch, rng: rand.New(rand.NewPCG(seed, 0x1ab)), bestCost: math.Inf(1)}
	return r, r.restart()
}

func (r *restarts) restart() (err error) {
	if r.walk != nil {
		r.done += r.walk.Steps()
	}
	r.runs++
	r.end = luby(r.runs) * restartUnit * r.n
	r.walk, err = tabu.NewWalk(r.in, qap.RandomMatching(r.n, r.n, r.rng), r.rng.Uint64(), r.watch)
	if err == nil {
		r.keepBest(math.Inf(-1))
	}
	return err
}

// keepBest keeps what is better by more than rounding, or reaches the target.
func (r *restarts) keepBest(target float64) {
	cost := r.walk.BestCost()
	if cost < r.bestCost-r.Tolerance() || cost <= target && cost < r.bestCost {
		r.best, r.bestCost, r.bestStep = r.walk.Best(), r.walk.BestCost(), r.done+r.walk.BestStep()
	}
}

func (r *restarts) Run(steps int, target float64) {
	for r.Steps() < steps && r.bestCost > target {
		if r.walk.Steps() >= r.end {
			if err := r.restart(); err != nil {
				panic(err) // the first could begin
			}
		}
		until := min(r.end, steps-r.done)
		r.walk.Run(until, target)
		r.keepBest(target)
		if r.walk.Steps() < until {
			return // the target is reached, or the time is over
		}
	}
}

func (r *restarts) Steps() int         { return r.done + r.walk.Steps() }
func (r *restarts) Best() qap.Matching { return r.best }
func (r *restarts) BestCost() float64  { return r.bestCost }
func (r *restarts) BestStep() int      { return r.bestStep }
func (r *restarts) Tolerance() float64 { return r.walk.Tolerance() }

// luby returns the i-th number, i ≥ 1, of the sequence 1 1 2 1 1 2 4 1 1 2 …
func luby(i int) int {
	power := 1
	for 2*power-1 < i {
		power *= 2
	}
	if i == 2*power-1 {
		return power
	}
	return luby(i - power + 1)
}
