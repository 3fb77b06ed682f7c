package serve_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/serve"
)

// TestDrain: 8 running and 20 queued; the running ones return their best in time,
// the queued ones are answered 503, and nothing is left running.
func TestDrain(t *testing.T) {
	ended := usage.GoroutinesBut(t, 60) // idle connections of the test's client have goroutines
	s := start(t, serve.Options{Workers: 8, Waiting: 20, Drain: time.Second})
	body := `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"method":"wait","time_limit":"50s"}}`
	statuses := make(chan int)
	results := make(chan map[string]any, 28)
	solve := func() {
		status, result := s.post("/v1/solve", body)
		statuses <- status
		results <- result
	}
	for want := range 28 { // one by one: more than 20 that wait for a worker would be refused
		go solve()
		s.await("so many running or queued", func() bool { return s.running.Load() >= int64(min(want+1, 8)) && s.queued(max(want+1-8, 0)) })
	}
	job := s.watchWhileDraining(t)
	count := map[int]int{}
	for range 28 {
		count[<-statuses]++
		if r := <-results; r["status"] != "cancelled" && r["status"] != 503.0 {
			t.Errorf("answered %v", r)
		}
	}
	if count[200] != 8 || count[503] != 20 {
		t.Errorf("answers by status: %v, want 8 of 200 and 20 of 503", count)
	}
	<-job
	if err := s.handler.Close(); err != nil {
		t.Error(err)
	}
	ended()
}

// queued reports whether n jobs wait, by the metrics.
func (s *service) queued(n int) bool {
	s.Helper()
	text := s.text("/metrics")
	return strings.Contains(text, "rgm_queue_length "+strconv.Itoa(n)+"\n")
}

// watchWhileDraining drains the service and returns what is closed afterwards.
func (s *service) watchWhileDraining(t *testing.T) <-chan struct{} {
	drained := make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(drained)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.handler.Drain(ctx); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took > 10*time.Second { // the searches would take 50 s; a busy machine wakes late
			t.Errorf("drained in %v, want 1s and a little", took)
		}
	}()
	s.await("the service to be ready no more", func() bool {
		status, _ := s.get("/v2/health/ready")
		return status == 503
	})
	if status, p := s.post("/v1/jobs", `{"instance":{"kind":"qaplib","name":"nug12"}}`); status != 503 {
		t.Errorf("new work while it drains: %d %v", status, p)
	}
	if status, _ := s.get("/v2/health/live"); status != 200 {
		t.Errorf("live while it drains: %d", status)
	}
	return drained
}
