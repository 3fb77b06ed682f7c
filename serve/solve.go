package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/serve/queue"
)

// SolveRequest is the body of POST /v1/solve and POST /v1/jobs.
type SolveRequest struct {
	Instance Instance     `json:"instance"`
	Options  SolveOptions `json:"options,omitempty"`
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
	defer body.release()
	request, _, err := h.readRequest(body, r)
	if err != nil {
		return err
	}
	in, err := h.readInstance(r.Context(), request)
	if err != nil {
		return err
	}
	if err := request.complete(in, h.options.DefaultTime, h.options.MaxTime); err != nil {
		return err
	}
	if err := h.checkOptions(&request.Options, in); err != nil {
		return err
	}
	payload, err := request.Encode()
	if err != nil {
		return err
	}
	_, err = h.queue.Submit(r.Context(), queue.Job{ID: id, Payload: payload, Created: time.Now(), Hidden: hidden})
	if errors.Is(err, queue.ErrFull) {
		return h.queueFull()
	}
	return err
}

// checkOptions returns the problem of options that the portfolio would refuse.
func (h *Handler) checkOptions(o *SolveOptions, in *qap.Instance) error {
	var names []string
	for _, m := range h.models {
		names = append(names, m.Name)
	}
	if o.Model != "" && !slices.Contains(names, o.Model) {
		return invalid("/options/model", "%q: want one of %s", o.Model, strings.Join(names, ", "))
	}
	affinities := append([]string{"", portfolio.AffinityGiven, portfolio.AffinityLearned}, names...)
	if !slices.Contains(affinities, o.Affinity) {
		return invalid("/options/affinity", "%q: want %s or %s", o.Affinity, portfolio.AffinityGiven, portfolio.AffinityLearned)
	}
	options, err := o.portfolio(in)
	if err == nil {
		err = asProblem(errors.Join(h.portfolio.Check(options), options.Options.Validate(in)))
	}
	return err
}

// queueFull is the problem of a queue in which no job may wait any more.
func (h *Handler) queueFull() *Problem {
	return h.full("the queue is full: try again later")
}

// readInstance reads the instance of a request, when it is its turn: what is read
// may be larger than its body. It takes as long as a search may.
func (h *Handler) readInstance(ctx context.Context, r *Request) (*qap.Instance, error) {
	limited, cancel := context.WithTimeout(ctx, h.options.MaxTime)
	defer cancel()
	defer context.AfterFunc(h.hurry, cancel)()
	over := func(p *Problem) error {
		switch {
		case ctx.Err() != nil:
			return errHungUp
		case h.hurry.Err() != nil:
			return queue.ErrClosed
		}
		return p
	}
	select {
	case h.reading <- struct{}{}:
	case <-limited.Done():
		return nil, over(h.full("too many other instances are being read: try again later"))
	}
	defer func() { <-h.reading }()
	in, err := r.instance(limited, h.limits)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil, over(tooLarge("/instance", "it takes more than %v to read, which is this service's limit for a search", h.options.MaxTime))
	}
	return in, err
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.hurry), cleanUp)
	defer cancel()
	h.queue.Forget(ctx, id) // what stays expires
}

// failureProblem returns the problem of a job that ended without a result.
func failureProblem(r queue.Record) *Problem {
	switch r.Reason {
	case reasonInvalid:
		return invalid("", "%s", r.Error)
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
