package serve

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/qap"
)

// DistanceRequest is the body of POST /v1/distance.
type DistanceRequest struct {
	Instance request.Instance        `json:"instance" doc:"of kind graphs"`
	Distance request.DistanceOptions `json:"distance,omitempty" doc:"what edits cost, and how long to search for the cheapest"`
}

// distance answers POST /v1/distance.
func (h *Handler) distance(w http.ResponseWriter, r *http.Request) error {
	return h.answered(w, r, func(asked *request.Request, others fields) (any, error) { return h.measure(r, asked, others) }, "distance")
}

func (h *Handler) measure(r *http.Request, asked *request.Request, others fields) (any, error) {
	o, err := h.distanceOptions(others["distance"])
	if err != nil {
		return nil, err
	}
	both, err := asked.Pair(h.limits)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.searches, cancel)()
	bytes := measuringBytes(max(both.Graphs[0].Nodes, both.Graphs[1].Nodes))
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
	result, err := rgm.Distance(ctx, &both.Graphs[0], &both.Graphs[1], rgm.Options(*o))
	if err != nil {
		return nil, ofDistance(err)
	}
	if result.Status == qap.Cancelled && r.Context().Err() != nil {
		return nil, errHungUp
	}
	return result, nil
}

// distanceOptions reads the field distance of a request; text is nil where there is none.
func (h *Handler) distanceOptions(text []byte) (*request.DistanceOptions, error) {
	o := &request.DistanceOptions{}
	if text != nil {
		if err := (&request.Decoder{}).Decode(text, o, "/distance"); err != nil {
			return nil, err
		}
	}
	switch {
	case o.TimeLimit < 0 || o.TimeLimit > h.options.MaxTime:
		return nil, request.Invalid("/distance/time_limit", "%v: want 0, which is the default, to %v", o.TimeLimit, h.options.MaxTime)
	case o.Matchings > mostMatchings:
		return nil, request.Invalid("/distance/matchings", "%d: want at most %d", o.Matchings, mostMatchings)
	case o.Threads > 1:
		return nil, request.Invalid("/distance/threads", "%d: the service measures on one processor", o.Threads)
	}
	o.TimeLimit = cmp.Or(o.TimeLimit, h.options.DefaultTime)
	_, err := costs.Parse(o.Costs)
	if err != nil {
		err = request.Invalid("/distance/costs", "%v", err)
	}
	return o, err
}

// ofDistance is the problem of an error of rgm.Distance.
func ofDistance(err error) error {
	err = request.AsError(err, "/instance")
	if wrong, is := err.(*request.Error); is {
		wrong.Pointer = strings.Replace(wrong.Pointer, "/options", "/distance", 1)
	}
	return err
}

// measuringBytes returns about what graphs of so many nodes take while their distance is measured.
func measuringBytes(nodes int) int64 {
	n := int64(nodes + 1)
	return n * n * bytesOfPair
}

// bytesOfPair is about what a pair of nodes takes while a distance is measured; mostMatchings bounds a result.
const bytesOfPair, mostMatchings = 512, 1000
