package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/serve/queue"
)

// Job is what GET /v1/jobs/{id} answers.
type Job struct {
	ID       string              `json:"id"`
	Status   string              `json:"status" enum:"queued,running,done,failed,cancelled"`
	Created  time.Time           `json:"created"`
	Started  *time.Time          `json:"started,omitempty"`
	Finished *time.Time          `json:"finished,omitempty"`
	Links    Links               `json:"links"`
	Result   *rgm.Result         `json:"result,omitempty" doc:"of a job that is done or cancelled"`
	Distance *rgm.DistanceResult `json:"distance,omitempty" doc:"of one that measured a distance, in place of result"`
	Best     *rgm.Incumbent      `json:"best,omitempty" doc:"the best so far of a running job"`
	Error    string              `json:"error,omitempty" doc:"why a job failed"`
}

// Links are the addresses of a job.
type Links struct {
	Self   string `json:"self"`
	Status string `json:"status"`
	Events string `json:"events"`
}

// JobPage is what GET /v1/jobs answers.
type JobPage struct {
	Jobs []Job  `json:"jobs"`
	Next string `json:"next,omitempty" doc:"the address of the next page"`
}

// pageSize is how many jobs a page lists.
const pageSize = 50

// newJob returns a job as clients see it.
func newJob(r queue.Record) Job {
	self := "/v1/jobs/" + r.ID
	j := Job{ID: r.ID, Status: string(r.State), Created: r.Created.UTC(), Links: Links{self, self + "/status", self + "/events"}}
	j.Started, j.Finished = optionalTime(r.Started), optionalTime(r.Finished)
	if r.State == queue.Failed {
		j.Error = failureProblem(r).Detail
	}
	var distance rgm.DistanceResult
	var result rgm.Result
	switch {
	case r.Result == nil:
	case json.Unmarshal(r.Result, &distance) == nil && distance.Costs != "":
		j.Distance = &distance
	case json.Unmarshal(r.Result, &result) == nil:
		j.Result = &result
	}
	var best rgm.Incumbent
	if r.Best != nil && json.Unmarshal(r.Best, &best) == nil {
		j.Best = &best
	}
	return j
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// maxKey bounds an Idempotency-Key.
const maxKey = 255

// submit answers POST /v1/jobs.
func (h *Handler) submit(w http.ResponseWriter, r *http.Request) error {
	id := newID()
	if key := r.Header.Get("Idempotency-Key"); len(key) > maxKey {
		return request.Invalid("", "the Idempotency-Key has %d bytes: the limit is %d", len(key), maxKey)
	} else if key != "" {
		sum := sha256.Sum256([]byte(key))
		id = hex.EncodeToString(sum[:16])
	}
	if err := h.accept(w, r, id, false); err != nil {
		return err
	}
	record, err := h.queue.Record(r.Context(), id)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/jobs/"+id)
	return writeJSON(w, http.StatusAccepted, newJob(record))
}

// list answers GET /v1/jobs.
func (h *Handler) list(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	cursor := query.Get("cursor")
	query.Del("cursor")
	if err := unknownParameters(query); err != nil {
		return err
	}
	if _, err := queue.ParseCursor(cursor); err != nil {
		return request.Invalid("/cursor", "not the cursor of a page")
	}
	records, next, err := h.queue.Records(r.Context(), cursor, pageSize)
	if err != nil {
		return err
	}
	page := JobPage{Jobs: []Job{}}
	for _, record := range records {
		page.Jobs = append(page.Jobs, newJob(record))
	}
	if next != "" {
		page.Next = "/v1/jobs?cursor=" + next
	}
	return writeJSON(w, http.StatusOK, page)
}

// job answers GET /v1/jobs/{id}.
func (h *Handler) job(w http.ResponseWriter, r *http.Request) error {
	record, err := h.queue.Record(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, newJob(record))
}

// status answers GET /v1/jobs/{id}/status.
func (h *Handler) status(w http.ResponseWriter, r *http.Request) error {
	record, err := h.queue.Record(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	record.Result, record.Best = nil, nil
	return writeJSON(w, http.StatusOK, newJob(record))
}

// cancelTime is how long a cancelled search may take to hand over its best.
const cancelTime = 10 * time.Second

// cancel answers DELETE /v1/jobs/{id}.
func (h *Handler) cancel(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	record, err := h.queue.Record(r.Context(), id)
	if err != nil {
		return err
	}
	if record.State.Finished() {
		if err := h.queue.Forget(r.Context(), id); err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, newJob(record))
	}
	if err := h.queue.Cancel(r.Context(), id); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(r.Context(), cancelTime)
	defer stop()
	if record, err = h.queue.Wait(ctx, id); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, newJob(record))
}
