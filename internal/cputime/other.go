//go:build !unix

package cputime

import "time"

// Taken cannot tell the processor time here.
func Taken() (time.Duration, bool) { return 0, false }
