// Package parallel makes independent calls side by side. A call that panics does so in the goroutine
// of the caller, after the others.
package parallel

import (
	"runtime"
	"sync/atomic"
)

// For calls do for 0..n−1 on all processors and returns when all are done.
// The calls must not depend on their order.
func For(n int, do func(k int)) { Some(runtime.GOMAXPROCS(0), n, do) }

// Some is For on a number of processors.
func Some(processors, n int, do func(k int)) {
	var next atomic.Int64
	var wait Group
	for range min(processors, n) {
		wait.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				do(k)
			}
		})
	}
	wait.Wait()
}
