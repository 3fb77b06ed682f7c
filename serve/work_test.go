package serve_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/infer/request"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/serve"
	"github.com/rgm-go/rgm/serve/queue"
)

// TestWorkerMetrics: a worker without HTTP of its own shows how it fares, and is ready
// while it takes jobs; when it is to end, what runs returns its best in time.
func TestWorkerMetrics(t *testing.T) {
	q := queue.NewMemory(queue.MemoryOptions{})
	running := &atomic.Int64{}
	w := serve.NewWorker(openSolver(t, running), q, serve.Options{Workers: 1, Drain: 400 * time.Millisecond})
	handler := w.Handler()
	ask := func(path string) (int, string) {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		return answer.Code, answer.Body.String()
	}
	until := func(path string, status int, text string) {
		t.Helper()
		await(t, fmt.Sprintf("%s: %d with %q", path, status, text), func() bool {
			have, body := ask(path)
			return have == status && strings.Contains(body, text)
		})
	}
	until("/v2/health/ready", 503, "false")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Work(ctx) }()
	until("/v2/health/ready", 200, "true")
	for _, method := range []string{"tabu", "wait", "wait"} {
		r := request.Request{Format: "json", Body: []byte(`{"kind":"qaplib","name":"nug12"}`), Options: rgm.Options{Method: method, MaxSteps: 100}}
		job := must.Get(serve.NewJob(&r, serve.Options{}))(t)
		job.ID = rand.Text()
		if _, err := q.Submit(ctx, job); err != nil {
			t.Fatal(err)
		}
	}
	until("/metrics", 200, "rgm_solve_seconds_count 1\n")
	until("/metrics", 200, "rgm_jobs_running 1\n")
	until("/metrics", 200, "rgm_queue_length 1\n")
	stop()
	until("/v2/health/ready", 503, "false")
	if status, _ := ask("/v2/health/live"); status != 200 {
		t.Errorf("live while it ends: %d", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if status, _ := ask("/v1/solve"); status != 404 {
		t.Errorf("a worker answers a request to solve: %d", status)
	}
}
