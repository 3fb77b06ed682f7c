// Package queuetest holds what every queue must do.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve/queue"
)

// Run tests an implementation. open returns an empty queue that the test owns, in
// which at least 3 jobs may wait.
func Run(t *testing.T, open func(t *testing.T) queue.Queue) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, *bench)
	}{
		{"solves in order", solvesInOrder},
		{"the same id and payload is the same job", sameJob},
		{"unknown ids", unknownIDs},
		{"cancels a queued job", cancelsQueued},
		{"cancels a running job, which keeps its best", cancelsRunning},
		{"forgets", forgets},
		{"pages", pages},
		{"events reach those who watch", eventsArrive},
		{"a panic fails the job alone", panicFails},
		{"stopping work lets running jobs end", stopsGently},
		{"many at once", manyAtOnce},
		{"stop takes no more", stops},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			t.Cleanup(cancel)
			b := &bench{T: t, ctx: ctx, q: open(t)}
			t.Cleanup(b.close)
			test.run(t, b)
		})
	}
}

// bench is a queue in a test.
type bench struct {
	*testing.T
	ctx     context.Context
	q       queue.Queue
	workers sync.WaitGroup
	stop    []context.CancelFunc
}

// work starts workers and returns what stops them.
func (b *bench) work(n int, solve queue.Solve) context.CancelFunc {
	ctx, stop := context.WithCancel(b.ctx)
	b.stop = append(b.stop, stop)
	b.workers.Go(func() {
		if err := b.q.Work(ctx, n, solve); err != nil {
			b.Error(err)
		}
	})
	return stop
}

func (b *bench) close() {
	for _, stop := range b.stop {
		stop()
	}
	b.workers.Wait()
	if err := b.q.Close(); err != nil {
		b.Error(err)
	}
}

func (b *bench) submit(id string) queue.Record {
	b.Helper()
	return must.Get(b.q.Submit(b.ctx, queue.Job{ID: id, Work: queue.Bytes("payload of " + id), Created: time.Now()}))(b)
}

func (b *bench) wait(id string) queue.Record {
	b.Helper()
	r, err := b.q.Wait(b.ctx, id)
	if err != nil {
		b.Fatalf("wait for %s: %v", id, err)
	}
	return r
}

func (b *bench) record(id string) queue.Record {
	b.Helper()
	r, err := b.q.Record(b.ctx, id)
	if err != nil {
		b.Fatalf("record of %s: %v", id, err)
	}
	return r
}

