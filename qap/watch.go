package qap

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

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
// never run back, and several goroutines may read it at once. Deadlines of contexts stay with the wall's.
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
