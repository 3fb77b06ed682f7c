package main

import (
	"errors"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestEveryMethodSolves: whatever a method is called, it gives a complete
// assignment of an instance of QAPLIB, or says that it is for other instances.
func TestEveryMethodSolves(t *testing.T) {
	in := must.Get(qaplib.Open("chr12a"))(t)
	o := rgm.Options{Rollouts: 2, MaxSteps: 20, Threads: 1}
	for _, method := range search.MethodNames() {
		o.Method, o.Model = method, "qap"
		s := must.Get(search.New(t.Context(), console.Discard(), networks.ProviderGo, "", o))(t)
		r, err := s.Solve(t.Context(), in, o)
		if method == "align" { // whose matrices are graphs
			if !errors.Is(err, qap.ErrUnsupported) {
				t.Errorf("align: %v of dense matrices", err)
			}
		} else if err != nil || r.Matching.Size() != 12 || r.Status == qap.Cancelled {
			t.Errorf("%s: %+v, %v", method, r, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestGraphMethods: all but those that need flows and distances serve edges of two graphs, of any sizes.
func TestGraphMethods(t *testing.T) {
	path, ring := [][2]int{{0, 1}, {1, 2}, {2, 3}}, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}
	in := must.Get(qap.NewEdgePairs(4, 5, path, ring, nil, func(int, int, bool) float64 { return 1 }, qap.Maximize))(t)
	o := rgm.Options{Rollouts: 2, MaxSteps: 20, Threads: 1}
	for _, method := range search.MethodNames() {
		o.Method, o.Model = method, ""
		s := must.Get(search.New(t.Context(), console.Discard(), networks.ProviderGo, "", o))(t)
		_, err := s.Solve(t.Context(), in, o)
		if serves := !rgm.NeedsFlows(method) && method != "align"; serves != (err == nil) || err != nil && !errors.Is(err, qap.ErrUnsupported) {
			t.Errorf("%s: error %v, serves edges: %v", method, err, serves)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
