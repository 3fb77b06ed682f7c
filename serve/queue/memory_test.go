package queue_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rgm-go/rgm/serve/queue"
	"github.com/rgm-go/rgm/serve/queue/queuetest"
)

func TestMemoryConforms(t *testing.T) {
	queuetest.Run(t, func(*testing.T) queue.Queue { return queue.NewMemory(8, time.Hour) })
}

func TestMemoryIsBounded(t *testing.T) {
	m := queue.NewMemory(2, time.Hour)
	for _, id := range []string{"a", "b"} {
		if _, err := m.Submit(t.Context(), queue.Job{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Submit(t.Context(), queue.Job{ID: "c"}); !errors.Is(err, queue.ErrFull) {
		t.Errorf("a third job: %v, want ErrFull", err)
	}
	if _, err := m.Submit(t.Context(), queue.Job{ID: "a"}); err != nil {
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
		m := queue.NewMemory(2, time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go m.Work(ctx, 1, func(context.Context, queue.Job, func(string, []byte)) queue.Outcome {
			return queue.Outcome{State: queue.Done}
		})
		if _, err := m.Submit(ctx, queue.Job{ID: "a"}); err != nil {
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

// BenchmarkMemory is the whole way of a job whose solution takes no time.
func BenchmarkMemory(b *testing.B) {
	m := queue.NewMemory(1024, time.Hour)
	ctx, stop := context.WithCancel(b.Context())
	go m.Work(ctx, 2, func(context.Context, queue.Job, func(string, []byte)) queue.Outcome {
		return queue.Outcome{State: queue.Done}
	})
	defer stop()
	for b.Loop() {
		if _, err := m.Submit(ctx, queue.Job{ID: "a", Hidden: true}); err != nil {
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
