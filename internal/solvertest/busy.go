package solvertest

import (
	"context"
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
