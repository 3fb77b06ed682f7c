package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/serve/queue"
)

// SolveRequest is the body of POST /v1/solve.
type SolveRequest struct {
	Instance request.Instance `json:"instance"`
	Options  rgm.Options      `json:"options,omitempty"`
}

// JobRequest is the body of POST /v1/jobs.
type JobRequest struct {
	SolveRequest
	Distance *request.DistanceOptions `json:"distance,omitempty" doc:"of two graphs: their edit distance is wanted, and these say what edits cost"`
}

// accept reads a request to solve and submits the job. Nothing is read where nothing can
// be taken; a job whose id is known needs no place.
func (h *Handler) accept(w http.ResponseWriter, r *http.Request, id string, hidden bool) error {
	if h.draining.Load() {
		return queue.ErrClosed
	}
	if h.options.Queue == nil && int(h.waiting()) >= h.options.Waiting {
		if _, err := h.queue.Record(r.Context(), id); err != nil {
			return h.queueFull()
		}
	}
	body := h.bodyReader(w, r)
	var may []string // hidden ones are those of /v1/solve
	if !hidden {
		may = []string{"distance"}
	}
	asked, others, err := h.readRequest(body, r, may...)
	if err == nil && others["distance"] != nil {
		asked.Distance, err = h.distanceOptions(others["distance"])
	}
	if err == nil {
		err = limitTime(asked, h.options.DefaultTime, h.options.MaxTime)
	}
	if err != nil {
		body.release()
		return err
	}
	work, err := h.readTask(r.Context(), asked)
	if err == nil && work.searchingBytes() > h.memory.work.all {
		err = h.tooMuchMemory(work.searchingBytes())
	}
	if err != nil {
		body.release()
		return err
	}
	job := queue.Job{ID: id, Work: work, Created: time.Now(), Hidden: hidden}
	if h.options.Queue == nil { // it stays in the process
		if work.digest, err = digestOf(asked); err != nil || !body.set(work.bytes) {
			body.release()
			return errors.Join(err, h.full("the instances of other requests fill the memory set aside for them"))
		}
		work.release = body.release
	} else {
		defer body.release()
		payload, err := asked.Encode()
		if err != nil {
			return err
		}
		job.Work = queue.Bytes(payload)
	}
	if _, err = h.queue.Submit(r.Context(), job); errors.Is(err, queue.ErrFull) {
		return h.queueFull()
	}
	return err
}

// queueFull is the problem of a queue in which no job may wait any more.
func (h *Handler) queueFull() *Problem {
	return h.full("the queue is full: try again later")
}

// readTask reads and checks a request, once there is memory for that. It takes as long as a search
// may.
func (h *Handler) readTask(ctx context.Context, r *request.Request) (*task, error) {
	bytes := readingBytes(r, h.limits)
	if bytes > h.memory.work.all {
		return nil, h.tooMuchMemory(bytes)
	}
	limited, cancel := context.WithTimeout(ctx, h.options.MaxTime)
	defer cancel()
	defer context.AfterFunc(h.searches, cancel)()
	over := func(p error) error {
		switch {
		case ctx.Err() != nil:
			return errHungUp
		case h.searches.Err() != nil:
			return queue.ErrClosed
		}
		return p
	}
	if h.memory.work.Acquire(limited, bytes) != nil {
		return nil, over(h.full("too many other instances are being read: try again later"))
	}
	defer h.memory.work.Release(bytes)
	work, err := newTask(limited, h.solver, r, h.limits)
	switch {
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return nil, over(request.TooLarge("/instance", "it takes more than %v to read, which is this service's limit for a search", h.options.MaxTime))
	}
	return work, err
}

// tooMuchMemory is the problem of an instance that is larger than the service can read or search.
func (h *Handler) tooMuchMemory(bytes int64) error {
	return request.TooLarge("/instance", "it may take %d MiB of memory, and this service's limit is %d MiB: send a smaller instance, or ask for fewer rollouts", bytes>>20, h.memory.work.all>>20)
}

// solve answers POST /v1/solve.
func (h *Handler) solve(w http.ResponseWriter, r *http.Request) error {
	id := newID()
	if err := h.accept(w, r, id, true); err != nil {
		return err
	}
	waiting, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(h.last, stop)()
	record, err := h.queue.Wait(waiting, id)
	if waiting.Err() != nil {
		h.abandon(id)
		if r.Context().Err() == nil {
			return queue.ErrClosed
		}
		return errHungUp
	}
	if err != nil {
		return err
	}
	h.forget(id)
	if record.Result == nil {
		return failureProblem(record)
	}
	return writeJSON(w, http.StatusOK, json.RawMessage(record.Result))
}

// errHungUp is that of a client that is gone: there is nobody to answer.
var errHungUp = errors.New("serve: the client hung up")

// cleanUp bounds what is done for clients that are gone.
const cleanUp = 30 * time.Second

// abandon cancels a job for whose result nobody waits any more, and drops it once it has
// ended, unless the service ends before.
func (h *Handler) abandon(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), cleanUp)
	defer cancel()
	if err := h.queue.Cancel(ctx, id); err != nil {
		return
	}
	defer context.AfterFunc(h.last, cancel)()
	if _, err := h.queue.Wait(ctx, id); err == nil {
		h.queue.Forget(ctx, id) // what stays expires
	}
}

// forget drops a job whose result its client has.
func (h *Handler) forget(id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.searches), cleanUp)
	defer cancel()
	h.queue.Forget(ctx, id) // what stays expires
}

// failureProblem returns the problem of a job that ended without a result.
func failureProblem(r queue.Record) *Problem {
	switch r.Reason {
	case reasonInvalid:
		return problem(http.StatusUnprocessableEntity, "%s", r.Error)
	case queue.ReasonAttempts:
		return problem(http.StatusInternalServerError, "%s", r.Error)
	case queue.ReasonStopped:
		return problem(http.StatusServiceUnavailable, "the service drains: the job was not begun")
	}
	if r.State == queue.Cancelled {
		return problem(http.StatusServiceUnavailable, "the job was cancelled before it had a matching")
	}
	return problem(http.StatusInternalServerError, "the solver failed; the service's log says why, under the job %s", r.ID)
}

// newID returns an id that nobody can guess.
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
