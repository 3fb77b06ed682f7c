// Package usage tells tests what code uses: goroutines that are left running, and memory.
package usage

import (
	"runtime"
	"testing"
	"time"
)

// patience is how long goroutines may take to end on a busy machine.
var patience = 30 * time.Second

// Goroutines counts the goroutines now and returns a function that fails the test if there
// are more: it waits for those that are about to end. No other test may run beside it.
func Goroutines(t testing.TB) (done func()) { return GoroutinesBut(t, 0) }

// GoroutinesBut is Goroutines where some may stay, as those of a client's idle connections.
func GoroutinesBut(t testing.TB, some int) (done func()) {
	before := runtime.NumGoroutine()
	return func() {
		t.Helper()
		end := time.Now().Add(patience)
		for runtime.NumGoroutine() > before+some && time.Now().Before(end) {
			time.Sleep(time.Millisecond)
		}
		if after := runtime.NumGoroutine(); after > before+some {
			stacks := make([]byte, 1<<16)
			t.Errorf("%d goroutines, %d before\n%s", after, before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
