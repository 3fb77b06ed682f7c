package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rgm-go/rgm/serve/queue"
)

// watched is a job whose events are collected here, since somebody looks at it.
type watched struct {
	feed  queue.Feed
	since time.Time // when it was last looked at
	ended bool      // whether there is a result
}

// over reports whether nobody has looked for a while, a shorter one where there is a result.
func (w *watched) over(now time.Time) bool {
	if w.ended {
		return now.Sub(w.since) > endedAfter
	}
	return now.Sub(w.since) > inactiveAfter
}

// unlook drops what is watched of a job that turned out to be none: ids are for anyone to
// invent.
func (q *Queue) unlook(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if w := q.watched[id]; w != nil {
		w.feed.Wake()
		delete(q.watched, id)
	}
}

// idOf returns the id that ends a subject.
func idOf(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// look returns what is watched of a job, and begins to watch it.
func (q *Queue) look(id string) *watched {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.watched[id]
	if w == nil {
		w = &watched{}
		q.watched[id] = w
	}
	w.since = time.Now()
	return w
}

// onEvent collects the event of a job that is watched. One without a name says that
// there is more to see.
func (q *Queue) onEvent(msg *nats.Msg) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.watched[idOf(msg.Subject)]
	var e queue.Event
	if w == nil || json.Unmarshal(msg.Data, &e) != nil {
		return
	}
	if e.Name == "" {
		w.feed.Wake()
		return
	}
	w.feed.Add(e)
}

// watchResults wakes those who wait, with every new result.
func (q *Queue) watchResults(ctx context.Context) error {
	consumer, err := q.results.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverNewPolicy, HeadersOnly: true,
	})
	if err != nil {
		return err
	}
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		q.mu.Lock()
		defer q.mu.Unlock()
		if w := q.watched[idOf(msg.Subject())]; w != nil {
			w.ended = true
			w.feed.Wake()
		}
	})
	if err != nil {
		return err
	}
	context.AfterFunc(q.life, consuming.Stop)
	return nil
}

// Events returns the events of a job after a sequence number, and a channel that is closed when there are more.
func (q *Queue) Events(ctx context.Context, id string, after int64) ([]queue.Event, <-chan struct{}, error) {
	if !queue.ValidID(id) {
		return nil, nil, queue.ErrUnknown
	}
	w := q.look(id)
	q.mu.Lock()
	events, changed := w.feed.After(after)
	q.mu.Unlock()
	r, err := q.Record(ctx, id) // after the channel was made: nothing is missed
	if err != nil {
		if errors.Is(err, queue.ErrUnknown) {
			q.unlook(id)
		}
		return nil, nil, err
	}
	if r.State.Finished() {
		q.mu.Lock()
		events, changed = w.feed.Rest(after)
		q.mu.Unlock()
	}
	return events, changed, nil
}

// poll is how often Wait looks for itself: a wake-up may be lost with a connection.
const poll = 2 * time.Second

// Wait returns the record once the job is finished.
func (q *Queue) Wait(ctx context.Context, id string) (queue.Record, error) {
	if !queue.ValidID(id) {
		return queue.Record{}, queue.ErrUnknown
	}
	for {
		w := q.look(id)
		q.mu.Lock()
		_, changed := w.feed.After(0)
		q.mu.Unlock()
		r, err := q.result(ctx, id)
		switch {
		case r != nil && err == nil:
			return *r, nil
		case ctx.Err() != nil:
			return queue.Record{}, ctx.Err()
		case err == nil:
			if _, err := q.Record(ctx, id); err != nil {
				if errors.Is(err, queue.ErrUnknown) {
					q.unlook(id)
				}
				return queue.Record{}, err
			}
		}
		select { // also after an error: the server may be starting anew
		case <-changed:
		case <-time.After(poll):
		case <-ctx.Done():
			return queue.Record{}, ctx.Err()
		}
	}
}
