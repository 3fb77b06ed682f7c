package align_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// TestWithin: a lattice is found in a larger one, whichever is graph 1; a triangle is proved not to be there; and within
// a budget that is too small nothing is claimed.
func TestWithin(t *testing.T) {
	larger, _ := networks.Noise{Seed: rand.Uint64()}.Copy(lattice(20))
	small, large := structure(t, lattice(7)), structure(t, larger)
	for _, induced := range []bool{false, true} {
		for _, p := range []*align.Problem{{A: small, B: large}, {A: large, B: small}} {
			r, err := align.Within(t.Context(), p, align.Options{}, induced)
			if err != nil || r.Status != qap.Optimal || r.Shared != small.Edges() || r.Matching.Size() != small.Nodes() || r.Reason != "" {
				t.Errorf("induced %v: %+v, %v", induced, r, err)
			}
		}
	}
	triangle := structure(t, graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}}})
	p := &align.Problem{A: triangle, B: large}
	r, err := align.Within(t.Context(), p, align.Options{}, false)
	if err != nil || r.Status != qap.Optimal || r.Matching.Size() != 0 || !strings.Contains(r.Reason, "proved") {
		t.Errorf("a triangle in a lattice: %+v, %v", r, err)
	}
	p.A = small
	r, err = align.Within(t.Context(), p, align.Options{Limits: qap.Limits{MaxSteps: 500}}, false)
	if err != nil || r.Status != qap.MaxSteps || r.Matching.Size() != 0 || !strings.Contains(r.Reason, "may be there") {
		t.Errorf("within a small budget: %+v, %v", r, err)
	}
	if r, err = align.Within(t.Context(), p, align.Options{Limits: qap.Limits{TimeLimit: time.Minute}}, false); err != nil || r.Status != qap.Optimal {
		t.Errorf("within a minute: %+v, %v", r, err)
	}
}