// until waits for a state.
func (b *bench) until(id string, state queue.State) {
	b.Helper()
	for b.record(id).State != state {
		if b.ctx.Err() != nil {
			b.Fatalf("%s is %s, want %s", id, b.record(id).State, state)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// echo returns the payload.
func echo(_ context.Context, job queue.Job, _ func(string, []byte)) queue.Outcome {
	return queue.Outcome{State: queue.Done, Result: job.Work.(queue.Bytes)}
}

func solvesInOrder(t *testing.T, b *bench) {
	want := []string{"a", "b", "c"}
	for _, id := range want {
		if r := b.submit(id); r.ID != id || r.State != queue.Queued || r.Created.IsZero() {
			t.Errorf("submitted %s: %+v", id, r)
		}
	}
	if n, err := b.q.Waiting(b.ctx); n != 3 || err != nil {
		t.Errorf("%d wait (%v), want 3", n, err)
	}
	var got []string
	b.work(1, func(ctx context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
		got = append(got, job.ID)
		return echo(ctx, job, publish)
	})
	for _, id := range want {
		r := b.wait(id)
		if r.State != queue.Done || string(r.Result) != "payload of "+id || r.Started.IsZero() || r.Finished.Before(r.Started) || r.Attempts != 1 {
			t.Errorf("result of %s: %+v", id, r)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("solved in the order %v, want %v", got, want)
	}
	if n, err := b.q.Waiting(b.ctx); n != 0 || err != nil {
		t.Errorf("%d wait (%v), want none", n, err)
	}
}

func sameJob(t *testing.T, b *bench) {
	b.submit("a")
	other := queue.Job{ID: "a", Work: queue.Bytes("another"), Created: time.Now()}
	if _, err := b.q.Submit(b.ctx, other); !errors.Is(err, queue.ErrConflict) {
		t.Errorf("another payload: %v, want a conflict", err)
	}
	solved := 0
	b.work(1, func(ctx context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
		solved++
		return echo(ctx, job, publish)
	})
	b.submit("a")
	b.wait("a")
	if r := b.submit("a"); r.State != queue.Done {
		t.Errorf("submitted again once solved: %s, want done", r.State)
	}
	if _, err := b.q.Submit(b.ctx, other); !errors.Is(err, queue.ErrConflict) {
		t.Errorf("another payload once solved: %v, want a conflict", err)
	}
	b.submit("z")
	b.wait("z")
	if solved != 2 {
		t.Errorf("solved %d times, want a and z once each", solved)
	}
}

func unknownIDs(t *testing.T, b *bench) {
	b.work(1, echo)
	b.submit("a")
	b.wait("a")
	for _, id := range []string{"nobody", "*", ">", "a.>", "a.b", "a ", "", "../a"} {
		_, recordErr := b.q.Record(b.ctx, id)
		_, waitErr := b.q.Wait(b.ctx, id)
		_, _, eventsErr := b.q.Events(b.ctx, id, 0)
		for _, err := range []error{recordErr, waitErr, eventsErr, b.q.Cancel(b.ctx, id), b.q.Forget(b.ctx, id)} {
			if !errors.Is(err, queue.ErrUnknown) {
				t.Errorf("%q: got %v, want ErrUnknown", id, err)
			}
		}
	}
	if r, err := b.q.Record(b.ctx, "a"); err != nil || r.State != queue.Done {
		t.Errorf("the job with another id: %+v, %v", r, err)
	}
}

func cancelsQueued(t *testing.T, b *bench) {
	b.submit("a")
	b.submit("b")
	if err := b.q.Cancel(b.ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if r := b.wait("a"); r.State != queue.Cancelled || r.Result != nil {
		t.Errorf("cancelled: %+v", r)
	}
	b.work(1, func(ctx context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
		if job.ID == "a" {
			t.Error("a was solved, though cancelled")
		}
		return echo(ctx, job, publish)
	})
	b.wait("b")
}

// untilCancelled publishes an incumbent and runs until it is cancelled.
func untilCancelled(ctx context.Context, _ queue.Job, publish func(string, []byte)) queue.Outcome {
	publish(queue.IncumbentEvent, []byte(`"first"`))
	<-ctx.Done()
	return queue.Outcome{State: queue.Done, Result: []byte("best so far")}
}

func cancelsRunning(t *testing.T, b *bench) {
	b.work(1, untilCancelled)
	b.submit("a")
	b.until("a", queue.Running)
	for b.record("a").Best == nil && b.ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if best := string(b.record("a").Best); best != `"first"` {
		t.Errorf("best while it runs: %q", best)
	}
	if err := b.q.Forget(b.ctx, "a"); !errors.Is(err, queue.ErrBusy) {
		t.Errorf("forget a running job: %v, want ErrBusy", err)
	}
	if err := b.q.Cancel(b.ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if r := b.wait("a"); r.State != queue.Cancelled || string(r.Result) != "best so far" {
		t.Errorf("cancelled: %+v", r)
	}
	if err := b.q.Cancel(b.ctx, "a"); err != nil {
		t.Errorf("cancel what is finished: %v", err)
	}
}

func forgets(t *testing.T, b *bench) {
	b.work(1, echo)
	b.submit("a")
	b.wait("a")
	if err := b.q.Forget(b.ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.q.Record(b.ctx, "a"); !errors.Is(err, queue.ErrUnknown) {
		t.Errorf("after Forget: %v, want ErrUnknown", err)
	}
	if page, _, err := b.q.Records(b.ctx, "", 10); len(page) != 0 || err != nil {
		t.Errorf("the list after Forget has %d jobs (%v)", len(page), err)
	}
	b.submit("a")
	if r := b.wait("a"); r.State != queue.Done {
		t.Errorf("submitted anew: %+v", r)
	}
}

func pages(t *testing.T, b *bench) {
	b.work(1, echo)
	var want []string
	for k := range 7 {
		id := fmt.Sprintf("job-%d", 9-k)
		want = append(want, id)
		b.submit(id)
		b.wait(id)
	}
	hidden := queue.Job{ID: "hidden", Work: queue.Bytes("h"), Created: time.Now(), Hidden: true}
	if _, err := b.q.Submit(b.ctx, hidden); err != nil {
		t.Fatal(err)
	}
	b.wait("hidden")
	var got []string
	cursor := ""
	for pageNumber := 0; ; pageNumber++ {
		page, next, err := b.q.Records(b.ctx, cursor, 3)
		if err != nil || len(page) > 3 || pageNumber > 3 {
			t.Fatalf("page %d has %d jobs (%v)", pageNumber, len(page), err)
		}
		for _, r := range page {
			got = append(got, r.ID)
			if r.State != queue.Done || r.Result != nil {
				t.Errorf("in the list: %+v", r)
			}
		}
		if cursor = next; next == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

func panicFails(t *testing.T, b *bench) {
	b.work(1, func(ctx context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
		if job.ID == "a" {
			panic("boom")
		}
		return echo(ctx, job, publish)
	})
	b.submit("a")
	b.submit("b")
	if r := b.wait("a"); r.State != queue.Failed || r.Error == "" || r.Reason != queue.ReasonPanic {
		t.Errorf("after a panic: %+v", r)
	}
	if r := b.wait("b"); r.State != queue.Done {
		t.Errorf("the next job: %+v", r)
	}
}

func stopsGently(t *testing.T, b *bench) {
	proceed := make(chan struct{})
	stop := b.work(1, func(ctx context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
		<-proceed
		if ctx.Err() != nil {
			t.Error("a running job ended with the work")
		}
		return echo(ctx, job, publish)
	})
	b.submit("a")
	b.until("a", queue.Running)
	b.submit("b")
	stop()
	close(proceed)
	b.workers.Wait()
	if r := b.record("a"); r.State != queue.Done {
		t.Errorf("the running job: %+v", r)
	}
	if r := b.record("b"); r.State != queue.Queued {
		t.Errorf("the waiting job: %+v", r)
	}
}

func manyAtOnce(t *testing.T, b *bench) {
	b.work(4, echo)
	var clients sync.WaitGroup
	for c := range 8 {
		clients.Go(func() {
			for k := range 25 {
				id := fmt.Sprintf("job-%d-%d", c, k)
				job := queue.Job{ID: id, Work: queue.Bytes("payload of " + id), Created: time.Now(), Hidden: k%2 == 0}
				for {
					_, err := b.q.Submit(b.ctx, job)
					if err == nil {
						break
					}
					if !errors.Is(err, queue.ErrFull) {
						t.Error(err)
						return
					}
					time.Sleep(time.Millisecond)
				}
				r, err := b.q.Wait(b.ctx, id)
				if err != nil || string(r.Result) != "payload of "+id {
					t.Errorf("%s: %+v, %v", id, r, err)
				}
				if job.Hidden {
					if err := b.q.Forget(b.ctx, id); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	clients.Wait()
}

func stops(t *testing.T, b *bench) {
	b.q.Stop()
	if _, err := b.q.Submit(b.ctx, queue.Job{ID: "a", Work: queue.Bytes(nil), Created: time.Now()}); !errors.Is(err, queue.ErrClosed) {
		t.Errorf("submitted after Stop: %v, want ErrClosed", err)
	}
}
