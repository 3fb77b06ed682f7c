package queue

import (
	"cmp"
	"container/list"
	"context"
	"strconv"
	"sync"
	"time"
)

// MemoryOptions bound a Memory. The zero value is ready for use.
type MemoryOptions struct {
	Waiting int           // jobs that may wait (64)
	Keep    time.Duration // how long finished jobs are kept (1h)
	Results int64         // bytes of finished jobs: results, events and 1 KiB each (256 MiB)
}

// withDefaults fills in what is 0.
func (o MemoryOptions) withDefaults() MemoryOptions {
	return MemoryOptions{cmp.Or(o.Waiting, 64), cmp.Or(o.Keep, time.Hour), cmp.Or(o.Results, DefaultResults)}
}

// DefaultResults is MemoryOptions.Results where that is 0.
const DefaultResults = 256 << 20

// maxKept bounds how many finished jobs Memory keeps, whatever Keep and Results say.
const maxKept = 10_000

// Memory is a queue within one process.
type Memory struct {
	options MemoryOptions

	mu       sync.Mutex
	jobs     map[string]*memoryJob
	order    list.List // *memoryJob by submission, without hidden ones
	waiting  []*memoryJob
	finished list.List     // *memoryJob by the time they finished
	bytes    int64         // of those that are not hidden
	pending  chan struct{} // holds a token while jobs wait
	last     int64
	stopped  bool
}

// memoryJob is a job with its record; Memory.mu guards it.
type memoryJob struct {
	job    Job
	digest string // of its work, which is dropped when it has finished
	seq    int64
	record Record
	feed   Feed
	events int64
	done   chan struct{}      // closed when finished
	cancel context.CancelFunc // while it runs
	asked  bool               // whether Cancel was called
	order  *list.Element      // of Memory.order
	ended  *list.Element      // of Memory.finished
	bytes  int64              // counted in Memory.bytes
}

// NewMemory returns an empty queue. Finished jobs are forgotten after Keep; beyond
// Results bytes, or 10,000 jobs, the oldest ones sooner.
func NewMemory(o MemoryOptions) *Memory {
	return &Memory{options: o.withDefaults(), jobs: map[string]*memoryJob{}, pending: make(chan struct{}, 1)}
}

// Submit appends a job, or returns the record of the same one.
func (m *Memory) Submit(_ context.Context, job Job) (Record, error) {
	digest := job.Work.Digest()
	m.mu.Lock()
	defer m.mu.Unlock()
	r, taken, err := m.submit(job, digest)
	if !taken {
		job.Work.Release()
	}
	return r, err
}

// submit appends a job and reports whether it did.
func (m *Memory) submit(job Job, digest string) (r Record, taken bool, err error) {
	m.expire()
	if known := m.jobs[job.ID]; known != nil {
		if known.digest != digest {
			return Record{}, false, ErrConflict
		}
		return known.summary(), false, nil
	}
	if m.stopped {
		return Record{}, false, ErrClosed
	}
	if len(m.waiting) >= m.options.Waiting {
		return Record{}, false, ErrFull
	}
	m.last++
	j := &memoryJob{
		job: job, digest: digest, seq: m.last, done: make(chan struct{}),
		record: Record{ID: job.ID, State: Queued, Created: job.Created},
	}
	m.jobs[job.ID] = j
	m.waiting = append(m.waiting, j)
	if !job.Hidden {
		j.order = m.order.PushBack(j)
	}
	m.signal()
	return j.summary(), true, nil
}

// signal tells one worker that jobs wait.
func (m *Memory) signal() {
	select {
	case m.pending <- struct{}{}:
	default:
	}
}

// summary returns the record with the last incumbent while there is no result.
func (j *memoryJob) summary() Record {
	r := j.record
	if r.State == Running {
		r.Best = j.feed.Best()
	}
	return r
}

// find returns a job that was not forgotten.
func (m *Memory) find(id string) (*memoryJob, error) {
	m.expire()
	j := m.jobs[id]
	if j == nil {
		return nil, ErrUnknown
	}
	return j, nil
}

// Record returns what is known of a job.
func (m *Memory) Record(_ context.Context, id string) (Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	j, err := m.find(id)
	if err != nil {
		return Record{}, err
	}
	return j.summary(), nil
}

// Records returns a page of jobs in the order of their submission.
func (m *Memory) Records(_ context.Context, cursor string, limit int) ([]Record, string, error) {
	after, err := ParseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	var page []Record
	last := after
	for e := m.order.Front(); e != nil; e = e.Next() {
		j := e.Value.(*memoryJob)
		if j.seq <= after {
			continue
		}
		if len(page) == limit {
			return page, strconv.FormatInt(last, 10), nil
		}
		r := j.record
		r.Result = nil
		page, last = append(page, r), j.seq
	}
	return page, "", nil
}

