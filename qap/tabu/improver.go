package tabu

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu/internal/kernels"
)

// An Improver makes many short searches over one instance, from assignments that
// its user chooses; it is what a search with a population is made of.
//
// An assignment is the locations by facility: Matching turns it into a matching of
// the instance, Assignment a matching into it. Costs are minimised. An Improver may
// not be shared by goroutines. Its searches allocate nothing, and make the same
// swaps for a seed on any machine.
type Improver struct {
	problem problem
	t       trajectory
	s       *state
	watch   *qap.Watch
	over    bool // the watch ended the last Restart
}

// Tenure says how long swaps stay tabu.
type Tenure int

const (
	ShortTenure Tenure = iota // about n swaps each: finds good assignments soon
	LongTenure                // up to 4n, most much less: keeps finding better ones
)

// NewImprover returns an improver for an instance with at least two nodes, which must
// Restart. It returns an error wrapping qap.ErrUnsupported unless tabu search Serves the
// instance. The watch (nil: there is none) ends what takes long on large graphs: see Over.
func NewImprover(in *qap.Instance, seed uint64, watch *qap.Watch) (*Improver, error) {
	return newImprover(in, seed, watch, kernels.Supported()[0])
}

func newImprover(in *qap.Instance, seed uint64, watch *qap.Watch, k kernels.Set) (*Improver, error) {
	if err := checkServed(in); err != nil {
		return nil, err
	}
	n, _ := in.Size()
	if n < 2 {
		return nil, fmt.Errorf("tabu: an improver for %d nodes: want at least 2", n)
	}
	rng := rand.New(rand.NewPCG(seed, 0x5e97))
	v := &Improver{problem: newProblem(in, in.Affinity.(*qap.KoopmansBeckmann)), watch: watch, over: true}
	start := qap.RandomMatching(n, n, rng)
	v.t = newTrajectory(&v.problem, v.problem.element(), k, v.problem.assignment(start), math.Inf(1), rng)
	v.s = v.t.state()
	v.s.target = math.Inf(-1)
	v.s.lateAspiration = math.MaxInt32 // in short searches nothing is free for long
	v.s.earlyAspiration = math.MaxInt32
	return v, nil
}

// Restart begins a search at an assignment: it ends after patience swaps without a
// better best.
func (v *Improver) Restart(assignment []int32, tenure Tenure, patience int) {
	v.s.earlySteps = 0
	if tenure == ShortTenure {
		v.s.earlySteps = math.MaxInt64
	}
	v.s.patience = int64(patience)
	v.over = !v.t.restart(assignment, v.watch)
}

// Run goes on with the search until it ends, has a cost of at most target, or until
// steps swaps of all searches together. It reports whether it ended. Once all is Over it makes
// no swap.
func (v *Improver) Run(steps int, target float64) bool {
	if v.over {
		return false
	}
	v.s.until, v.s.target = int64(steps), target
	v.t.run()
	return v.s.step-v.s.bestStep >= v.s.patience
}

// Over reports whether the watch ended the last Restart before its search could begin. Cost and
// Best are those of its assignment then. Before the first Restart it is true.
func (v *Improver) Over() bool { return v.over }

// Steps returns the swaps of all searches together.
func (v *Improver) Steps() int { return int(v.s.step) }

// Cost returns the cost of the best assignment since the last Restart.
func (v *Improver) Cost() float64 { return v.s.best }

// BestStep returns Steps when the best since the last Restart was found.
func (v *Improver) BestStep() int { return int(v.s.bestStep) }

// Tolerance is what a cost must be less by to be better, more than 0 where costs
// are not exact.
func (v *Improver) Tolerance() float64 { return v.s.tolerance }

// Best writes the best assignment since the last Restart.
func (v *Improver) Best(assignment []int32) { v.t.copyBest(assignment) }

// Matching returns an assignment as a matching of the instance.
func (v *Improver) Matching(assignment []int32) qap.Matching {
	return v.problem.assignment(matching(assignment))
}

// Assignment returns a complete matching of the instance as an assignment.
func (v *Improver) Assignment(m qap.Matching) []int32 {
	assignment := make([]int32, v.problem.n)
	for i, c := range v.problem.assignment(m) {
		assignment[i] = int32(c)
	}
	return assignment
}

// Transposed returns Flow and Distance transposed, to be read along rows. They must not be
// changed.
func (v *Improver) Transposed() (flow, distance []float64) {
	return v.problem.flowT, v.problem.distanceT
}

// Flow returns the flows between facilities, n×n. It must not be changed.
func (v *Improver) Flow() []float64 { return v.problem.flow }

// Distance returns the distances between locations, n×n. It must not be changed.
func (v *Improver) Distance() []float64 { return v.problem.distance }

// Linear returns the costs of facilities at locations by themselves, n×n. It must not be
// changed.
func (v *Improver) Linear() []float64 { return v.problem.linear }
