package qap

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
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

// Watch tells a search when to stop.
type Watch struct {
	ctx      context.Context
	limits   Limits
	target   float64 // score
	now      func() time.Time
	deadline time.Time
	steps    *atomic.Int64 // see WithStepCount; nil where nobody counts
}

// clockKey is the key of a clock in a context.
type clockKey struct{}

// WithClock returns a context whose searches measure Limits.TimeLimit by another clock than
// the wall's: the processor's, which other programs do not slow, or one of a test. It must
// never run back. Deadlines of contexts stay with the wall's.
func WithClock(ctx context.Context, now func() time.Time) context.Context {
	return context.WithValue(ctx, clockKey{}, now)
}

func clockOf(ctx context.Context) func() time.Time {
	if now, ok := ctx.Value(clockKey{}).(func() time.Time); ok {
		return now
	}
	return time.Now
}

// deadlineKey is the key of a deadline, on the clock of searches, in a context.
type deadlineKey struct{}

// WithTimeLimit returns a context whose searches, all together, end with the status TimeLimit
// once a time from now has passed on their clock, whatever Limits each of them has; 0 is no
// limit. So a time limit that several searches share begins once.
func WithTimeLimit(ctx context.Context, d time.Duration) context.Context {
	if d <= 0 {
		return ctx
	}
	deadline := clockOf(ctx)().Add(d)
	if before, limited := ctx.Value(deadlineKey{}).(time.Time); limited && before.Before(deadline) {
		return ctx
	}
	return context.WithValue(ctx, deadlineKey{}, deadline)
}

// Remaining returns the time that WithTimeLimit leaves the searches of a context; false means
// that there is no limit.
func Remaining(ctx context.Context) (time.Duration, bool) {
	deadline, limited := ctx.Value(deadlineKey{}).(time.Time)
	if !limited {
		return 0, false
	}
	return deadline.Sub(clockOf(ctx)()), true
}

// stepsKey is the key of a count of steps in a context.
type stepsKey struct{}

// WithStepCount returns a context whose searches keep in count how many steps they have taken, for
// a display of progress: each time that one looks at its limits, so that of searches side by side it
// is the last to look.
func WithStepCount(ctx context.Context, count *atomic.Int64) context.Context {
	return context.WithValue(ctx, stepsKey{}, count)
}

// Watch starts the clock of a search over an instance.
func (l Limits) Watch(ctx context.Context, in *Instance) Watch {
	w := Watch{ctx: ctx, limits: l, target: l.TargetScore(in), now: clockOf(ctx)}
	w.steps, _ = ctx.Value(stepsKey{}).(*atomic.Int64)
	if l.TimeLimit > 0 {
		w.deadline = w.now().Add(l.TimeLimit)
	}
	if all, limited := ctx.Value(deadlineKey{}).(time.Time); limited && (w.deadline.IsZero() || all.Before(w.deadline)) {
		w.deadline = all
	}
	return w
}

// Reached checks the limits that cost nothing to check: steps taken, steps since
// the best improved, and the best score.
func (w *Watch) Reached(steps, sinceBest int, best float64) (Status, bool) {
	if w.steps != nil {
		w.steps.Store(int64(steps))
	}
	switch l := &w.limits; {
	case l.HasTarget && best >= w.target:
		return Target, true
	case l.MaxSteps > 0 && steps >= l.MaxSteps:
		return MaxSteps, true
	case l.Patience > 0 && sinceBest >= l.Patience:
		return Patience, true
	}
	return "", false
}

// Expired checks the context and the clock.
func (w *Watch) Expired() (Status, bool) {
	if err := w.ctx.Err(); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return Deadline, true
		}
		return Cancelled, true
	}
	if !w.deadline.IsZero() && !w.now().Before(w.deadline) {
		return TimeLimit, true
	}
	return "", false
}

// Over reports whether the context or the clock has ended the search; never of nil. It is for what
// takes long between steps, as getting ready on large graphs.
func (w *Watch) Over() bool {
	if w == nil {
		return false
	}
	_, over := w.Expired()
	return over
}

// AtStart returns the result of a search that was over before its first step, at start.
func (w *Watch) AtStart(in *Instance, start Matching) Result {
	result := NewResult(in, start.Clone(), "")
	status, stop := w.Reached(0, 0, result.Score)
	if !stop {
		status, _ = w.Expired()
	}
	result.Status, result.FoundBy = status, ByStart
	return result
}

// Now reads the clock by which the time limit is measured.
func (w *Watch) Now() time.Time { return w.now() }

// Remaining returns the time left of TimeLimit; false means that there is none.
func (w *Watch) Remaining() (time.Duration, bool) {
	if w.deadline.IsZero() {
		return 0, false
	}
	return w.deadline.Sub(w.now()), true
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
