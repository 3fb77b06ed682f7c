package serve

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/serve/queue"
)

// Worker solves the jobs of a queue without answering requests for them.
type Worker struct {
	solver  *rgm.Solver
	queue   queue.Queue
	options Options
	metrics *metrics
	takes   atomic.Bool // whether it takes jobs
}

// NewWorker returns a worker that solves with p what waits in q. Of the options
// MaxNodes, Memory, Models, Workers, Drain, Version and Log count.
func NewWorker(p *rgm.Solver, q queue.Queue, o Options) *Worker {
	o = o.withDefaults()
	w := &Worker{solver: p, queue: q, options: o, metrics: newMetrics(o.Version)}
	w.metrics.watchQueue(func() float64 { return waiting(context.Background(), q) })
	return w
}

// Work tries every model, and then solves jobs, up to Options.Workers at a time, until ctx ends;
// those that then run return their best within Options.Drain.
func (w *Worker) Work(ctx context.Context) error {
	models, err := w.options.check()
	if err == nil {
		err = tryModels(ctx, w.solver, models)
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	searches, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() {
		w.takes.Store(false)
		select {
		case <-time.After(w.options.untilStop()):
			end()
		case <-searches.Done():
		}
	})()
	w.takes.Store(ctx.Err() == nil)
	defer w.takes.Store(false)
	jobs := &worker{solver: w.solver, limits: limitsOf(&w.options), memory: newMemory(&w.options), metrics: w.metrics, log: w.options.Log, searches: searches}
	return w.queue.Work(ctx, w.options.Workers, jobs.solve)
}

// Handler answers GET /metrics, /v2/health/live and /v2/health/ready, which is 503
// unless Work takes jobs. It needs no token: it tells of no instance.
func (w *Worker) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(w.metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /v2/health/live", func(a http.ResponseWriter, _ *http.Request) {
		writeJSON(a, http.StatusOK, Live{true})
	})
	mux.HandleFunc("GET /v2/health/ready", func(a http.ResponseWriter, _ *http.Request) {
		status := http.StatusOK
		if !w.takes.Load() {
			status = http.StatusServiceUnavailable
		}
		writeJSON(a, status, Ready{status == http.StatusOK})
	})
	return mux
}
