package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/distances"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/serve/queue"
)

// Reasons of failures, besides those of package queue.
const (
	reasonInvalid = "invalid" // the solver refused the instance or its options
	reasonError   = "error"   // the solver failed
)

// worker solves the jobs of a queue.
type worker struct {
	solver   *rgm.Solver
	limits   rgm.Limits
	memory   *memory
	metrics  *metrics
	log      *slog.Logger
	searches context.Context // ends all searches, which then return their best
}

// solve solves a job.
func (w *worker) solve(ctx context.Context, job queue.Job, publish func(string, []byte)) queue.Outcome {
	w.metrics.queueSeconds.Observe(time.Since(job.Created).Seconds())
	w.metrics.running.Inc()
	defer w.metrics.running.Dec()
	wanted := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.searches, cancel)()
	result, err := w.search(ctx, job, publish)
	if errors.Is(err, context.Canceled) { // while the instance was read, or a block was measured
		if wanted.Err() == nil {
			return queue.Outcome{State: queue.Failed, Error: "the service stopped before there was a result", Reason: queue.ReasonStopped}
		}
		return queue.Outcome{State: queue.Cancelled}
	}
	if err != nil {
		return w.failure(job, err)
	}
	w.metrics.solveSeconds.Observe(result.seconds)
	w.metrics.steps.Add(float64(result.steps))
	w.metrics.evaluations.Add(float64(result.evaluations))
	text, err := json.Marshal(result.value)
	if err != nil {
		return w.failure(job, err)
	}
	state := queue.Done
	if result.status == qap.Cancelled {
		state = queue.Cancelled
	}
	return queue.Outcome{State: state, Result: text}
}

// outcome is the result of a search, or a distance.
type outcome struct {
	value              any
	status             qap.Status
	seconds            float64
	steps, evaluations int
}

// search searches the instance of a job, once there is memory for that.
func (w *worker) search(ctx context.Context, job queue.Job, publish func(string, []byte)) (outcome, error) {
	todo, read := job.Work.(*task)
	if !read {
		var err error
		if todo, err = w.read(ctx, job); err != nil {
			return outcome{}, err
		}
		defer w.memory.held.Release(min(todo.bytes, w.memory.held.all))
	}
	searching := min(todo.searchingBytes(), w.memory.work.all)
	if err := w.memory.work.Acquire(ctx, searching); err != nil {
		return outcome{}, err
	}
	defer w.memory.work.Release(searching)
	if todo.deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, todo.deadline)
		defer cancel()
	}
	reports := newReports(publish)
	defer reports.close()
	first := true
	start := time.Now()
	found := func(i rgm.Incumbent) {
		if first {
			w.metrics.firstIncumbent.Observe(time.Since(start).Seconds())
			first = false
		}
		reports.incumbent(i)
	}
	if todo.block != nil {
		o := distances.Options{TimeLimit: todo.distance.TimeLimit, MaxSteps: todo.distance.MaxSteps, Seed: todo.distance.Seed, Within: todo.distance.Within}
		r, err := todo.block.Measure(ctx, o)
		if err != nil {
			return outcome{}, err
		}
		return outcome{value: r, seconds: r.Seconds, steps: r.Steps}, nil
	}
	if todo.pair != nil {
		o := rgm.Options(*todo.distance)
		o.Name, o.OnBest = todo.pair.Name, found
		r, err := rgm.Distance(ctx, &todo.pair.Graphs[0], &todo.pair.Graphs[1], o)
		return outcome{value: r, status: r.Status, seconds: r.Seconds, steps: r.Steps}, ofDistance(err)
	}
	r, err := request.Search(ctx, todo.Problem, found)
	return outcome{r, r.Status, r.Seconds, r.Steps, r.Evaluations}, err
}

// read reads a job of a durable queue. The instance is held until the caller releases it.
func (w *worker) read(ctx context.Context, job queue.Job) (*task, error) {
	text, _ := job.Work.(queue.Bytes) // what there is besides tasks
	asked, err := request.DecodeRequest(text)
	if err != nil {
		return nil, err
	}
	reading := min(readingBytes(asked, w.limits), w.memory.work.all)
	if err := w.memory.work.Acquire(ctx, reading); err != nil {
		return nil, err
	}
	todo, err := newTask(ctx, w.solver, asked, w.limits)
	w.memory.work.Release(reading)
	if err != nil {
		return nil, err
	}
	return todo, w.memory.held.Acquire(ctx, min(todo.bytes, w.memory.held.all))
}

// failure returns how a job ends that has no result.
func (w *worker) failure(job queue.Job, err error) queue.Outcome {
	reason := reasonError
	err = request.AsError(err, "/instance")
	var wrong *request.Error
	if errors.As(err, &wrong) {
		reason = reasonInvalid
	} else {
		w.log.Error("a job failed", "job", job.ID, "error", err)
	}
	w.metrics.failures.WithLabelValues(reason).Inc()
	return queue.Outcome{State: queue.Failed, Error: err.Error(), Reason: reason}
}

const (
	reportEvery   = 100 * time.Millisecond // the least time between incumbents
	progressEvery = 10                     // of these between two of progress
)

// Progress says how far a search is.
type Progress struct {
	Elapsed   float64  `json:"elapsed" doc:"seconds since the search began"`
	Objective *float64 `json:"objective,omitempty" doc:"the best so far"`
	Steps     int      `json:"steps" doc:"steps when that was found"`
}

// reports publish incumbents as they are found, at most ten a second and then the
// latest, and once a second how far the search is.
type reports struct {
	publish func(string, []byte)
	start   time.Time
	stop    chan struct{}
	done    sync.WaitGroup

	mu     sync.Mutex
	best   *rgm.Incumbent
	unsent bool
	last   time.Time // when an incumbent was published
}

func newReports(publish func(string, []byte)) *reports {
	n := &reports{publish: publish, start: time.Now(), stop: make(chan struct{})}
	n.done.Go(n.run)
	return n
}

// run sends what incumbent held back, and progress.
func (n *reports) run() {
	ticker := time.NewTicker(reportEvery)
	defer ticker.Stop()
	for k := 1; ; k++ {
		select {
		case <-n.stop:
			return
		case <-ticker.C:
		}
		n.mu.Lock()
		n.flush()
		if k%progressEvery == 0 {
			n.progress()
		}
		n.mu.Unlock()
	}
}

// incumbent takes note of a better matching.
func (n *reports) incumbent(i rgm.Incumbent) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.best, n.unsent = &i, true
	if time.Since(n.last) >= reportEvery {
		n.flush()
	}
}

// flush publishes the incumbent unless it was.
func (n *reports) flush() {
	if !n.unsent {
		return
	}
	n.unsent, n.last = false, time.Now()
	if text, err := json.Marshal(n.best); err == nil {
		n.publish(queue.IncumbentEvent, text)
	}
}

func (n *reports) progress() {
	p := Progress{Elapsed: time.Since(n.start).Seconds()}
	if n.best != nil {
		p.Objective, p.Steps = &n.best.Objective, n.best.Steps
	}
	if text, err := json.Marshal(p); err == nil {
		n.publish(queue.ProgressEvent, text)
	}
}

// close publishes the last incumbent. The search is over.
func (n *reports) close() {
	close(n.stop)
	n.done.Wait()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.flush()
}
