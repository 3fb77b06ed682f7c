//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the program has taken so far, and
// whether it can be told here.
func cpuTime() (time.Duration, bool) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
