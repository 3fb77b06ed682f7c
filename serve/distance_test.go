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
