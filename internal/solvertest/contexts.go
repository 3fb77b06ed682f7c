package solvertest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/qap"
)

// Clock returns the clock that tests time a search by: that of processor time, which other
// programs on the machine do not drive, or the wall's where it cannot be told.
func Clock() func() time.Time {
	if _, ok := cputime.Taken(); ok {
		return cputime.Clock
	}
	return time.Now
}

// Clocked returns a context whose time limits are of Clock: however busy the machine is, a
// search gets what its limit says.
func Clocked() context.Context { return qap.WithClock(context.Background(), Clock()) }

// endingContext is a context that ends once it was asked for its error so often.
type endingContext struct {
	context.Context
	left atomic.Int64
}

// EndsAfter returns a context that answers as its parent for so many questions, and then
// is cancelled. Its Done channel stays the parent's.
func EndsAfter(parent context.Context, questions int) *endingContext {
	c := &endingContext{Context: parent}
	c.left.Store(int64(questions))
	return c
}

// Left returns how many questions are left, less than 0 once the context has ended.
func (c *endingContext) Left() int { return int(c.left.Load()) }

// Err counts the question, and returns an error once none is left.
func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return c.Context.Err()
}
