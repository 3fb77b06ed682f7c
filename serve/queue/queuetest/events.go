package queuetest

import (
	"context"
	"testing"

	"github.com/rgm-go/rgm/serve/queue"
)

func eventsArrive(t *testing.T, b *bench) {
	proceed := make(chan struct{})
	b.work(1, func(_ context.Context, _ queue.Job, publish func(string, []byte)) queue.Outcome {
		publish(queue.IncumbentEvent, []byte("1"))
		publish(queue.ProgressEvent, []byte("old"))
		publish(queue.IncumbentEvent, []byte("2"))
		publish(queue.ProgressEvent, []byte("new"))
		<-proceed
		publish(queue.IncumbentEvent, []byte("3"))
		return queue.Outcome{State: queue.Done}
	})
	b.submit("a")
	if _, _, err := b.q.Events(b.ctx, "a", 0); err != nil { // a queue may collect only what is watched
		t.Fatal(err)
	}
	seen := collect(b, "a", func(seen []string) bool { return len(seen) > 0 && seen[len(seen)-1] == "new" })
	close(proceed)
	b.wait("a")
	events, changed, err := b.q.Events(b.ctx, "a", 0)
	if err != nil || len(events) == 0 || string(events[len(events)-1].Data) != "3" {
		t.Fatalf("events once finished: %v, %v", events, err)
	}
	select {
	case <-changed:
	case <-b.ctx.Done():
		t.Error("a finished job announces more events")
	}
	last := events[len(events)-1].Seq
	for k := 1; k < len(events); k++ {
		if events[k].Seq <= events[k-1].Seq {
			t.Errorf("sequence numbers do not grow: %v", events)
		}
	}
	if later, _, err := b.q.Events(b.ctx, "a", last); len(later) != 0 || err != nil {
		t.Errorf("after the last one: %v, %v", later, err)
	}
	if later, _, err := b.q.Events(b.ctx, "a", last-1); len(later) != 1 || err != nil {
		t.Errorf("after the last but one: %v, %v", later, err)
	}
	if len(seen) < 2 {
		t.Errorf("saw %v while it ran", seen)
	}
}

// collect follows the events of a job until enough says so.
func collect(b *bench, id string, enough func([]string) bool) []string {
	var seen []string
	for after := int64(0); !enough(seen); {
		events, changed, err := b.q.Events(b.ctx, id, after)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range events {
			seen, after = append(seen, string(e.Data)), e.Seq
		}
		if enough(seen) {
			break
		}
		select {
		case <-changed:
		case <-b.ctx.Done():
			b.Fatalf("saw only %v", seen)
		}
	}
	return seen
}
