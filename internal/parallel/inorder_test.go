package parallel

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestInOrderKeepsTheOrder(t *testing.T) {
	items := []int{5, 0, 3, 1, 4, 2}
	var atWork, most atomic.Int32
	work := func(k int) int {
		most.Store(max(most.Load(), atWork.Add(1)))
		time.Sleep(time.Duration(k) * time.Millisecond)
		atWork.Add(-1)
		return 10 * k
	}
	for _, workers := range []int{1, 2, 7} {
		most.Store(0)
		have := slices.Collect(InOrder(workers, slices.Values(items), work))
		if want := []int{50, 0, 30, 10, 40, 20}; !slices.Equal(have, want) {
			t.Errorf("%d workers: %v, want %v", workers, have, want)
		}
		if int(most.Load()) > workers {
			t.Errorf("%d at work at a time, want at most %d", most.Load(), workers)
		}
	}
	for first := range InOrder(2, slices.Values(items), work) {
		if first != 50 {
			t.Errorf("the first result is %d", first)
		}
		break
	}
	if atWork.Load() != 0 {
		t.Error("work goes on after the caller stopped")
	}
}

// TestInOrderBeginsNothingAfterAStop: once the caller stops, no work is begun but that
// of an item which was just taken. Between what the caller counts and its stop the machine
// may do something else, so that a few rounds may have more.
func TestInOrderBeginsNothingAfterAStop(t *testing.T) {
	slowly := func(yield func(int) bool) {
		for k := 0; k < 100 && yield(k); k++ {
			time.Sleep(200 * time.Microsecond)
		}
	}
	const rounds, most = 60, 3
	late := 0
	for range rounds {
		var begun atomic.Int32
		atStop := int32(0)
		for range InOrder(2, slowly, func(int) int { return int(begun.Add(1)) }) {
			atStop = begun.Load()
			break
		}
		if begun.Load()-atStop > 1 {
			late++
		}
	}
	if late > most {
		t.Errorf("in %d of %d rounds items are begun after the caller stopped", late, rounds)
	}
}
