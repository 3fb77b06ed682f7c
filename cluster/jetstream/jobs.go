package jetstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rgm-go/rgm/serve/queue"
)

// Headers of a submission.
const (
	headerDigest  = "Rgm-Digest"
	headerCreated = "Rgm-Created"
	headerHidden  = "Rgm-Hidden"
	headerKeep    = "Rgm-Keep" // Options.Keep of who submitted it
	headerBody    = "Rgm-Body" // name in the object store, where the payload lies there
)

// Submit stores the payload and then queues the id.
func (q *Queue) Submit(ctx context.Context, job queue.Job) (queue.Record, error) {
	if !queue.ValidID(job.ID) {
		return queue.Record{}, fmt.Errorf("jetstream: the id %q of a job: want letters, digits and hyphens", job.ID)
	}
	if err := q.checkFolder(); err != nil {
		return queue.Record{}, err
	}
	payload, is := job.Work.(queue.Bytes)
	if !is {
		return queue.Record{}, fmt.Errorf("jetstream: the job %s is %T: want bytes, which other processes read", job.ID, job.Work)
	}
	digest := payload.Digest()
	known, err := last(ctx, q.submitted, "rgm.submitted."+job.ID)
	if err != nil {
		return queue.Record{}, err
	}
	if known == nil {
		q.mu.Lock()
		stopped := q.stopped
		q.mu.Unlock()
		if stopped {
			return queue.Record{}, queue.ErrClosed
		}
		if waiting, err := q.Waiting(ctx); err != nil || waiting >= q.options.Waiting {
			return queue.Record{}, errors.Join(err, full(waiting >= q.options.Waiting))
		}
		q.look(job.ID)
		err := q.store(ctx, job, payload, digest)
		if !refused(err) {
			if folderErr := q.checkFolder(); folderErr != nil {
				return queue.Record{}, errors.Join(folderErr, err)
			}
			return queue.Record{ID: job.ID, State: queue.Queued, Created: job.Created}, err
		}
		if known, err = last(ctx, q.submitted, "rgm.submitted."+job.ID); err != nil || known == nil {
			return queue.Record{}, errors.Join(err, queue.ErrUnknown)
		}
	}
	if known.Header.Get(headerDigest) != digest {
		return queue.Record{}, queue.ErrConflict
	}
	return q.Record(ctx, job.ID)
}

func full(is bool) error {
	if is {
		return queue.ErrFull
	}
	return nil
}

// store writes a submission, and then queues it.
func (q *Queue) store(ctx context.Context, job queue.Job, payload []byte, digest string) error {
	msg := nats.NewMsg("rgm.submitted." + job.ID)
	msg.Header.Set(headerDigest, digest)
	msg.Header.Set(headerCreated, job.Created.Format(time.RFC3339Nano))
	msg.Header.Set(headerKeep, q.options.Keep.String())
	if job.Hidden {
		msg.Header.Set(headerHidden, "1")
	}
	msg.Data = payload
	if len(payload) > maxMessage {
		name := job.ID + "-" + digest
		if _, err := q.bodies.Put(ctx, jetstream.ObjectMeta{Name: name}, bytes.NewReader(payload)); err != nil {
			return err
		}
		msg.Header.Set(headerBody, name)
		msg.Data = nil
	}
	if _, err := q.js.PublishMsg(ctx, msg); err != nil {
		return err
	}
	return q.enqueue(ctx, job.ID)
}

// enqueue puts an id into the work queue unless it is there.
func (q *Queue) enqueue(ctx context.Context, id string) error {
	if _, err := q.js.Publish(ctx, "rgm.jobs."+id, nil); err != nil && !refused(err) {
		return err
	}
	return nil
}

// job returns a submission, nil if there is none.
func (q *Queue) job(ctx context.Context, id string) (*queue.Job, error) {
	msg, err := last(ctx, q.submitted, "rgm.submitted."+id)
	if err != nil || msg == nil {
		return nil, err
	}
	job := newJob(id, msg)
	if name := msg.Header.Get(headerBody); name != "" {
		payload, err := q.bodies.GetBytes(ctx, name)
		if errors.Is(err, jetstream.ErrObjectNotFound) { // forgotten meanwhile
			return nil, nil
		}
		job.Work = queue.Bytes(payload)
		return job, err
	}
	return job, nil
}

func newJob(id string, msg *jetstream.RawStreamMsg) *queue.Job {
	created, err := time.Parse(time.RFC3339Nano, msg.Header.Get(headerCreated))
	if err != nil {
		created = msg.Time
	}
	return &queue.Job{ID: id, Work: queue.Bytes(msg.Data), Created: created, Hidden: msg.Header.Get(headerHidden) != ""}
}

// result returns the record of a finished job, nil if it is not finished.
func (q *Queue) result(ctx context.Context, id string) (*queue.Record, error) {
	msg, err := last(ctx, q.results, "rgm.results."+id)
	if err != nil || msg == nil {
		return nil, err
	}
	r := &queue.Record{}
	return r, json.Unmarshal(msg.Data, r)
}

// Record returns what is known of a job.
func (q *Queue) Record(ctx context.Context, id string) (queue.Record, error) {
	if !queue.ValidID(id) { // in a subject, * and > would stand for the jobs of others
		return queue.Record{}, queue.ErrUnknown
	}
	r, err := q.result(ctx, id)
	if err != nil {
		return queue.Record{}, err
	}
	if r != nil {
		return *r, nil
	}
	msg, err := last(ctx, q.submitted, "rgm.submitted."+id)
	if err != nil {
		return queue.Record{}, err
	}
	if msg == nil {
		return queue.Record{}, queue.ErrUnknown
	}
	return q.unfinished(ctx, newJob(id, msg))
}

