package serve_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/serve"
)

func TestEvaluate(t *testing.T) {
	s := start(t, serve.Options{DefaultTime: 50 * time.Millisecond})
	const instance = `{"instance":{"kind":"qaplib","name":"nug12"},"matching":`
	_, e := s.post("/v1/evaluate", instance+`[11,6,8,2,3,7,10,0,4,5,9,1]}`) // QAPLIB's optimal solution
	if e["valid"] != true || e["objective"] != 578.0 || e["gap_percent"] != 0.0 || e["best_known"] != 578.0 {
		t.Errorf("the optimum: %v", e)
	}
	_, e = s.post("/v1/evaluate", instance+`[1,1,2,3,4,5,6,7,8,9,10,12]}`)
	if conflicts, _ := e["conflicts"].([]any); e["valid"] != false || len(conflicts) != 2 || e["objective"] != nil {
		t.Errorf("two conflicts: %v", e)
	}
	_, e = s.post("/v1/evaluate", instance+`[-1,0,1,2,3,4,5,6,7,8,9,10]}`)
	if e["valid"] != false || e["matched"] != 11.0 {
		t.Errorf("an incomplete matching: %v", e)
	}
	for range 2 { // read, and remembered
		_, e = s.post("/v1/evaluate", `{"instance":{"kind":"qap","name":"nug12","a":[[0,1],[1,0]],"b":[[0,3],[3,0]]},"matching":[0,1]}`)
		if e["objective"] != 6.0 || e["best_known"] != nil {
			t.Errorf("another instance of the name: %v", e)
		}
	}
	if status, p := s.post("/v1/evaluate", instance+`[0]}`); status != 422 || p["pointer"] != "/matching" {
		t.Errorf("too short: %d %v", status, p)
	}
}

func TestHealthAndModels(t *testing.T) {
	s := start(t, serve.Options{Version: "1.2.3"})
	s.await("the service to be ready", func() bool {
		status, ready := s.get("/v2/health/ready")
		return status == 200 && ready["ready"] == true
	})
	if status, live := s.get("/v2/health/live"); status != 200 || live["live"] != true {
		t.Errorf("live: %d %v", status, live)
	}
	if _, models := s.get("/v2/models"); len(models["models"].([]any)) != len(pretrained.Names()) {
		t.Errorf("models: %v", models)
	}
	if _, model := s.get("/v2/models/qap"); model["name"] != "qap" || model["inputs"] == nil {
		t.Errorf("model: %v", model)
	}
	for _, path := range []string{"/v2/models/nobody", "/v2/models/..%2f..%2fetc%2fpasswd", "/v2/models/../../etc/passwd", "/v2/models/qap%00"} {
		if status, p := s.get(path); status != 404 || p["status"] != 404.0 {
			t.Errorf("%s: %d %v, want 404", path, status, p)
		}
	}
	text := s.text("/metrics")
	for _, name := range []string{"rgm_requests_total{", "rgm_queue_length 0", `rgm_build_info{`, `version="1.2.3"`, "rgm_first_incumbent_seconds_count"} {
		if !strings.Contains(text, name) {
			t.Errorf("the metrics lack %s", name)
		}
	}
	for _, path := range []string{"/", "/docs", "/openapi.json"} {
		if status, _ := s.get(path); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
}

// TestWarmUpIsUntold: what becomes of the affinities while a service tries its models is not logged.
func TestWarmUpIsUntold(t *testing.T) {
	var told bytes.Buffer
	p := rgmtest.Open(t, func(c *rgm.Config) { c.Log = slog.New(slog.NewTextHandler(&told, nil)) })
	h := serve.NewHandler(p, serve.Options{})
	defer h.Close()
	await(t, "the service to be ready", func() bool {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/v2/health/ready", nil))
		return w.Code == http.StatusOK
	})
	if told.Len() > 0 {
		t.Errorf("before any request: %s", &told)
	}
}

// TestNegativeTime: the error says what would do, whatever form the time has.
func TestNegativeTime(t *testing.T) {
	s := start(t, serve.Options{})
	for _, limit := range []string{`-1`, `"-1s"`} {
		status, p := s.post("/v1/solve", `{"instance":{"kind":"qaplib","name":"nug12"},"options":{"time_limit":`+limit+`}}`)
		detail, _ := p["detail"].(string)
		if status != 422 || p["pointer"] != "/options/time_limit" || !strings.Contains(detail, "want 0") {
			t.Errorf("%s: %d %v", limit, status, p)
		}
	}
}

// TestModelsNobodyCanAskFor: a service is not started with a model that it could list and never
// serve.
func TestModelsNobodyCanAskFor(t *testing.T) {
	data := must.Get(os.ReadFile("../docs/vectors/ngm.onnx"))(t)
	err := serve.Options{Models: []serve.ModelFile{{Name: "soft", Data: data}}}.Check()
	if err == nil || !strings.Contains(err.Error(), "ngm is an architecture of rgm-lab") {
		t.Errorf("error %v", err)
	}
}
