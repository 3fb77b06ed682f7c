package tabu

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

// A Walk is the one trajectory of Solver, made as many swaps at a time as its user
// wants. It may not be shared by goroutines. Walking allocates nothing, and goes the
// same way for a seed on any machine, however it is cut up.
type Walk struct {
	problem problem
	t       trajectory
	s       *state
	begun   bool // it can walk
}

// NewWalk returns a walk from an assignment of an instance with at least two nodes.
// It returns an error wrapping qap.ErrUnsupported unless tabu search Serves the
// instance, and an error if start is not a complete assignment. Getting ready takes long on
// large graphs: where the watch (nil: there is none) ends it, the walk stays at its start.
func NewWalk(in *qap.Instance, start qap.Matching, seed uint64, watch *qap.Watch) (*Walk, error) {
	if err := checkServed(in); err != nil {
		return nil, err
	}
	if err := CheckInitial(in, start); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x7ab0))
	w := &Walk{problem: newProblem(in, in.Affinity.(*qap.KoopmansBeckmann))}
	w.t = newTrajectory(&w.problem, w.problem.element(), kernels.Supported()[0], w.problem.assignment(start), -in.Score(start), rng)
	w.s = w.t.state()
	w.s.patience = math.MaxInt64
	w.begun = w.t.begin(rng, watch)
	return w, nil
}

// Run walks until a number of swaps in all, or until a cost is at most target.
func (w *Walk) Run(steps int, target float64) {
	w.s.target = target
	for w.begun && w.Steps() < steps && w.BestCost() > target {
		if w.s.clock > clockLimit {
			w.t.rebase()
		}
		w.s.until = min(int64(steps), w.s.step+clockLimit/2)
		w.t.run()
	}
}

// Steps returns the swaps made.
func (w *Walk) Steps() int { return int(w.s.step) }

// Best returns the best matching found.
func (w *Walk) Best() qap.Matching { return w.problem.assignment(w.t.best()) }

// BestCost returns the cost of Best: the negative of its score.
func (w *Walk) BestCost() float64 { return w.s.best }

// BestStep returns Steps when Best was found.
func (w *Walk) BestStep() int { return int(w.s.bestStep) }

// Tolerance is what a cost must be less by to be better, more than 0 where costs are
// not exact.
func (w *Walk) Tolerance() float64 { return w.s.tolerance }