// unfinished returns the record of a job without a result.
func (q *Queue) unfinished(ctx context.Context, job *queue.Job) (queue.Record, error) {
	r := queue.Record{ID: job.ID, State: queue.Queued, Created: job.Created}
	begun, err := q.begun(ctx, job.ID)
	if err != nil || begun.Count == 0 {
		return r, err
	}
	r.State, r.Started, r.Attempts = queue.Running, begun.Started, begun.Count
	q.mu.Lock()
	defer q.mu.Unlock()
	if w := q.watched[job.ID]; w != nil {
		r.Best = w.feed.Best()
	}
	return r, nil
}

// Records returns a page of jobs in the order of their submission.
func (q *Queue) Records(ctx context.Context, cursor string, limit int) ([]queue.Record, string, error) {
	after, err := queue.ParseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	var page []queue.Record
	for sequence := uint64(after) + 1; ; sequence++ {
		msg, err := q.submitted.GetMsg(ctx, sequence, jetstream.WithGetMsgSubject("rgm.submitted.*"))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return page, "", nil
		}
		if err != nil {
			return nil, "", err
		}
		sequence = msg.Sequence
		if msg.Header.Get(headerHidden) != "" {
			continue
		}
		if len(page) == limit {
			return page, strconv.FormatUint(uint64(after), 10), nil
		}
		r, err := q.Record(ctx, idOf(msg.Subject))
		if errors.Is(err, queue.ErrUnknown) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		r.Result, r.Best = nil, nil
		page, after = append(page, r), int64(sequence)
	}
}

// Waiting returns how many jobs wait for a worker.
func (q *Queue) Waiting(ctx context.Context) (int, error) {
	// Handles of their own: Info writes to its handle without a lock. A job that ends between
	// both answers is not to count as one that waits.
	taken, err := q.js.Consumer(ctx, streamName("jobs"), consumerName)
	if err != nil {
		return 0, err
	}
	all, err := q.js.Stream(ctx, streamName("jobs"))
	if err != nil {
		return 0, err
	}
	return max(int(all.CachedInfo().State.Msgs)-taken.CachedInfo().NumAckPending, 0), nil
}

// cancelTime is how long a worker may take to end a job that is cancelled; then its
// result is written in its place, for it may be dead.
const cancelTime = 5 * time.Second

// Cancel ends a job.
func (q *Queue) Cancel(ctx context.Context, id string) error {
	r, err := q.Record(ctx, id)
	if err != nil || r.State.Finished() {
		return err
	}
	if r.State == queue.Queued {
		return q.cancelUnanswered(ctx, r)
	}
	if err := q.connection.Publish("rgm.cancel."+id, nil); err != nil {
		return err
	}
	q.tend.Go(func() {
		waiting, stop := context.WithTimeout(q.life, cancelTime)
		defer stop()
		if _, err := q.Wait(waiting, id); err == nil || q.life.Err() != nil {
			return
		}
		calling, stop := context.WithTimeout(q.life, callTime)
		defer stop()
		if err := q.cancelUnanswered(calling, r); err != nil {
			q.options.Log.Warn("a job is not cancelled", "job", id, "error", err)
		}
	})
	return nil
}

// cancelUnanswered writes the result of a job that no worker will.
func (q *Queue) cancelUnanswered(ctx context.Context, r queue.Record) error {
	r.State, r.Finished, r.Best = queue.Cancelled, time.Now(), nil
	if err := q.finish(ctx, r); err != nil {
		return err
	}
	return q.jobs.Purge(ctx, jetstream.WithPurgeSubject("rgm.jobs."+r.ID))
}

// finish stores a result, unless there is one.
func (q *Queue) finish(ctx context.Context, r queue.Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := q.js.Publish(ctx, "rgm.results."+r.ID, text); err != nil && !refused(err) {
		return err
	}
	return nil
}

// Forget drops a finished job.
func (q *Queue) Forget(ctx context.Context, id string) error {
	r, err := q.Record(ctx, id)
	if err != nil {
		return err
	}
	if !r.State.Finished() {
		return queue.ErrBusy
	}
	return q.drop(ctx, id)
}

// drop removes a finished job: the result last, so that what is half removed is not
// queued again.
func (q *Queue) drop(ctx context.Context, id string) error {
	msg, err := last(ctx, q.submitted, "rgm.submitted."+id)
	if err != nil {
		return err
	}
	for _, s := range []struct {
		stream jetstream.Stream
		name   string
	}{{q.submitted, "submitted"}, {q.jobs, "jobs"}, {q.attempts, "attempts"}} {
		if err := s.stream.Purge(ctx, jetstream.WithPurgeSubject("rgm."+s.name+"."+id)); err != nil {
			return err
		}
	}
	if msg != nil {
		if name := msg.Header.Get(headerBody); name != "" {
			if err := q.bodies.Delete(ctx, name); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
				return err
			}
		}
	}
	q.mu.Lock()
	delete(q.watched, id)
	q.mu.Unlock()
	return q.results.Purge(ctx, jetstream.WithPurgeSubject("rgm.results."+id))
}
