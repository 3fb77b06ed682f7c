// Package serve answers requests to solve instances over HTTP.
//
// NewHandler puts routes around a solver: POST /v1/solve waits for the result,
// POST /v1/jobs does not; docs/SERVE.md describes all of them, and the handler
// itself does at /openapi.json and /docs. Jobs wait in a queue.Queue: memory, or
// module cluster for many machines. Errors are of type Problem. Bodies,
// the queue, results and times are bounded, see Options.
package serve

import (
	"context"
	"errors"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/serve/queue"
)

// Handler is the service. It is ready once every model has solved an instance.
type Handler struct {
	options   Options
	solver    *rgm.Solver
	models    []Model
	queue     queue.Queue
	limits    rgm.Limits
	metrics   *metrics
	mux       *http.ServeMux
	choices   table.Choices
	measuring *semaphore.Weighted // distances, as many at a time as there are workers
	openAPI   schema
	page      page
	memory    *memory
	ready     atomic.Bool
	draining  atomic.Bool

	searches  context.Context // ends all searches
	end       context.CancelFunc
	last      context.Context // ends the requests that wait for results
	leave     context.CancelFunc
	stopWork  context.CancelFunc
	closeOnce sync.Once
	running   sync.WaitGroup // the work and the warm-up
}

// NewHandler returns a service that solves with p, whose Config.Model knows the
// Options.Models, and starts its workers. It panics where o.Check returns an error.
// Drain or Close ends it; p is closed afterwards, by who opened it.
func NewHandler(p *rgm.Solver, o Options) *Handler {
	models, err := o.check()
	if err != nil {
		panic(err)
	}
	o = o.withDefaults()
	h := &Handler{
		options: o, solver: p, models: models, queue: o.Queue, limits: limitsOf(&o), metrics: newMetrics(o.Version),
		memory: newMemory(&o), choices: choicesOf(p, models), page: newPage(o.Browser),
	}
	h.measuring = semaphore.NewWeighted(int64(max(o.Workers, 1)))
	if h.queue == nil {
		h.queue = queue.NewMemory(queue.MemoryOptions{Waiting: o.Waiting, Keep: o.Keep, Results: o.MaxResults})
	}
	h.searches, h.end = context.WithCancel(context.Background())
	h.last, h.leave = context.WithCancel(context.Background())
	work, stopWork := context.WithCancel(context.Background())
	h.stopWork = stopWork
	h.metrics.watchQueue(h.waiting)
	h.addRoutes()
	h.running.Go(h.warmUp)
	if o.Workers > 0 {
		w := &worker{solver: p, limits: h.limits, memory: h.memory, metrics: h.metrics, log: o.Log, searches: h.searches}
		h.running.Go(func() {
			if err := h.queue.Work(work, o.Workers, w.solve); err != nil {
				o.Log.Error("the queue failed", "error", err)
			}
		})
	}
	return h
}

// waiting returns the length of the queue, NaN where that is not known.
func (h *Handler) waiting() float64 { return waiting(h.searches, h.queue) }

func waiting(ctx context.Context, q queue.Queue) float64 {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	n, err := q.Waiting(ctx)
	if err != nil {
		return math.NaN()
	}
	return float64(n)
}

// warmUp tries every model, and then calls the service ready: it holds their files in
// memory and has opened them, so that they can be served whatever becomes of the folder.
func (h *Handler) warmUp() {
	if err := tryModels(h.searches, h.solver, h.models); err != nil {
		h.options.Log.Error("not ready", "error", err)
		return
	}
	h.ready.Store(true)
}

// Drain ends the service: it is not ready at once and takes no new work; searches
// that run may go on until Options.Drain is nearly over and then return their best;
// jobs of the memory queue that wait are answered 503, those of a durable one stay.
// It returns when all have ended, or when ctx ends.
func (h *Handler) Drain(ctx context.Context) error {
	h.draining.Store(true)
	h.queue.Stop()
	h.stopWork()
	defer time.AfterFunc(h.options.untilStop(), h.end).Stop()
	time.AfterFunc(h.options.untilLast(), h.leave) // also after Drain: who waits for other workers may until then
	ended := make(chan struct{})
	go func() {
		h.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		h.end() // also streams of jobs that wait in a durable queue
		return nil
	case <-ctx.Done():
		h.end()
		h.leave()
		return errors.New("serve: searches did not end in time")
	}
}

// Close ends all searches at once, waits for them and closes the queue.
func (h *Handler) Close() error {
	var err error
	h.closeOnce.Do(func() {
		h.draining.Store(true)
		h.queue.Stop()
		h.stopWork()
		h.end()
		h.running.Wait()
		h.leave()
		err = h.queue.Close()
	})
	return err
}

// full is the problem of a queue that takes nothing more, with an estimate of when
// it will.
func (h *Handler) full(detail string) *Problem {
	p := problem(http.StatusTooManyRequests, "%s", detail)
	p.retryAfter = 1
	if waiting := h.waiting(); waiting > 0 {
		p.retryAfter = max(1, min(int(waiting*h.options.DefaultTime.Seconds())/max(h.options.Workers, 1), 60))
	}
	return p
}
