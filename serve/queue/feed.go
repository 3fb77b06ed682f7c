package queue

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/internal/parallel"
)

// Feed holds the latest events of a job for those who watch it. Who owns it guards
// it with a lock.
type Feed struct {
	events  []Event
	changed chan struct{} // closed at the next change
}

// Add appends an event and wakes those who watch. Sequence numbers that are not
// greater than the last one are dropped: they came twice.
func (f *Feed) Add(e Event) {
	if n := len(f.events); n > 0 && e.Seq <= f.events[n-1].Seq {
		return
	}
	if e.Name == ProgressEvent {
		f.events = slices.DeleteFunc(f.events, func(old Event) bool { return old.Name == ProgressEvent })
	}
	if len(f.events) >= Kept {
		f.events = slices.Delete(f.events, 0, len(f.events)-Kept+1)
	}
	f.events = append(f.events, e)
	f.Wake()
}

// Wake wakes those who watch.
func (f *Feed) Wake() {
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// After returns the events after a sequence number and what Wake closes.
func (f *Feed) After(seq int64) ([]Event, <-chan struct{}) {
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	k, seen := slices.BinarySearchFunc(f.events, seq, func(e Event, seq int64) int { return cmp.Compare(e.Seq, seq) })
	if seen {
		k++
	}
	return slices.Clone(f.events[k:]), f.changed
}

// closed is the channel of jobs that change no more.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Rest returns the events after a sequence number of a job that changes no more, and a
// channel that is closed.
func (f *Feed) Rest(seq int64) ([]Event, <-chan struct{}) {
	events, _ := f.After(seq)
	return events, closed
}

// size returns the bytes of the events that are held.
func (f *Feed) size() int64 {
	n := 0
	for _, e := range f.events {
		n += len(e.Data)
	}
	return int64(n)
}

// Best returns the data of the last incumbent, nil without one.
func (f *Feed) Best() []byte {
	for _, e := range slices.Backward(f.events) {
		if e.Name == IncumbentEvent {
			return e.Data
		}
	}
	return nil
}

// Solved runs solve and turns a panic into a failure.
func Solved(ctx context.Context, job Job, solve Solve, publish func(string, []byte)) (out Outcome) {
	defer func() {
		p := recover()
		if carried, is := p.(*parallel.Fault); is { // whose text has the stack
			p = carried.Reason
		}
		if p != nil {
			out = Outcome{State: Failed, Error: fmt.Sprint("the solver panicked: ", p), Reason: ReasonPanic}
		}
	}()
	return solve(ctx, job, publish)
}
