//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Taken returns the processor time that the program has taken so far, and whether it can be
// told here.
func Taken() (time.Duration, bool) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
