package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rgm-go/rgm/serve/queue"
)

// begun is how often a worker began a job.
type begun struct {
	Count   int       `json:"count"`
	Started time.Time `json:"started"` // the last time
}

func (q *Queue) begun(ctx context.Context, id string) (b begun, err error) {
	msg, err := last(ctx, q.attempts, "rgm.attempts."+id)
	if err != nil || msg == nil {
		return b, err
	}
	return b, json.Unmarshal(msg.Data, &b)
}

// attempt is a job that runs here.
type attempt struct {
	cancel context.CancelFunc
	asked  bool // whether it was cancelled
}

// onCancel ends a job that runs here.
func (q *Queue) onCancel(msg *nats.Msg) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if a := q.running[idOf(msg.Subject)]; a != nil {
		a.asked = true
		a.cancel()
	}
}

// Work solves jobs, up to n at a time, until ctx ends.
func (q *Queue) Work(ctx context.Context, n int, solve queue.Solve) error {
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			for ctx.Err() == nil {
				msg, err := q.workers.Next(jetstream.FetchMaxWait(time.Second))
				switch {
				case err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages):
					pause(ctx, 200*time.Millisecond) // the server may be starting anew
				case err != nil || msg == nil:
				case ctx.Err() != nil:
					msg.Nak() // at once to another; unanswered it would follow after AckWait
				default:
					q.handle(ctx, msg, solve)
				}
			}
		})
	}
	workers.Wait()
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// handle solves the job of a message and acknowledges it once the result is stored.
// Where the server cannot be reached it leaves the job to the next delivery. The end of
// work ends no job that was begun.
func (q *Queue) handle(work context.Context, msg jetstream.Msg, solve queue.Solve) {
	id := idOf(msg.Subject())
	ctx := context.WithoutCancel(work)
	done, err := q.attempt(ctx, work, id, msg, solve)
	if err != nil {
		q.options.Log.Warn("a job is left to another attempt", "job", id, "error", err)
	}
	if !done {
		msg.NakWithDelay(time.Second)
		return
	}
	calling, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	msg.DoubleAck(calling) // unanswered it comes again, and its result is there
}

// sharedAttempts is how many attempts of a job may run beside other jobs. If its workers
// died each time, it may be what kills them: it then runs alone in its process, so that
// it takes no other job with it, and one that only ran beside such a job is solved.
const sharedAttempts = 2

// enter waits until a job may run here, beside others or alone, and reports whether that
// may have taken long.
func (q *Queue) enter(tries begun) (leave func(), waited bool) {
	if tries.Count >= sharedAttempts {
		q.alone.Lock()
		return q.alone.Unlock, true
	}
	if q.alone.TryRLock() {
		return q.alone.RUnlock, false
	}
	q.alone.RLock()
	return q.alone.RUnlock, true
}

// attempt solves a job unless it has a result; done says that it need not come again.
func (q *Queue) attempt(ctx, work context.Context, id string, msg jetstream.Msg, solve queue.Solve) (done bool, err error) {
	defer q.alive(msg)()
	calling, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	if r, err := q.result(calling, id); err != nil || r != nil {
		return r != nil, err
	}
	job, err := q.job(calling, id)
	if err != nil || job == nil {
		return err == nil, err // forgotten
	}
	tries, err := q.begun(calling, id)
	if err != nil {
		return false, err
	}
	if tries.Count >= maxAttempts {
		return true, q.giveUp(calling, queue.Record{ID: id, Created: job.Created}, tries)
	}
	leave, waited := q.enter(tries)
	defer leave()
	if work.Err() != nil {
		return false, nil // it waited until the end of work
	}
	calling, stop = context.WithTimeout(ctx, callTime)
	defer stop()
	if waited { // meanwhile another attempt may have ended, or the job been cancelled or forgotten
		if r, err := q.result(calling, id); err != nil || r != nil {
			return r != nil, err
		}
		if job, err := q.job(calling, id); err != nil || job == nil {
			return err == nil, err
		}
	}
	record := queue.Record{ID: id, Created: job.Created, Started: time.Now(), Attempts: tries.Count + 1}
	text, err := json.Marshal(begun{record.Attempts, record.Started})
	if err != nil {
		return false, err
	}
	if _, err := q.js.Publish(calling, "rgm.attempts."+id, text); err != nil {
		return false, err
	}
	out := q.solve(ctx, *job, record.Attempts, solve)
	record.State, record.Result, record.Error, record.Reason = out.State, out.Result, out.Error, out.Reason
	record.Finished = time.Now()
	return q.keepTrying(ctx, record)
}

// solve runs a job, which Cancel can end.
func (q *Queue) solve(ctx context.Context, job queue.Job, number int, solve queue.Solve) queue.Outcome {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := &attempt{cancel: cancel}
	q.mu.Lock()
	q.running[job.ID] = a
	q.mu.Unlock()
	sequence := int64(number) << 32
	publish := func(name string, data []byte) {
		sequence++
		if text, err := json.Marshal(queue.Event{Seq: sequence, Name: name, Data: data}); err == nil {
			q.connection.Publish("rgm.events."+job.ID, text) // a notice: the record is what counts
		}
	}
	publish("", nil) // it runs
	out := queue.Solved(ctx, job, solve, publish)
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.running, job.ID)
	if a.asked && out.State == queue.Done {
		out.State = queue.Cancelled
	}
	return out
}

// keepTrying stores a result; the server may be starting anew meanwhile.
func (q *Queue) keepTrying(ctx context.Context, r queue.Record) (done bool, err error) {
	for range 30 {
		calling, stop := context.WithTimeout(ctx, callTime)
		err = q.finish(calling, r)
		stop()
		if err == nil || q.life.Err() != nil {
			return err == nil, err
		}
		pause(q.life, time.Second)
	}
	return false, err
}

// giveUp ends a job whose workers died.
func (q *Queue) giveUp(ctx context.Context, r queue.Record, tries begun) error {
	r.State, r.Reason, r.Attempts, r.Started, r.Finished = queue.Failed, queue.ReasonAttempts, tries.Count, tries.Started, time.Now()
	r.Error = fmt.Sprintf("given up: %d workers began the job, and none lived to end it", tries.Count)
	q.options.Log.Error("a job is given up", "job", r.ID, "attempts", tries.Count)
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := q.js.Publish(ctx, "rgm.dead."+r.ID, text); err != nil && !refused(err) {
		return err
	}
	return q.finish(ctx, r)
}

// alive tells the server that a job is worked on, until the function it returns is
// called.
func (q *Queue) alive(msg jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(q.life)
	var telling sync.WaitGroup
	telling.Go(func() {
		for ctx.Err() == nil {
			pause(ctx, q.options.AckWait/3)
			if ctx.Err() == nil {
				msg.InProgress()
			}
		}
	})
	return func() { cancel(); telling.Wait() }
}
