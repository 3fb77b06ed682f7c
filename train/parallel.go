package train

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls do for 0..n−1 on all processors and returns when all are done.
// The calls must not depend on their order.
func parallel(n int, do func(k int)) {
	parallelWorkers(n, func(_, k int) { do(k) })
}

// parallelWorkers is parallel that also tells do which of at most
// runtime.GOMAXPROCS(0) workers calls it: one makes no two calls at a time.
func parallelWorkers(n int, do func(worker, k int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				do(worker, k)
			}
		})
	}
	wait.Wait()
}
