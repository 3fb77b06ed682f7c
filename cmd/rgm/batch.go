package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/report"
	"github.com/rgm-go/rgm/cmd/rgm/internal/results"
	"github.com/rgm-go/rgm/cmd/rgm/internal/service"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/serve/queue"
)

// batchSettings are the settings of rgm batch.
type batchSettings struct {
	Log        console.Settings `mapstructure:",squash"`
	NATS       string           `mapstructure:"nats"`
	Out        string           `mapstructure:"out"`
	Method     string           `mapstructure:"method"`
	Model      string           `mapstructure:"model"`
	TimeLimit  time.Duration    `mapstructure:"time-limit"`
	MaxSteps   int              `mapstructure:"max-steps"`
	Rollouts   int              `mapstructure:"rollouts"`
	Seed       uint64           `mapstructure:"seed"`
	Inliers    int              `mapstructure:"inliers"`
	Regularize string           `mapstructure:"regularize"`
	Affinity   string           `mapstructure:"affinity"`
	Complete   bool             `mapstructure:"complete"`
	N1         int              `mapstructure:"n1"`
	N2         int              `mapstructure:"n2"`
	Order      string           `mapstructure:"order"`
	Sense      string           `mapstructure:"sense"`
	MaxNodes   int              `mapstructure:"max-nodes"`
	Keep       time.Duration    `mapstructure:"keep"`
}

func newBatch(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "batch --nats ADDRESS --out DIR INSTANCE…",
		Short: "Solve many instances by the workers of a durable queue",
		Long: `Put instances into the durable queue that rgm worker solves, wait for the results,
and write each into DIR as it arrives, as rgm solve --out does: NAME.json, or
NAME.error.json where there is none. An INSTANCE is what it is for rgm solve; a file
holds one instance.

Told to stop (SIGINT, SIGTERM) it writes the results that are there; the other jobs go
on. The same instance and options are the same job: stopped or killed and run again,
nothing is solved twice while its result is kept.`,
		Example: `  rgm batch --nats nats://queue:4222 --out results --time-limit 10s problems`,
		Args:    settings.Arguments(cobra.MinimumNArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s batchSettings, args []string) error {
			return runBatch(cmd.Context(), c, &s, args)
		}),
	}
	flags := cmd.Flags()
	flags.String("nats", "", "`address` of the NATS server; several of a cluster, with commas")
	flags.String("out", "", "`folder` for the results")
	flags.String("method", "", "as of rgm solve")
	flags.String("model", "", "network, by the name that workers know")
	flags.Duration("time-limit", 0, "wall clock of a search (default 1s without --max-steps, else none)")
	flags.Int("max-steps", 0, "steps of a trajectory (default from the size)")
	flags.Int("rollouts", 0, "rollouts that advance together (default 8)")
	flags.Uint64("seed", 0, "every random choice comes from it")
	flags.Int("inliers", 0, "match this many nodes (default any number)")
	flags.String("regularize", "", "f(m) against outliers: none, f1, f2, f3, mean or mean:p (default none)")
	flags.String("affinity", "", "given or learned (default given)")
	addReadingShape(cmd)
	addLogFlags(cmd)
	flags.Int("max-nodes", 1000, "nodes of a graph")
	flags.Duration("keep", 24*time.Hour, "how long results stay in the queue")
	return cmd
}

// addReadingShape adds the flags that say how to read an affinity matrix.
func addReadingShape(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Int("n1", 0, "nodes of graph 1 of an affinity matrix (default from the number of vertices)")
	flags.Int("n2", 0, "nodes of graph 2")
	flags.String("order", "row", "vertices of an affinity matrix: row or col")
	flags.String("sense", "max", "whether an affinity matrix is maximised (max) or minimised (min)")
	flags.Bool("complete", false, "match min(n1,n2) nodes (always for .dat)")
}

// batchTime bounds a search that only its steps limit.
const batchTime = 24 * time.Hour

// batch is a run of rgm batch.
type batch struct {
	console  *console.Console
	settings *batchSettings
	queue    queue.Queue
	inputs   []datasets.Input
	files    []string // of the results of the inputs, in their order
	ids      []string // of the jobs of inputs that were submitted

	mu         sync.Mutex
	failed     int // inputs
	unfinished int // inputs whose jobs were not waited for to the end, since the run was told to stop
}

