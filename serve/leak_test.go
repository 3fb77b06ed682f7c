package serve_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/serve"
)

// TestNothingIsLeftRunning: after clients that waited, watched, hung up, sent half a body
// or were refused, draining and closing leaves no goroutine.
func TestNothingIsLeftRunning(t *testing.T) {
	solver := openSolver(t, &atomic.Int64{})
	ended := usage.Goroutines(t)
	h := serve.NewHandler(solver, serve.Options{Workers: 4, Waiting: 16, Drain: 2 * time.Second})
	server := httptest.NewServer(h)
	transport := &http.Transport{}
	client := &http.Client{Transport: transport}
	ask := func(ctx context.Context, method, path string, body io.Reader) {
		request, err := http.NewRequestWithContext(ctx, method, server.URL+path, body)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header.Set("Content-Type", jsonType)
		if answer, err := client.Do(request); err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}
	body := func(method string) string {
		return `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"method":"` + method + `","time_limit":"20ms"}}`
	}
	var clients sync.WaitGroup
	for k := range 64 {
		clients.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(5+10*k)*time.Millisecond) // the first ones hang up
			defer cancel()
			switch k % 4 {
			case 0:
				ask(t.Context(), http.MethodPost, "/v1/solve", strings.NewReader(body("tabu")))
			case 1:
				ask(ctx, http.MethodPost, "/v1/solve", strings.NewReader(body("wait")))
			case 2:
				request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/jobs", strings.NewReader(body("wait")))
				request.Header.Set("Content-Type", jsonType)
				answer := httptest.NewRecorder()
				h.ServeHTTP(answer, request)
				ask(ctx, http.MethodGet, answer.Header().Get("Location")+"/events", nil)
			case 3:
				half, writer := io.Pipe()
				go func() {
					io.WriteString(writer, `{"instance":`)
					<-ctx.Done()
					writer.CloseWithError(io.ErrUnexpectedEOF)
				}()
				ask(ctx, http.MethodPost, "/v1/solve", half)
			}
		})
	}
	time.Sleep(300 * time.Millisecond) // all have asked; jobs of the method wait fill the workers and the queue
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := h.Drain(ctx); err != nil {
		t.Error(err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	clients.Wait()
	transport.CloseIdleConnections()
	server.Close()
	ended()
}
