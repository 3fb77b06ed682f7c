package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/serve/queue"
)

// Problem is the body of every error: application/problem+json, RFC 9457.
type Problem struct {
	Type    string `json:"type" doc:"always about:blank: the status says what kind of problem it is"`
	Title   string `json:"title" doc:"the name of the status"`
	Status  int    `json:"status" doc:"the HTTP status"`
	Detail  string `json:"detail" doc:"what is wrong and what would be right"`
	Pointer string `json:"pointer,omitempty" doc:"the field of the request that is wrong, as a JSON pointer (RFC 6901)"`

	retryAfter int      // seconds, where not 0
	allow      []string // methods, of 405
	reason     string   // for the metrics
}

// Error returns the detail, after the field.
func (p *Problem) Error() string {
	if p.Pointer == "" {
		return p.Detail
	}
	return p.Pointer + ": " + p.Detail
}

// problem returns the problem of a status.
func problem(status int, format string, args ...any) *Problem {
	return &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...),
		reason: strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_"),
	}
}

// statusOf has the status of each kind of request.Error.
var statusOf = map[request.Kind]int{
	request.KindInvalid: http.StatusUnprocessableEntity, request.KindType: http.StatusUnprocessableEntity,
	request.KindUnreadable: http.StatusBadRequest, request.KindTooLarge: http.StatusRequestEntityTooLarge,
}

// problemOf returns the problem of any error. What is not a client's business is
// told to the log alone.
func problemOf(err error) *Problem {
	var p *Problem
	var wrong *request.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &wrong):
		p = problem(statusOf[wrong.Kind], "%s", wrong.Detail)
		p.Pointer = wrong.Pointer
		return p
	case errors.Is(err, queue.ErrUnknown):
		return problem(http.StatusNotFound, "no such job, or its result has expired")
	case errors.Is(err, queue.ErrConflict):
		return problem(http.StatusConflict, "this Idempotency-Key was used with another body")
	case errors.Is(err, queue.ErrClosed):
		return problem(http.StatusServiceUnavailable, "the service is draining and takes no more work")
	case errors.Is(err, context.DeadlineExceeded):
		return problem(http.StatusServiceUnavailable, "the service did not answer in time")
	}
	return problem(http.StatusInternalServerError, "the service failed; its log says why, under this request's X-Request-Id")
}

// write answers a request with the problem.
func (p *Problem) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	if p.retryAfter > 0 {
		h.Set("Retry-After", fmt.Sprint(p.retryAfter))
	}
	if len(p.allow) > 0 {
		h.Set("Allow", strings.Join(p.allow, ", "))
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="rgm"`)
	}
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p) // an error means that the client is gone
}

// writeJSON answers a request.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n')) // an error means that the client is gone
	return nil
}
