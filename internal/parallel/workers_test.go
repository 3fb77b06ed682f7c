package parallel

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rgm-go/rgm/internal/usage"
)

// TestWorkers: every call is made once a Run, none allocates, and End leaves no goroutine.
func TestWorkers(t *testing.T) {
	ended := usage.Goroutines(t)
	for _, count := range []int{1, 2, 5} {
		calls := make([]atomic.Int32, 12)
		w := NewWorkers(count, func(k int) { calls[k].Add(1) })
		want := make([]int32, len(calls))
		for n := range len(calls) + 1 {
			w.Run(n)
			for k := range n {
				want[k]++
			}
		}
		var have []int32
		for k := range calls {
			have = append(have, calls[k].Load())
		}
		if !slices.Equal(have, want) {
			t.Errorf("%d workers: %v calls, want %v", count, have, want)
		}
		if allocations := testing.AllocsPerRun(100, func() { w.Run(7) }); allocations > 0 {
			t.Errorf("%d workers: %v allocations a Run", count, allocations)
		}
		w.End()
	}
	ended()
}
