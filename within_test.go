package rgm_test

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// TestMatchWithin: a path lies in a triangle, but not as an induced graph, of which the result has the proof.
func TestMatchWithin(t *testing.T) {
	path := &graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}}}
	triangle := &graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}}}
	r, err := rgm.Match(t.Context(), path, triangle, rgm.Options{Method: rgm.MethodWithin})
	if err != nil || r.Matched != 3 || r.Status != qap.Optimal || r.Aligned.SharedEdges != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = rgm.Match(t.Context(), path, triangle, rgm.Options{Method: rgm.MethodInduced})
	if err != nil || r.Matched != 0 || r.Status != qap.Optimal || !strings.Contains(r.Aligned.Why, "proved") {
		t.Errorf("%+v, %v", r, err)
	}
}
