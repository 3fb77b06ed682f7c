// Package cputime tells the processor time that the program has taken. Other programs on the
// same machine do not add to it, so what is measured by it is comparable on a busy machine.
package cputime

import "time"

// Clock is a clock that runs while the program has a processor, with several at once as many
// times as fast (see qap.WithClock). Where the time cannot be told it stands still.
func Clock() time.Time {
	taken, _ := Taken()
	return time.Unix(0, int64(taken))
}
