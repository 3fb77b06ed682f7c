package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rgm-go/rgm/serve/queue"
)

// heartbeat is how often a stream without events shows that it lives.
const heartbeat = 15 * time.Second

// doneEvent is the name of the last event of a stream; doneID is its id, after
// which nothing comes.
const (
	doneEvent = "done"
	doneID    = 1 << 52
)

// stream writes server-sent events. A client that does not read them is cut.
type stream struct {
	w          http.ResponseWriter
	controller *http.ResponseController
	patience   time.Duration
}

// send writes one piece of the stream.
func (s *stream) send(text []byte) error {
	s.controller.SetWriteDeadline(time.Now().Add(s.patience)) // where it is not supported the caller bounds it
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.controller.Flush()
}

// event writes an event; data is JSON, which has no line breaks.
func (s *stream) event(id int64, name string, data []byte) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "id: %d\nevent: %s\ndata: %s\n\n", id, name, data)
	return s.send(b.Bytes())
}

// events answers GET /v1/jobs/{id}/events. The stream ends with the job, when the
// client hangs up, or when the service has drained.
func (h *Handler) events(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	var after int64
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		var err error
		if after, err = strconv.ParseInt(last, 10, 64); err != nil {
			after = 0 // as the standard has it, ids are the server's own: start anew
		}
	}
	events, more, err := h.queue.Events(r.Context(), id, after)
	if err != nil {
		return err
	}
	if after >= doneID { // a browser comes back until it is told not to
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	s := &stream{w, http.NewResponseController(w), h.options.WriteTime}
	if s.send([]byte(": stream of job "+id+"\n\n")) != nil {
		return errHungUp
	}
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for {
		for _, e := range events {
			if s.event(e.Seq, e.Name, e.Data) != nil {
				return errHungUp
			}
			after = e.Seq
		}
		record, err := h.queue.Record(r.Context(), id)
		if err != nil {
			return nil // forgotten meanwhile
		}
		if record.State.Finished() {
			return h.lastEvents(s, r, id, after, record)
		}
		if !h.waitForMore(s, r, more, alive.C) {
			return errHungUp
		}
		if events, more, err = h.queue.Events(r.Context(), id, after); err != nil {
			return nil
		}
	}
}

// waitForMore returns when there is more to see, false when the stream is to end.
func (h *Handler) waitForMore(s *stream, r *http.Request, more <-chan struct{}, alive <-chan time.Time) bool {
	for {
		select {
		case <-more:
			return true
		case <-alive:
			if s.send([]byte(": alive\n\n")) != nil {
				return false
			}
		case <-r.Context().Done():
			return false
		case <-h.searches.Done():
			// What runs ends now; jobs of a durable queue go on elsewhere, and the
			// client comes back with Last-Event-ID.
			select {
			case <-more:
				return true
			case <-time.After(time.Second):
				return false
			}
		}
	}
}

// lastEvents writes what came between the last look and the end, and the event done.
func (h *Handler) lastEvents(s *stream, r *http.Request, id string, after int64, record queue.Record) error {
	if events, _, err := h.queue.Events(r.Context(), id, after); err == nil {
		for _, e := range events {
			if s.event(e.Seq, e.Name, e.Data) != nil {
				return errHungUp
			}
		}
	}
	data := record.Result
	if data == nil {
		data, _ = json.Marshal(failureProblem(record)) // a Problem can always be written
	}
	if s.event(doneID, doneEvent, data) != nil {
		return errHungUp
	}
	return nil
}
