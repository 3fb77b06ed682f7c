package jetstream_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cluster/jetstream"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
	"github.com/rgm-go/rgm/serve"
)

// service is one whose queue is durable.
type service struct {
	*testing.T
	handler *serve.Handler
	url     string
}

func start(t *testing.T, o serve.Options) *service {
	t.Helper()
	h := serve.NewHandler(openSolver(t), o)
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return &service{t, h, server.URL}
}

// call sends a request and returns the status and the decoded body.
func (s *service) call(method, path, body string) (int, map[string]any) {
	s.Helper()
	request := must.Get(http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body)))(s.T)
	request.Header.Set("Content-Type", "application/json")
	response := must.Get(http.DefaultClient.Do(request))(s.T)
	defer response.Body.Close()
	var fields map[string]any
	if err := json.NewDecoder(response.Body).Decode(&fields); err != nil {
		s.Fatal(err)
	}
	return response.StatusCode, fields
}

// submit submits nug12 and returns the id of the job.
func (s *service) submit(options string) string {
	s.Helper()
	status, job := s.call("POST", "/v1/jobs", `{"instance":{"kind":"qaplib","name":"nug12"},"options":`+options+`}`)
	if status != http.StatusAccepted {
		s.Fatalf("submit: %d %v", status, job)
	}
	return job["id"].(string)
}

// until waits for a status of a job.
func (s *service) until(id, want string) map[string]any {
	s.Helper()
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		_, job := s.call("GET", "/v1/jobs/"+id, "")
		if job["status"] == want {
			return job
		}
		if time.Since(begin) > time.Minute {
			s.Fatalf("waited a minute for job %s to be %s: %v", id, want, job)
		}
	}
}

// openSolver returns a portfolio with a method more, "wait", which goes on until it is cancelled, and
// those of crashes, which end the process.
func openSolver(t testing.TB) *rgm.Solver {
	t.Helper()
	return rgmtest.Open(t, func(c *rgm.Config) {
		c.Methods = append(c.Methods, rgm.Method{
			Name: "wait",
			Search: func(ctx context.Context, in *qap.Instance, _ qap.QFunction, o rgm.Search) (qap.Result, error) {
				r, err := tabu.Solver{}.Solve(ctx, in, qap.Options{Limits: qap.Limits{MaxSteps: 10}, Seed: o.Seed})
				if err == nil {
					o.OnBest(infer.Incumbent{Incumbent: qap.NewIncumbent(in, r.Matching, r.Score, r.Steps)})
					<-ctx.Done()
					r.Status = qap.Cancelled
				}
				return r, err
			},
		})
		for name, crash := range crashes {
			c.Methods = append(c.Methods, rgm.Method{
				Name: name,
				Search: func(ctx context.Context, _ *qap.Instance, _ qap.QFunction, _ rgm.Search) (qap.Result, error) {
					time.Sleep(300 * time.Millisecond) // so that others run beside it
					crash()
					<-ctx.Done()
					return qap.Result{}, ctx.Err()
				},
			})
		}
	})
}

// TestDrainLeavesTheDurableQueue: what runs returns its best, what waits is there for
// the next process.
func TestDrainLeavesTheDurableQueue(t *testing.T) {
	folder := "embedded:" + t.TempDir()
	q, err := jetstream.Open(t.Context(), folder, jetstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, serve.Options{Workers: 1, Drain: time.Second, Queue: q})
	if status, result := s.call("POST", "/v1/solve", `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"method":"tabu","max_steps":5000}}`); status != 200 || result["objective"] != 578.0 {
		t.Errorf("solved over the durable queue: %d %v", status, result)
	}
	running := s.submit(`{"method":"wait"}`)
	s.until(running, "running")
	waiting := s.submit(`{"method":"tabu","max_steps":100}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.handler.Drain(ctx); err != nil {
		t.Error(err)
	}
	if status, job := s.call("GET", "/v1/jobs/"+running, ""); status != 200 || job["status"] != "cancelled" || job["result"] == nil {
		t.Errorf("the running job: %d %v", status, job)
	}
	if err := s.handler.Close(); err != nil {
		t.Fatal(err)
	}

	if q, err = jetstream.Open(t.Context(), folder, jetstream.Options{}); err != nil {
		t.Fatal(err)
	}
	s = start(t, serve.Options{Workers: 1, Queue: q})
	if job := s.until(waiting, "done"); job["result"] == nil {
		t.Errorf("the waiting job, in the next process: %v", job)
	}
}

// TestDrainAnswersWhoWaitsForOthers: a request whose job no worker has solved when the
// service ends gets an answer, and the job is dropped.
func TestDrainAnswersWhoWaitsForOthers(t *testing.T) {
	q, err := jetstream.Open(t.Context(), "embedded:"+t.TempDir(), jetstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, serve.Options{Workers: serve.NoWorkers, Drain: 800 * time.Millisecond, Queue: q})
	statuses := make(chan int)
	go func() {
		status, _ := s.call("POST", "/v1/solve", `{"instance":{"kind":"qaplib","name":"nug12"}}`)
		statuses <- status
	}()
	for waiting := 0; waiting < 1; time.Sleep(5 * time.Millisecond) {
		if waiting, err = q.Waiting(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.handler.Drain(t.Context()); err != nil {
		t.Error(err)
	}
	select {
	case status := <-statuses:
		if status != 503 {
			t.Errorf("answered %d, want 503", status)
		}
	case <-time.After(time.Minute):
		t.Fatal("not answered")
	}
	if waiting, err := q.Waiting(t.Context()); waiting != 0 || err != nil {
		t.Errorf("%d jobs wait, %v", waiting, err)
	}
}
