package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/serve"
)

// TestDistance: a path and a ring of four nodes are one edge apart; limits and graphs are checked.
func TestDistance(t *testing.T) {
	s := start(t, serve.Options{})
	const graphs = `{"instance":{"kind":"graphs","graph1":{"edges":[[0,1],[1,2],[2,3]]},"graph2":{"edges":[[0,1],[1,2],[2,3],[3,0]]}}`
	status, d := s.post("/v1/distance", graphs+`,"distance":{"path":true,"within":3,"seed":7}}`)
	if status != http.StatusOK || d["distance"] != 1.0 || d["lower_bound"].(float64) > 1 || d["within"] != true || len(d["path"].([]any)) != 8 {
		t.Errorf("%d %v", status, d)
	}
	if _, d = s.post("/v1/distance", graphs+`}`); d["status"] != "optimal" || d["costs"] != "uniform" {
		t.Errorf("%v", d)
	}
	for body, pointer := range map[string]string{
		graphs + `,"distance":{"costs":"chem3"}}`:                        "/distance/costs",
		graphs + `,"distance":{"costs":"a.toml"}}`:                       "/distance/costs",
		graphs + `,"distance":{"within":-1}}`:                            "/distance/within",
		graphs + `,"distance":{"time_limit":"999h"}}`:                    "/distance/time_limit",
		graphs + `,"distance":{"matchings":5000}}`:                       "/distance/matchings",
		graphs + `,"distance":{"paths":true}}`:                           "/distance/paths",
		`{"instance":{"kind":"qaplib","name":"nug12"}}`:                  "/instance",
		strings.Replace(graphs, `[3,0]`, `[3,3]`, 1) + `,"distance":{}}`: "/instance/graph2/edges/3",
	} {
		if status, p := s.post("/v1/distance", body); status != http.StatusUnprocessableEntity || p["pointer"] != pointer {
			t.Errorf("%s: %d %v", body, status, p)
		}
	}
}

// TestDistanceJob: a job of a distance has it as its own field, tells better ones with their bounds, and ends with its best.
func TestDistanceJob(t *testing.T) {
	s := start(t, serve.Options{})
	const graphs = `{"instance":{"kind":"graphs","graph1":{"edges":[[0,1],[1,2],[2,3]]},"graph2":{"edges":[[0,1],[1,2],[2,3],[3,0]]}}`
	ended := func(body string) map[string]any {
		t.Helper()
		status, j := s.post("/v1/jobs", body)
		if status != http.StatusAccepted {
			t.Fatalf("%d %v", status, j)
		}
		for j["status"] == "queued" || j["status"] == "running" {
			_, j = s.get("/v1/jobs/" + j["id"].(string))
		}
		return j
	}
	j := ended(graphs + `,"distance":{"costs":"[edges]\ninsert = 2.5","path":true,"time_limit":"10s"}}`)
	d, _ := j["distance"].(map[string]any)
	if j["status"] != "done" || j["result"] != nil || d["distance"] != 2.5 || d["status"] != "optimal" || d["costs"] != "own" {
		t.Errorf("%v", j)
	}
	if j = ended(graphs + `,"options":{"max_steps":10}}`); j["distance"] != nil || j["result"] == nil {
		t.Errorf("%v", j)
	}
	for body, pointer := range map[string]string{
		graphs + `,"distance":{"time_limit":"999h"}}`:                           "/distance/time_limit",
		graphs + `,"distance":{"threads":2}}`:                                   "/distance/threads",
		graphs + `,"distance":{"costs":"[edges]\ninsert = -1"}}`:                "/distance/costs",
		`{"instance":{"kind":"qap","a":[[0]],"b":[[0]]},"distance":{"path":1}}`: "/distance/path",
		`{"instance":{"kind":"qap","a":[[0]],"b":[[0]]},"distance":{}}`:         "/instance",
	} {
		if status, p := s.post("/v1/jobs", body); status != http.StatusUnprocessableEntity || p["pointer"] != pointer {
			t.Errorf("%s: %d %v", body, status, p)
		}
	}
	if status, p := s.post("/v1/solve", graphs+`,"distance":{}}`); status != http.StatusUnprocessableEntity || p["pointer"] != "/distance" {
		t.Errorf("%d %v", status, p)
	}
}
