// Package batch is a run of rgm-cluster batch: the jobs of many instances, submitted and waited for.
package batch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/results"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/serve/queue"
)

// Options say what a Batch submits, and where its results go.
type Options struct {
	Out      string                                       // folder for the results
	MaxNodes int                                          // of a graph
	Request  func(qaplib.Input) (*request.Request, error) // what is to be solved of an input
}

// Batch is a run of rgm-cluster batch: inputs whose jobs others solve.
type Batch struct {
	console *console.Console
	options Options
	queue   queue.Queue
	inputs  []qaplib.Input
	files   []string // of the results of the inputs, in their order
	ids     []string // of the jobs of inputs that were submitted

	mu         sync.Mutex
	failed     int // inputs
	unfinished int // inputs whose jobs were not waited for to the end, since the run was told to stop
}

// New returns a run that has not begun.
func New(c *console.Console, q queue.Queue, o Options, inputs []qaplib.Input) *Batch {
	b := &Batch{console: c, options: o, queue: q, inputs: inputs, ids: make([]string, len(inputs))}
	fileName := results.Namer()
	for _, in := range inputs {
		b.files = append(b.files, filepath.Join(o.Out, fileName(InputName(in))))
	}
	return b
}

// batchTime bounds a search that only its steps limit.
const batchTime = 24 * time.Hour

const (
	submitters = 8               // instances that are read and submitted at a time
	collectors = 128             // jobs that are waited for at a time, which is a call of the server every other second each
	endingTime = 3 * time.Second // in which results that are there are fetched once the run was told to stop
)

// errUnfinished is that of a job whose result the run did not wait for to the end.
var errUnfinished = errors.New("stopped; the jobs go on in the queue: run the same command again to fetch their results")

// Run submits a job for each input and writes each result as it arrives. Once ctx has
// ended it writes those that are there already.
func (b *Batch) Run(ctx context.Context) error {
	ending, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(endingTime, end) })()
	submitted := make(chan int, len(b.inputs)) // room for all: nothing is submitted later because others are waited for
	var collecting sync.WaitGroup
	for range min(collectors, len(b.inputs)) {
		collecting.Go(func() {
			for k := range submitted {
				r, err := b.wait(ctx, ending, b.ids[k])
				b.settle(k, r, err)
			}
		})
	}
	b.submitAll(ctx, submitted)
	close(submitted)
	if jobs := len(slices.DeleteFunc(slices.Clone(b.ids), func(id string) bool { return id == "" })); jobs > 0 {
		b.console.Log.Info("jobs are in the queue and wait for rgm-cluster worker", "jobs", jobs)
	}
	collecting.Wait()
	b.console.Log.Info("batch", "instances", len(b.inputs), "failed", b.failed, "unfinished", b.unfinished)
	var failed, unfinished error
	if b.failed > 0 {
		failed = fmt.Errorf("%d of %d instances have no result", b.failed, len(b.inputs))
	}
	if b.unfinished > 0 {
		unfinished = errUnfinished
	}
	return errors.Join(failed, unfinished)
}

// submitAll submits a job for each input, and hands on those without a result yet.
func (b *Batch) submitAll(ctx context.Context, submitted chan<- int) {
	var submitting sync.WaitGroup
	next := make(chan int)
	for range submitters {
		submitting.Go(func() {
			for k := range next {
				r, err := b.submit(ctx, b.inputs[k])
				if err != nil || r.State.Finished() {
					b.settle(k, r, err)
					continue
				}
				b.ids[k] = r.ID
				submitted <- k
			}
		})
	}
	for k := range b.inputs {
		next <- k
	}
	close(next)
	submitting.Wait()
}

// submit submits the job of an input, which may have been known, with its result.
func (b *Batch) submit(ctx context.Context, in qaplib.Input) (queue.Record, error) {
	if ctx.Err() != nil {
		return queue.Record{}, errUnfinished
	}
	asked, err := b.options.Request(in)
	if err != nil {
		return queue.Record{}, err
	}
	job, err := serve.NewJob(asked, serve.Options{MaxNodes: b.options.MaxNodes, MaxTime: batchTime})
	if err != nil {
		return queue.Record{}, errorAt(in, err)
	}
	for { // until the server is there and takes it
		r, err := b.queue.Submit(ctx, job)
		switch {
		case err == nil || errors.Is(err, queue.ErrConflict):
			return r, err
		case ctx.Err() != nil:
			return r, errUnfinished
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// errorAt says in which file something is wrong: a request knows but the name of its
// instance.
func errorAt(in qaplib.Input, err error) error {
	if in.Embedded {
		return err
	}
	place, rest, found := strings.Cut(err.Error(), ":")
	if !found || place != InputName(in) {
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	return fmt.Errorf("%s:%s", in.Path, rest)
}

// InputName returns what the instance of an input is called.
func InputName(in qaplib.Input) string {
	base := filepath.Base(in.Path)
	if in.Embedded {
		return base
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// wait returns the record of a job once that is finished or, after the end of ctx, if it is.
func (b *Batch) wait(ctx, ending context.Context, id string) (queue.Record, error) {
	r, err := b.queue.Wait(ctx, id)
	if err == nil || ctx.Err() == nil {
		return r, err
	}
	r, err = b.queue.Record(ending, id)
	if err != nil || !r.State.Finished() {
		return r, errUnfinished
	}
	return r, nil
}

// settle writes the result of an input, or why there is none.
func (b *Batch) settle(k int, r queue.Record, err error) {
	if errors.Is(err, errUnfinished) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.unfinished++
		return
	}
	if err == nil && r.Result == nil {
		err = fmt.Errorf("%s: %s", r.State, r.Error)
	}
	name := InputName(b.inputs[k])
	if err == nil {
		err = results.WriteRaw(b.files[k], r.Result)
	} else {
		err = errors.Join(err, results.WriteFailure(b.files[k], report.Failure(name, err)))
	}
	if err != nil {
		b.console.Log.Error("no result", "instance", name, "error", err)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.failed++
	}
}