// ParseCursor reads the cursor of Records.
func ParseCursor(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil || n < 0 {
		return 0, ErrUnknown
	}
	return n, nil
}

// Events returns the events of a job after a sequence number, and a channel that is closed when there are more.
func (m *Memory) Events(_ context.Context, id string, after int64) ([]Event, <-chan struct{}, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	j, err := m.find(id)
	if err != nil {
		return nil, nil, err
	}
	see := j.feed.After
	if j.record.State.Finished() {
		see = j.feed.Rest
	}
	events, changed := see(after)
	return events, changed, nil
}

// Wait returns the record once the job is finished.
func (m *Memory) Wait(ctx context.Context, id string) (Record, error) {
	m.mu.Lock()
	j, err := m.find(id)
	m.mu.Unlock()
	if err != nil {
		return Record{}, err
	}
	select {
	case <-j.done:
		m.mu.Lock()
		defer m.mu.Unlock()
		return j.record, nil
	case <-ctx.Done():
		return Record{}, ctx.Err()
	}
}

// Cancel ends a job.
func (m *Memory) Cancel(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	j, err := m.find(id)
	if err != nil {
		return err
	}
	switch j.record.State {
	case Queued:
		m.dequeue(j)
		m.finish(j, Outcome{State: Cancelled})
	case Running:
		j.asked = true
		j.cancel()
	}
	return nil
}

// dequeue takes a job out of those that wait.
func (m *Memory) dequeue(j *memoryJob) {
	for k, other := range m.waiting {
		if other == j {
			m.waiting = append(m.waiting[:k], m.waiting[k+1:]...)
			return
		}
	}
}

// Forget drops a finished job.
func (m *Memory) Forget(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	j, err := m.find(id)
	if err != nil {
		return err
	}
	if !j.record.State.Finished() {
		return ErrBusy
	}
	m.forget(j)
	return nil
}

// Waiting returns how many jobs wait for a worker.
func (m *Memory) Waiting(context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.waiting), nil
}

// Stop takes no more jobs, and ends those that wait.
func (m *Memory) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
	for _, j := range m.waiting {
		m.finish(j, Outcome{State: Failed, Error: "the service stopped before the job began", Reason: ReasonStopped})
	}
	m.waiting = nil
}

// Close does nothing: the queue is memory.
func (m *Memory) Close() error { return nil }

// Work solves jobs, up to n at a time, until ctx ends.
func (m *Memory) Work(ctx context.Context, n int, solve Solve) error {
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-m.pending:
				}
				if j, jobCtx := m.take(ctx); j != nil {
					m.run(jobCtx, j, solve)
				}
			}
		})
	}
	workers.Wait()
	return nil
}

// take returns the job that waits longest, as running, and its context, which ends
// only with Cancel: to stop work is not to stop what runs.
func (m *Memory) take(ctx context.Context) (*memoryJob, context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.waiting) == 0 {
		return nil, nil
	}
	if ctx.Err() != nil {
		m.signal() // for other workers
		return nil, nil
	}
	j := m.waiting[0]
	m.waiting[0] = nil
	m.waiting = m.waiting[1:]
	if len(m.waiting) > 0 {
		m.signal()
	}
	jobCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel = cancel
	j.record.State, j.record.Started, j.record.Attempts = Running, time.Now(), 1
	j.feed.Wake()
	return j, jobCtx
}

func (m *Memory) run(ctx context.Context, j *memoryJob, solve Solve) {
	out := Solved(ctx, j.job, solve, func(name string, data []byte) {
		m.mu.Lock()
		defer m.mu.Unlock()
		j.events++
		j.feed.Add(Event{Seq: j.events, Name: name, Data: data})
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	j.cancel()
	if j.asked && out.State == Done {
		out.State = Cancelled
	}
	m.finish(j, out)
}

// finish stores how a job ended.
func (m *Memory) finish(j *memoryJob, out Outcome) {
	j.record.State, j.record.Result, j.record.Error, j.record.Reason = out.State, out.Result, out.Error, out.Reason
	j.record.Finished = time.Now()
	j.job.Work.Release()
	j.job.Work = nil
	j.ended = m.finished.PushBack(j)
	if !j.job.Hidden {
		j.bytes = j.size()
		m.bytes += j.bytes
	}
	close(j.done)
	j.feed.Wake()
	m.evict()
}
