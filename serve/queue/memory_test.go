package queue_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rgm-go/rgm/serve/queue"
	"github.com/rgm-go/rgm/serve/queue/queuetest"
)

func TestMemoryConforms(t *testing.T) {
	queuetest.Run(t, func(*testing.T) queue.Queue { return queue.NewMemory(queue.MemoryOptions{Waiting: 8}) })
}

func TestMemoryIsBounded(t *testing.T) {
	m := queue.NewMemory(queue.MemoryOptions{Waiting: 2})
	for _, id := range []string{"a", "b"} {
		if _, err := m.Submit(t.Context(), queue.Job{ID: id, Work: queue.Bytes(nil)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Submit(t.Context(), queue.Job{ID: "c", Work: queue.Bytes(nil)}); !errors.Is(err, queue.ErrFull) {
		t.Errorf("a third job: %v, want ErrFull", err)
	}
	if _, err := m.Submit(t.Context(), queue.Job{ID: "a", Work: queue.Bytes(nil)}); err != nil {
		t.Errorf("a known job in a full queue: %v", err)
	}
	m.Stop()
	r, err := m.Wait(t.Context(), "a")
	if err != nil || r.State != queue.Failed || r.Reason != queue.ReasonStopped {
		t.Errorf("a waiting job after Stop: %+v, %v", r, err)
	}
}

// TestMemoryForgetsAfterKeep lets an hour pass by the bubble's clock.
func TestMemoryForgetsAfterKeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := queue.NewMemory(queue.MemoryOptions{Waiting: 2})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go m.Work(ctx, 1, func(context.Context, queue.Job, func(string, []byte)) queue.Outcome {
			return queue.Outcome{State: queue.Done}
		})
		if _, err := m.Submit(ctx, queue.Job{ID: "a", Work: queue.Bytes(nil)}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Wait(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(59 * time.Minute)
		if _, err := m.Record(ctx, "a"); err != nil {
			t.Errorf("after 59 minutes: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if _, err := m.Record(ctx, "a"); !errors.Is(err, queue.ErrUnknown) {
			t.Errorf("after 61 minutes: %v, want ErrUnknown", err)
		}
	})
}

// TestMemoryForgetsBeyondBytes: results and the events of their searches fill what is set
// aside for them; the oldest go, and what somebody waits for stays.
func TestMemoryForgetsBeyondBytes(t *testing.T) {
	m := queue.NewMemory(queue.MemoryOptions{Waiting: 200, Results: 1 << 20})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go m.Work(ctx, 1, func(_ context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
		publish(queue.IncumbentEvent, make([]byte, 40_000))
		return queue.Outcome{State: queue.Done, Result: make([]byte, 60_000)}
	})
	ids := func(k int) string { return fmt.Sprint("job-", k) }
	const jobs = 100
	for k := range jobs {
		if _, err := m.Submit(ctx, queue.Job{ID: ids(k), Work: queue.Bytes(nil), Hidden: k == 0}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Wait(ctx, ids(jobs-1)); err != nil {
		t.Fatal(err)
	}
	kept, first := 0, -1
	for k := 1; k < jobs; k++ {
		r, err := m.Record(ctx, ids(k))
		switch {
		case err == nil && len(r.Result) == 60_000:
			kept++
			if first < 0 {
				first = k
			}
		case !errors.Is(err, queue.ErrUnknown):
			t.Fatalf("%s: %v", ids(k), err)
		}
	}
	if kept != 10 || first != jobs-10 { // of 101,024 bytes each, in 1 MiB
		t.Errorf("%d jobs are kept, from %d on, want the last 10", kept, first)
	}
	if _, err := m.Record(ctx, ids(0)); err != nil {
		t.Errorf("the hidden job: %v", err)
	}
	if _, err := m.Submit(ctx, queue.Job{ID: ids(1), Work: queue.Bytes(nil)}); err != nil { // forgotten, so a new one
		t.Errorf("submitted again: %v", err)
	}
}

// TestMemoryKeepsTheLastResult: one result larger than all that may be kept still reaches
// its client.
func TestMemoryKeepsTheLastResult(t *testing.T) {
	m := queue.NewMemory(queue.MemoryOptions{Results: 100})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go m.Work(ctx, 1, func(context.Context, queue.Job, func(string, []byte)) queue.Outcome {
		return queue.Outcome{State: queue.Done, Result: make([]byte, 1000)}
	})
	for _, id := range []string{"a", "b"} {
		if _, err := m.Submit(ctx, queue.Job{ID: id, Work: queue.Bytes(nil)}); err != nil {
			t.Fatal(err)
		}
		if r, err := m.Wait(ctx, id); err != nil || len(r.Result) != 1000 {
			t.Errorf("%s: %d bytes, %v", id, len(r.Result), err)
		}
	}
	if _, err := m.Record(ctx, "a"); !errors.Is(err, queue.ErrUnknown) {
		t.Errorf("the first one: %v, want ErrUnknown", err)
	}
	if _, err := m.Record(ctx, "b"); err != nil {
		t.Errorf("the last one: %v", err)
	}
}

// BenchmarkMemory is the whole way of a job whose solution takes no time.
func BenchmarkMemory(b *testing.B) {
	m := queue.NewMemory(queue.MemoryOptions{Waiting: 1024})
	ctx, stop := context.WithCancel(b.Context())
	go m.Work(ctx, 2, func(context.Context, queue.Job, func(string, []byte)) queue.Outcome {
		return queue.Outcome{State: queue.Done}
	})
	defer stop()
	for b.Loop() {
		if _, err := m.Submit(ctx, queue.Job{ID: "a", Work: queue.Bytes(nil), Hidden: true}); err != nil {
			b.Fatal(err)
		}
		if _, err := m.Wait(ctx, "a"); err != nil {
			b.Fatal(err)
		}
		if err := m.Forget(ctx, "a"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
