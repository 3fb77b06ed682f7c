//go:build !unix

package bench

import "time"

// cpuTime cannot tell the processor time here.
func cpuTime() (time.Duration, bool) { return 0, false }
