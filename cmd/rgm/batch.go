package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/results"
	"github.com/rgm-go/rgm/cmd/rgm/internal/service"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/atomicfile"
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
and write each into DIR as rgm solve --out does: NAME.json. An INSTANCE is what it is
for rgm solve; a file holds one instance.

The same instance and options are the same job: killed and run again, nothing is
solved twice while its result is kept.`,
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
	jobs     []batchJob // of the inputs, in their order
}

// batchJob is the job of an input, or why there is none.
type batchJob struct {
	id  string
	err error
}

func runBatch(ctx context.Context, c *console.Console, s *batchSettings, args []string) (err error) {
	c.Apply(s.Log)
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
	b := &batch{console: c, settings: s, queue: q, inputs: inputs, jobs: make([]batchJob, len(inputs))}
	b.submitAll(ctx)
	return b.collect(ctx)
}

// submitters is how many instances are read and submitted at a time.
const submitters = 8

// submitAll submits a job for each input.
func (b *batch) submitAll(ctx context.Context) {
	var submitting sync.WaitGroup
	next := make(chan int)
	for range submitters {
		submitting.Go(func() {
			for k := range next {
				b.jobs[k] = b.submit(ctx, b.inputs[k])
			}
		})
	}
	for k := range b.inputs {
		next <- k
	}
	close(next)
	submitting.Wait()
}

func (b *batch) submit(ctx context.Context, in datasets.Input) batchJob {
	request, err := b.request(in)
	if err != nil {
		return batchJob{err: err}
	}
	job, err := request.Job(serve.Options{MaxNodes: b.settings.MaxNodes, MaxTime: batchTime})
	if err != nil {
		return batchJob{err: err}
	}
	for { // until the server is there and takes it
		_, err = b.queue.Submit(ctx, job)
		if err == nil || errors.Is(err, queue.ErrConflict) || ctx.Err() != nil {
			return batchJob{job.ID, err}
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
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

// collect waits for the results and writes them, in the order of the inputs.
func (b *batch) collect(ctx context.Context) error {
	fileName := results.Namer()
	failed := 0
	for k, in := range b.inputs {
		path := filepath.Join(b.settings.Out, fileName(inputName(in)))
		err := b.jobs[k].err
		if err == nil {
			err = b.fetch(ctx, b.jobs[k].id, path)
		}
		if err != nil {
			failed++
			b.console.Log.Error("no result", "instance", inputName(in), "error", err)
		}
	}
	b.console.Log.Info("batch", "instances", len(b.inputs), "failed", failed)
	if failed > 0 {
		return fmt.Errorf("%d of %d instances have no result", failed, len(b.inputs))
	}
	return nil
}

// fetch waits for the result of a job and writes it.
func (b *batch) fetch(ctx context.Context, id, path string) error {
	r, err := b.queue.Wait(ctx, id)
	if err != nil {
		return err
	}
	if r.Result == nil {
		return fmt.Errorf("%s: %s", r.State, r.Error)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(r.Result, '\n'))
		return err
	})
}
