package serve

import (
	"cmp"
	"context"
	"net/http"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/table"
	"github.com/rgm-go/rgm/qap"
)

// DistanceRequest is the body of POST /v1/distance.
type DistanceRequest struct {
	Instance request.Instance    `json:"instance" doc:"of kind graphs"`
	Distance rgm.DistanceOptions `json:"distance,omitempty" doc:"what edits cost, and how long to search for the cheapest"`
}

// distance answers POST /v1/distance.
func (h *Handler) distance(w http.ResponseWriter, r *http.Request) error {
	return h.answered(w, r, func(asked *request.Request, others fields) (any, error) { return h.measure(r, asked, others) }, "distance")
}

func (h *Handler) measure(r *http.Request, asked *request.Request, others fields) (any, error) {
	var o rgm.DistanceOptions
	if others["distance"] != nil {
		if err := (&request.Decoder{Choices: table.Choices{"costs": costs.Names()}}).Decode(others["distance"], &o, "/distance"); err != nil {
			return nil, err
		}
	}
	if o.TimeLimit < 0 || o.TimeLimit > h.options.MaxTime {
		return nil, request.Invalid("/distance/time_limit", "%v: want 0, which is the default, to %v", o.TimeLimit, h.options.MaxTime)
	}
	if o.Matchings > mostMatchings {
		return nil, request.Invalid("/distance/matchings", "%d: want at most %d", o.Matchings, mostMatchings)
	}
	o.TimeLimit = cmp.Or(o.TimeLimit, h.options.DefaultTime)
	both, err := asked.Pair(h.limits)
	if err != nil {
		return nil, err
	}
	n := int64(max(both.Graphs[0].Nodes, both.Graphs[1].Nodes) + 1)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.searches, cancel)()
	bytes := n * n * bytesOfPair
	if bytes > h.memory.work.all {
		return nil, h.tooMuchMemory(bytes)
	}
	waiting, stop := context.WithTimeout(ctx, h.options.MaxTime)
	defer stop()
	busy := h.full("too many other requests are being served: try again later")
	if h.memory.work.Acquire(waiting, bytes) != nil {
		return nil, busy
	}
	defer h.memory.work.Release(bytes)
	if h.measuring.Acquire(waiting, 1) != nil {
		return nil, busy
	}
	defer h.measuring.Release(1)
	o.Name = both.Name
	result, err := rgm.Distance(ctx, &both.Graphs[0], &both.Graphs[1], o)
	if err != nil {
		return nil, request.Invalid("/instance", "%s", request.WithoutPackage(err))
	}
	if result.Status == qap.Cancelled && r.Context().Err() != nil {
		return nil, errHungUp
	}
	return result, nil
}

// bytesOfPair is about what a pair of nodes takes while a distance is measured; mostMatchings bounds a result.
const bytesOfPair, mostMatchings = 512, 1000
