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

// TestGraphMethodsKeepKnownPairs: every method of graphs has the known pairs in its matching, with a confidence of 1.
func TestGraphMethodsKeepKnownPairs(t *testing.T) {
	ring := func(n int) *graphs.Graph {
		g := &graphs.Graph{Nodes: n}
		for i := range n {
			g.Edges = append(g.Edges, graphs.Edge{I: min(i, (i+1)%n), J: max(i, (i+1)%n)})
		}
		return g
	}
	for _, method := range rgm.GraphMethods() {
		r, err := rgm.Match(t.Context(), ring(9), ring(9), rgm.Options{Method: method, MaxSteps: 10_000, Fix: []string{"1:7", "2:6"}})
		if err != nil || r.Matching[1] != 7 || r.Matching[2] != 6 || r.Confidence[1] != 1 || r.Matched != 9 || r.Aligned.SharedEdges != 9 && method != rgm.MethodGrampa {
			t.Errorf("%s: %v, %v", method, r.Matching, err)
		}
	}
}
