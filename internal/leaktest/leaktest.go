// Package leaktest tells tests whether goroutines were left running.
package leaktest

import (
	"runtime"
	"testing"
	"time"
)

// patience is how long goroutines may take to end on a busy machine.
var patience = 30 * time.Second

// Check counts the goroutines now and returns a function that fails the test if there
// are more: it waits for those that are about to end. No other test may run beside it.
func Check(t testing.TB) (done func()) { return CheckBut(t, 0) }

// CheckBut is Check where some may stay, as those of a client's idle connections.
func CheckBut(t testing.TB, some int) (done func()) {
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
