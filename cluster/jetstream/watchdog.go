package jetstream

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// watch looks for lost jobs and for results that have expired, now and then.
func (q *Queue) watch() {
	var suspects map[string]bool
	for {
		pause(q.life, q.options.Watchdog)
		if q.life.Err() != nil {
			return
		}
		q.stopWatching()
		err := q.checkFolder()
		if err != nil {
			q.options.Log.Error("what is submitted is refused", "error", err)
			continue
		}
		if suspects, err = q.requeue(suspects); err == nil {
			err = q.expire()
		}
		if err != nil && q.life.Err() == nil {
			q.options.Log.Warn("the watchdog could not look", "error", err)
		}
	}
}

// requeue queues the submissions that have no result, are not in the work queue, and
// were so already the last time; it returns those that are now.
func (q *Queue) requeue(before map[string]bool) (map[string]bool, error) {
	ctx, stop := context.WithTimeout(q.life, time.Minute)
	defer stop()
	// In this order: what is finished meanwhile is in the results.
	submitted, err := q.ids(ctx, "submitted")
	if err != nil {
		return nil, err
	}
	queued, err := q.ids(ctx, "jobs")
	if err != nil {
		return nil, err
	}
	finished, err := q.ids(ctx, "results")
	if err != nil {
		return nil, err
	}
	suspects := map[string]bool{}
	for id := range submitted {
		if queued[id] || finished[id] {
			continue
		}
		suspects[id] = true
		if before[id] {
			q.options.Log.Warn("a job was lost and is queued again", "job", id)
			if err := q.enqueue(ctx, id); err != nil {
				return nil, err
			}
		}
	}
	return suspects, nil
}

// ids returns the ids that a stream has a message of. The handle is its own, since
// Info writes to it without a lock.
func (q *Queue) ids(ctx context.Context, name string) (map[string]bool, error) {
	s, err := q.js.Stream(ctx, streamName(name))
	if err != nil {
		return nil, err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter("rgm."+name+".*"))
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		found[idOf(subject)] = true
	}
	return found, nil
}

// expire drops the jobs whose results were kept as long as those who submitted them
// said. The oldest come first; what is younger than our own Keep is not looked at.
func (q *Queue) expire() error {
	ctx, stop := context.WithTimeout(q.life, time.Minute)
	defer stop()
	for sequence := uint64(1); ; sequence++ {
		msg, err := q.results.GetMsg(ctx, sequence, jetstream.WithGetMsgSubject("rgm.results.*"))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil || time.Since(msg.Time) < q.options.Keep {
			return err
		}
		sequence = msg.Sequence
		id := idOf(msg.Subject)
		submission, err := last(ctx, q.submitted, "rgm.submitted."+id)
		if err != nil {
			return err
		}
		if submission != nil {
			keep, err := time.ParseDuration(submission.Header.Get(headerKeep))
			if err == nil && time.Since(msg.Time) < keep {
				continue
			}
		}
		if err := q.drop(ctx, id); err != nil {
			return err
		}
	}
}

// stopWatching drops the events of jobs at which nobody looked for a while.
func (q *Queue) stopWatching() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for id, w := range q.watched {
		if w.over(now) {
			w.feed.Wake() // who still waits looks again
			delete(q.watched, id)
		}
	}
}
