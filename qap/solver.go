package qap

import (
	"context"
	"math"
	"time"
)

// A Solver finds a matching of high score. A cancelled context or a limit ends
// the search with the best solution so far and a Status, not an error.
type Solver interface {
	Solve(ctx context.Context, in *Instance, o Options) (Result, error)
}

// Options are what every solver takes. The zero value is ready for use.
type Options struct {
	Limits
	Seed    uint64   // every random choice comes from it
	Initial Matching // where the search starts; nil leaves it to the solver

	// OnBest, if not nil, is told of better solutions while the search goes on, by the
	// goroutine that searches: it must be quick. Solvers that only know their solution
	// at the end do not call it.
	OnBest func(Incumbent)
}

// Incumbent is the best solution so far of a search that goes on.
type Incumbent struct {
	Matching  Matching // valid during the call
	Score     float64  // as the search keeps it, with the rounding of its sums
	Objective float64  // the same in the instance's sense
	Steps     int      // taken so far
	FoundBy   string   // as Result.FoundBy, where a search has several parts
}

// NewIncumbent returns a solution on the way, with a score in place of a recomputed one.
func NewIncumbent(in *Instance, m Matching, score float64, steps int) Incumbent {
	return Incumbent{Matching: m, Score: score, Objective: in.Objective(score), Steps: steps}
}

// Limits end a search. A solver that has a default for a zero field says so.
type Limits struct {
	MaxSteps  int           // steps of each trajectory; 0 leaves it to the solver
	Patience  int           // steps without a better best (paper's T_es); 0 is none
	TimeLimit time.Duration // wall clock of the search (see WithClock); 0 is none
	Target    float64       // objective, in the instance's sense, that is good enough; see TargetScore
	HasTarget bool          // whether Target counts
}

// targetTolerance is the relative error by which an objective may miss the target:
// printed optima of instances that are not integer differ from recomputed ones by
// rounding.
const targetTolerance = 1e-12

// TargetScore returns the score from which on a solution is good enough, less than
// Target's by rounding; +Inf where Target does not count.
func (l Limits) TargetScore(in *Instance) float64 {
	if !l.HasTarget {
		return math.Inf(1)
	}
	return in.ScoreOf(l.Target) - targetTolerance*math.Abs(l.Target)
}

// Status says why a search ended.
type Status string

const (
	Converged Status = "converged"  // no action was left to take
	Patience  Status = "patience"   // the best stayed the same for Limits.Patience steps
	MaxSteps  Status = "max_steps"  // Limits.MaxSteps were taken
	TimeLimit Status = "time_limit" // Limits.TimeLimit was used up
	Target    Status = "target"     // Limits.Target was reached
	Inliers   Status = "inliers"    // the search ended by itself at the wanted number of matches
	Optimal   Status = "optimal"    // the matching was proved to be the best
	Cancelled Status = "cancelled"  // the context was cancelled
	Deadline  Status = "deadline"   // the context's deadline passed
)

// Interrupted reports whether the context ended the search.
func (s Status) Interrupted() bool { return s == Cancelled || s == Deadline }

// OutOfTime reports whether the context or the time limit ended the search.
func (s Status) OutOfTime() bool { return s == TimeLimit || s.Interrupted() }

// Result is what a search found.
type Result struct {
	Matching  Matching
	Score     float64 // J of the matching, recomputed from the instance, maximised
	Objective float64 // the same in the instance's sense
	Steps     int     // steps (environment steps, swaps, …) of all trajectories together
	Rollouts  int     // trajectories that advanced together
	Status    Status
	FoundBy   string // what found the matching, where a search has several parts (see package infer), or ByStart

	// Bound is what a solver has proved: no solution has a better objective. It is in
	// the instance's sense: a lower bound where that is Minimize, else an upper one.
	Bound    float64
	HasBound bool // whether the solver bounds at all

	Profile Profile // best matching of every size; nil for solvers that do not search them
}

// ByStart is the Result.FoundBy of a search whose time was up before its first step: the
// matching is where it began, or was made at once.
const ByStart = "start"

// NewResult fills in a result for a matching; its score is recomputed.
func NewResult(in *Instance, m Matching, status Status) Result {
	score := in.Score(m)
	return Result{Matching: m, Score: score, Objective: in.Objective(score), Rollouts: 1, Status: status}
}

// A QFunction is a Q-network ready to be evaluated. It may be shared by
// goroutines; a QBatch may not.
type QFunction interface {
	// Features names the inputs the network was trained on (see package features).
	Features() string
	// NewBatch prepares the evaluation of up to size states of instances with n1
	// and n2 nodes.
	NewBatch(size, n1, n2 int) (QBatch, error)
}

// A QBatch evaluates a batch of states. It must be closed.
type QBatch interface {
	// Inputs returns the tensors to fill in before Evaluate, the states of the batch
	// first in each (see features.Tensors).
	Inputs() [][]float32
	// Evaluate returns Q of every vertex, [size, n1, n2], valid until the next call.
	Evaluate() ([]float32, error)
	Close() error
}
