package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/service"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/distances"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/serve/queue"
)

const (
	blocksInQueue = 64 // at a time
	mostAttempts  = 100
)

// allByQueue is distances.All by the workers of a durable queue. The same blocks are the same jobs: run again after it was
// killed, nothing is measured twice while its result is kept.
func (s *distanceSettings) allByQueue(ctx context.Context, c *console.Console, open service.QueueOpener, all *costs.Collection, known func(int) bool, report func([]distances.Pair) error) (err error) {
	q, err := open(ctx, c, s.NATS, s.Keep, s.Silence)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex // of next, and of report and what known tells
	knownNow := func(k int) bool { mu.Lock(); defer mu.Unlock(); return known(k) }
	next, stop := iter.Pull2(iter.Seq2[*distances.Block, error](distances.Blocks(all, knownNow, s.options())))
	defer stop()
	var making sync.Mutex
	var waiting sync.WaitGroup
	for range blocksInQueue {
		waiting.Go(func() {
			for ctx.Err() == nil {
				making.Lock()
				b, err, more := next()
				making.Unlock()
				if !more {
					return
				}
				var pairs []distances.Pair
				if err == nil {
					pairs, err = s.measured(ctx, q, b)
				}
				if err == nil {
					mu.Lock()
					err = report(pairs)
					mu.Unlock()
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	waiting.Wait()
	return context.Cause(ctx)
}

// measured returns the pairs of a block, once a worker has measured them.
func (s *distanceSettings) measured(ctx context.Context, q queue.Queue, b *distances.Block) ([]distances.Pair, error) {
	for attempt := range mostAttempts {
		job, err := serve.NewBlockJob(b, s.Search, attempt)
		if err != nil {
			return nil, err
		}
		r, err := submitted(ctx, q, job)
		if err == nil && !r.State.Finished() {
			r, err = q.Wait(ctx, job.ID)
		}
		switch {
		case err != nil:
			return nil, err
		case r.State == queue.Failed && r.Reason == queue.ReasonStopped:
			continue
		case r.Result == nil:
			return nil, fmt.Errorf("a block of pairs: %s: %s", r.State, r.Error)
		}
		var f distances.Found
		if err := json.Unmarshal(r.Result, &f); err != nil {
			return nil, err
		}
		return b.Pairs(&f)
	}
	return nil, fmt.Errorf("a block of pairs: %d workers stopped while they measured it", mostAttempts)
}

// submitted submits a job, as soon as the server is there and takes it.
func submitted(ctx context.Context, q queue.Queue, job queue.Job) (queue.Record, error) {
	for {
		r, err := q.Submit(ctx, job)
		if err == nil || errors.Is(err, queue.ErrConflict) {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, context.Cause(ctx)
		case <-time.After(time.Second):
		}
	}
}
