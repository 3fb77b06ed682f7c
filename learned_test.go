package rgm_test

import (
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// planted returns a random graph of mean degree 4 and a copy of which a share of the edges is
// replaced by others, their alignment, and how many edges the truth shares.
func planted(t testing.TB, nodes int, noise float64, seed uint64) (g, noisy graphs.Graph, a compare.Alignment, shared int) {
	t.Helper()
	g = must.Get(networks.Generate("erdos-renyi", nodes, 4, seed))(t)
	noisy, truth := networks.Noise{Removed: noise, Replaced: true, Seed: seed}.Copy(g)
	a = must.Get(compare.Design{}.Alignment(t.Context(), g, noisy, nil))(t)
	return g, noisy, a, a.SharedEdges(truth)
}

// TestLearnedWhereNothingElseFindsTheWay: on random graphs with three tenths of the edges changed the
// pretrained model finds what was planted, where swaps alone stay far from it; and where they find
// the way it is not asked.
func TestLearnedWhereNothingElseFindsTheWay(t *testing.T) {
	limits := qap.Limits{MaxSteps: 1_500_000}
	g, noisy, p, shared := planted(t, 400, 0.3, 1)
	alone := must.Get(align.Solve(t.Context(), &p.Problem, align.Options{Limits: limits}))(t)
	found, err := rgmtest.Open(t).Match(t.Context(), &g, &noisy, rgm.Options{Method: rgm.MethodAlign, MaxSteps: limits.MaxSteps})
	if err != nil {
		t.Fatal(err)
	}
	if 100*found.SharedEdges < 99*shared || 100*alone.Shared > 90*shared {
		t.Errorf("%d edges shared, %d by searches alone; want 99 %% of the planted %d, and less than 90 %%", found.SharedEdges, alone.Shared, shared)
	}
	network := must.Get(propagation.Load(must.Get(pretrained.Model(pretrained.Align))(t)))(t)
	learned := network.Start()
	learned.Propose = nil // panics where it is asked
	_, _, p, shared = planted(t, 300, 0.05, 2)
	swaps, err := align.Solve(t.Context(), &p.Problem, align.Options{Limits: limits, Starts: []align.Start{learned}})
	if err != nil || swaps.Shared < shared {
		t.Errorf("little noise: %d edges shared, planted %d; error %v", swaps.Shared, shared, err)
	}
}