func runBatch(ctx context.Context, c *console.Console, s *batchSettings, args []string) (err error) {
	c.ApplyTimed(s.Log)
	inputs, expandErr := datasets.Expand(args)
	errs := []error{s.Log.Check(), checkServer(s.NATS), expandErr}
	if s.Out == "" {
		errs = append(errs, errors.New("--out is missing: want a folder for the results"))
	}
	if err := settings.Usage(errs...); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Out, 0o777); err != nil {
		return err
	}
	q, err := service.OpenQueue(ctx, c, s.NATS, s.Keep)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	return batchOf(c, s, q, inputs).run(ctx)
}

func batchOf(c *console.Console, s *batchSettings, q queue.Queue, inputs []datasets.Input) *batch {
	b := &batch{console: c, settings: s, queue: q, inputs: inputs, ids: make([]string, len(inputs))}
	fileName := results.Namer()
	for _, in := range inputs {
		b.files = append(b.files, filepath.Join(s.Out, fileName(inputName(in))))
	}
	return b
}

const (
	submitters = 8               // instances that are read and submitted at a time
	collectors = 128             // jobs that are waited for at a time, which is a call of the server every other second each
	endingTime = 3 * time.Second // in which results that are there are fetched once the run was told to stop
)

// errUnfinished is that of a job whose result the run did not wait for to the end.
var errUnfinished = errors.New("stopped; the jobs go on in the queue: run the same command again to fetch their results")

// run submits a job for each input and writes each result as it arrives. Once ctx has
// ended it writes those that are there already.
func (b *batch) run(ctx context.Context) error {
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
func (b *batch) submitAll(ctx context.Context, submitted chan<- int) {
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
func (b *batch) submit(ctx context.Context, in datasets.Input) (queue.Record, error) {
	if ctx.Err() != nil {
		return queue.Record{}, errUnfinished
	}
	request, err := b.request(in)
	if err != nil {
		return queue.Record{}, err
	}
	job, err := request.Job(serve.Options{MaxNodes: b.settings.MaxNodes, MaxTime: batchTime})
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
func errorAt(in datasets.Input, err error) error {
	if in.Embedded {
		return err
	}
	place, rest, found := strings.Cut(err.Error(), ":")
	if !found || place != inputName(in) {
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	return fmt.Errorf("%s:%s", in.Path, rest)
}

// request returns what is to be solved of an input.
func (b *batch) request(in datasets.Input) (*serve.Request, error) {
	s := b.settings
	r := &serve.Request{Options: serve.SolveOptions{
		Method: s.Method, Model: s.Model, TimeLimit: serve.Duration(s.TimeLimit), MaxSteps: s.MaxSteps, Rollouts: s.Rollouts,
		Seed: s.Seed, Inliers: s.Inliers, Regularize: s.Regularize, Affinity: s.Affinity, Complete: s.Complete,
	}}
	var err error
	if in.Embedded {
		r.Format = "json"
		r.Body, err = json.Marshal(serve.Instance{Kind: "qaplib", Name: in.Path})
		return r, err
	}
	extension := filepath.Ext(in.Path)
	r.Format, r.Name = strings.TrimPrefix(extension, "."), inputName(in)
	r.N1, r.N2, r.Order, r.Sense = s.N1, s.N2, s.Order, s.Sense
	r.Body, err = os.ReadFile(in.Path)
	return r, err
}

// inputName returns what the instance of an input is called.
func inputName(in datasets.Input) string {
	base := filepath.Base(in.Path)
	if in.Embedded {
		return base
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// wait returns the record of a job once that is finished or, after the end of ctx, if it is.
func (b *batch) wait(ctx, ending context.Context, id string) (queue.Record, error) {
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
func (b *batch) settle(k int, r queue.Record, err error) {
	if errors.Is(err, errUnfinished) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.unfinished++
		return
	}
	if err == nil && r.Result == nil {
		err = fmt.Errorf("%s: %s", r.State, r.Error)
	}
	name := inputName(b.inputs[k])
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
