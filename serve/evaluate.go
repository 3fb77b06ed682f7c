package serve

import (
	"errors"
	"net/http"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
)

// EvaluateRequest is the body of POST /v1/evaluate.
type EvaluateRequest struct {
	Instance request.Instance `json:"instance"`
	Options  rgm.Options      `json:"options,omitempty" doc:"complete counts, and for two graphs what decides whether they are aligned; the others do not"`
	Matching qap.Matching     `json:"matching" doc:"graph 2's node for each node of graph 1, from 0; -1 unmatched"`
}

// answered reads a request that is answered at once, and lets answer do that.
func (h *Handler) answered(w http.ResponseWriter, r *http.Request, answer func(*request.Request, fields) (any, error), more ...string) error {
	if h.draining.Load() {
		return problem(http.StatusServiceUnavailable, "the service is draining and takes no more work")
	}
	body := h.bodyReader(w, r)
	defer body.release()
	asked, others, err := h.readRequest(body, r, more...)
	if err != nil {
		return err
	}
	value, err := answer(asked, others)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, value)
}

// draw answers POST /v1/graphs.
func (h *Handler) draw(w http.ResponseWriter, r *http.Request) error {
	return h.answered(w, r, func(asked *request.Request, _ fields) (any, error) {
		bytes := readingBytes(asked, h.limits)
		if !h.memory.work.TryAcquire(bytes) {
			return nil, h.full("there is no memory for a picture: try again later")
		}
		defer h.memory.work.Release(bytes)
		return asked.Drawing(h.limits)
	})
}

// evaluate answers POST /v1/evaluate.
func (h *Handler) evaluate(w http.ResponseWriter, r *http.Request) error {
	return h.answered(w, r, func(asked *request.Request, others fields) (any, error) { return h.evaluation(r, asked, others) }, "matching")
}

func (h *Handler) evaluation(r *http.Request, asked *request.Request, others fields) (any, error) {
	if others["matching"] == nil {
		return nil, request.Invalid("/matching", "the matching is missing")
	}
	var m qap.Matching
	if err := (&request.Decoder{}).Decode(others["matching"], &m, "/matching"); err != nil {
		return nil, err
	}
	work, err := h.readTask(r.Context(), asked)
	if err != nil {
		return nil, err
	}
	e, err := work.Evaluate(m)
	if err != nil {
		var wrong *rgm.OptionError
		if errors.As(err, &wrong) {
			err = request.Invalid("/matching", "%s", wrong.Reason)
		}
		return nil, err
	}
	if work.Instance != nil && e.Objective != nil {
		e.BestKnown, e.GapPercent = qaplib.Compared(work.Instance, *e.Objective)
	}
	return e, nil
}
