package align_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// TestStarts: what a start proposes, as a matching or as candidates, on either order of the
// graphs, is gone on from; known pairs stay, its part of the time is limited, and its error is that of Solve.
func TestStarts(t *testing.T) {
	p, truth := generated(t, "erdos-renyi", 300, 4, networks.Noise{Removed: 0.3, Seed: 8})
	inverse := make(qap.Matching, len(truth))
	for i, j := range truth {
		inverse[j] = i
	}
	shared := p.SharedEdges(truth)
	for _, p := range []*align.Problem{p, {A: p.B, B: p.A}} {
		for name, propose := range map[string]func(m qap.Matching) align.Proposal{
			"matching": func(m qap.Matching) align.Proposal { return align.Proposal{Matching: m} },
			"candidates": func(m qap.Matching) align.Proposal {
				var all []align.Similar
				for i, j := range m {
					for d := range 3 {
						all = append(all, align.Similar{Pair: align.Pair{I: i, J: (j + 7*d) % len(m)}, Score: 5})
					}
				}
				return align.Proposal{Candidates: all}
			},
		} {
			start := align.Start{Name: name, Propose: func(ctx context.Context, q *align.Problem, _ qap.Matching, _ uint64, offer align.Offer) error {
				if left, limited := qap.Remaining(ctx); !limited || left > time.Minute/2 {
					t.Errorf("%v left of a minute, limited: %v", left, limited)
				}
				m := inverse // q is of fewer edges first, whatever the order of p
				if q.A.Edges() != p.Bound() {
					t.Errorf("the first graph of a start has %d edges, the other %d", q.A.Edges(), q.B.Edges())
				}
				if got, score := offer(propose(m)); got.Right(inverse) < 270 || score != q.Objective(got) {
					t.Errorf("%s: rounds made %d of 300 right, objective %v of %v", name, got.Right(inverse), score, q.Objective(got))
				}
				return nil
			}}
			r := solve(t, p, align.Options{Limits: qap.Limits{MaxSteps: 1, TimeLimit: time.Minute}, Starts: []align.Start{start}})
			if r.Shared < shared*98/100 || r.FoundBy != name {
				t.Errorf("%s: %d edges shared, the truth %d; found by %s", name, r.Shared, shared, r.FoundBy)
			}
		}
	}
	wrong := errors.New("no network")
	failing := align.Start{Name: "bad", Propose: func(context.Context, *align.Problem, qap.Matching, uint64, align.Offer) error { return wrong }}
	if _, err := align.Solve(t.Context(), p, align.Options{Starts: []align.Start{failing}}); !errors.Is(err, wrong) {
		t.Errorf("error %v, want %v", err, wrong)
	}
	p.Known = []align.Pair{{I: 0, J: truth[1]}}
	known := align.Start{Name: "known", Propose: func(_ context.Context, q *align.Problem, _ qap.Matching, _ uint64, offer align.Offer) error {
		if m, _ := offer(align.Proposal{Matching: inverse}); m[truth[1]] != 0 {
			t.Errorf("a start has changed a known pair to %d", m[truth[1]])
		}
		return nil
	}}
	solve(t, p, align.Options{Limits: qap.Limits{MaxSteps: 1}, Starts: []align.Start{known}})
}
