package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/distances"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/serve/queue"
)

// maxEdgePairs bounds the pairs of edges that are compared, and maxComparisons the operations
// that compare nodes by their features and places: some seconds.
const maxEdgePairs, maxComparisons = 2_000_000, 1 << 30

// limitsOf returns what instances may ask of a service.
func limitsOf(o *Options) rgm.Limits {
	return rgm.Limits{Nodes: o.MaxNodes, EdgePairs: maxEdgePairs, Comparisons: maxComparisons}
}

// digestOf returns that of what Encode would return.
func digestOf(r *request.Request) (string, error) {
	head, err := json.Marshal(r)
	return queue.Digest(head, []byte("\n"), r.Body), err
}

// NewJob checks a request and returns the job of it, which any worker solves. The same
// instance and options are the same job. Of the options MaxNodes, DefaultTime and
// MaxTime count.
func NewJob(r *request.Request, o Options) (queue.Job, error) {
	o = o.withDefaults()
	if err := limitTime(r, o.DefaultTime, o.MaxTime); err != nil {
		return queue.Job{}, err
	}
	if err := r.Check(limitsOf(&o)); err != nil {
		return queue.Job{}, err
	}
	payload, err := r.Encode()
	return queue.Job{ID: queue.Digest(payload), Work: queue.Bytes(payload), Created: time.Now()}, err
}

// NewBlockJob returns the job of a block of distances, which any worker measures. After a worker that stopped, the same block is
// another job for another attempt.
func NewBlockJob(b *distances.Block, o request.DistanceOptions, attempt int) (queue.Job, error) {
	body, err := json.Marshal(b)
	if err != nil {
		return queue.Job{}, err
	}
	payload, err := (&request.Request{Block: true, Distance: &o, Body: body}).Encode()
	id := queue.Digest(payload)
	if attempt > 0 {
		id += "-" + strconv.Itoa(attempt)
	}
	return queue.Job{ID: id, Work: queue.Bytes(payload), Created: time.Now(), Hidden: true}, err
}

// newBlock reads a block of distances.
func newBlock(r *request.Request, limits rgm.Limits) (*task, error) {
	if r.Distance == nil {
		return nil, request.Invalid("/distance", "the options of a block are missing")
	}
	b, err := distances.ReadBlock(r.Body)
	if err != nil {
		return nil, request.Unreadable("%s", request.WithoutPackage(err))
	}
	if most := b.Part.MostNodes(); limits.Nodes > 0 && most > limits.Nodes {
		return nil, request.TooLarge("/block", "a graph of %d nodes: the limit is %d", most, limits.Nodes)
	}
	return &task{block: b, distance: r.Distance, bytes: perGraphByte * int64(len(r.Body))}, nil
}

// limitTime checks the time limit and the deadline, and fills in the default limit or, with max_steps
// alone, a deadline that changes nothing before it is reached.
func limitTime(r *request.Request, defaultTime, maxTime time.Duration) error {
	o := &r.Options
	if err := cmp.Or(checkTime("time_limit", o.TimeLimit, maxTime), checkTime("deadline", o.Deadline, maxTime)); err != nil {
		return err
	}
	if o.Threads > 1 {
		return request.Invalid("/options/threads", "%d: the service searches each instance on one processor", o.Threads)
	}
	switch {
	case o.TimeLimit != 0 || o.Deadline != 0:
	case o.MaxSteps > 0:
		r.Deadline = request.Duration(maxTime)
	default:
		o.TimeLimit = defaultTime
	}
	return nil
}

// checkTime returns the error of an option that is a time.
func checkTime(option string, limit, most time.Duration) error {
	switch {
	case limit < 0:
		return request.Invalid("/options/"+option, "%v: want 0, which is the default, or more", limit)
	case limit > most:
		return request.Invalid("/options/"+option, "%v is over this service's limit of %v", limit, most)
	}
	return nil
}

// task is a request that was read and checked: what is left is to search.
type task struct {
	*rgm.Problem
	pair     *request.Pair // to be measured, in place of a problem
	block    *distances.Block
	distance *request.DistanceOptions // of these
	deadline time.Duration            // 0 for none
	bytes    int64                    // that the instance takes

	digest  string // of the request, and what gives back the memory, in a queue of this process
	release func()
}

// Digest returns that of the request.
func (t *task) Digest() string { return t.digest }

// Release gives back the memory of the instance.
func (t *task) Release() { t.release() }

// perGraphByte is about how many bytes graphs take that have one in a body.
const perGraphByte = 8

// newTask reads the instance and checks the options against it, or returns the error of ctx where that
// ends first.
func newTask(ctx context.Context, s *rgm.Solver, r *request.Request, limits rgm.Limits) (*task, error) {
	if r.Block {
		return newBlock(r, limits)
	}
	if r.Distance != nil {
		both, err := r.Pair(limits)
		if err != nil {
			return nil, err
		}
		return &task{pair: both, distance: r.Distance, bytes: perGraphByte * int64(len(r.Body))}, nil
	}
	one := *r
	one.Options.Threads = 1 // workers share the processors
	p, err := one.Problem(ctx, s, limits)
	if err != nil {
		return nil, err
	}
	return &task{Problem: p, deadline: time.Duration(r.Deadline), bytes: sizeOf(p)}, nil
}
