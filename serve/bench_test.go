package serve_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rgm-go/rgm/serve"
)

// BenchmarkSolve is the whole way of a request whose search takes no time, without the
// network: what the service adds to each.
func BenchmarkSolve(b *testing.B) {
	h := serve.NewHandler(openSolver(b, &atomic.Int64{}), serve.Options{Workers: 1})
	defer h.Close()
	body := `{"instance":{"kind":"qaplib","name":"nug30"},"options":{"method":"tabu","max_steps":1}}`
	for b.Loop() {
		answer := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/v1/solve", strings.NewReader(body))
		request.Header.Set("Content-Type", jsonType)
		if h.ServeHTTP(answer, request); answer.Code != http.StatusOK {
			b.Fatal(answer.Body)
		}
	}
}
