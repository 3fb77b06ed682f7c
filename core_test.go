package rgm_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// halves returns two graphs that have all nodes of a random graph but some of each in common, in another order, and which is
// which.
func halves(t *testing.T, common, own int, seed uint64) (g1, g2 graphs.Graph, truth qap.Matching) {
	t.Helper()
	whole := must.Get(networks.Generate("erdos-renyi", common+2*own, 7, seed))(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	n := common + own
	at := [2][]int{rng.Perm(n), rng.Perm(n)}
	both := [2]*graphs.Graph{&g1, &g2}
	truth = qap.NewMatching(n)
	place := func(side, i int) int { // graph 1 has the common nodes and the next ones, graph 2 the common and the last
		if side == 1 && i >= common {
			i -= own
		}
		return at[side][i]
	}
	for side, g := range both {
		g.Nodes, g.Name = n, "ab"[side:side+1]
		for _, e := range whole.Edges {
			in := func(i int) bool { return i < common || (i < common+own) == (side == 0) }
			if in(e.I) && in(e.J) {
				i, j := place(side, e.I), place(side, e.J)
				g.Edges = append(g.Edges, graphs.Edge{I: min(i, j), J: max(i, j)})
			}
		}
	}
	for i := range common {
		truth[at[0][i]] = at[1][i]
	}
	return g1, g2, truth
}

// TestNodesOfTheirOwn: with leave_out most of what has no partner is left out of graphs with nodes of their own, and most
// right matches stay; without it nothing is. Of graphs that have the same nodes nearly nothing is left out.
func TestNodesOfTheirOwn(t *testing.T) {
	var matched, right, partners, wholeMatched, wholeRight, lost, same int
	for seed := range uint64(6) {
		g1, g2, truth := halves(t, 60, 20, seed+rand.Uint64N(1<<40))
		r := must.Get(rgm.Match(t.Context(), &g1, &g2, rgm.Options{MaxSteps: 100_000, LeaveOut: true}))(t)
		whole := must.Get(rgm.Match(t.Context(), &g1, &g2, rgm.Options{MaxSteps: 100_000}))(t)
		if found := whole.Matching.Right(truth); 4*found > 3*truth.Size() { // of a search that found little, little stays
			matched, right, partners = matched+r.Matched, right+r.Matching.Right(truth), partners+truth.Size()
			wholeMatched, wholeRight = wholeMatched+whole.Matched, wholeRight+found
		}
		if r.Matched != r.Matching.Size() || whole.LeftOut != 0 || whole.Matched != r.Matched+r.LeftOut {
			t.Errorf("%d matched of %d, %d left out without the option of %d", r.Matched, r.Matching.Size(), whole.LeftOut, whole.Matched)
		}
		for i, a := range r.Matching {
			if a == qap.Unmatched && (r.Sure[i] || r.Witnesses[i] != 0) {
				t.Errorf("node %d has no partner, and is told as sure or with %d witnesses", i, r.Witnesses[i])
			}
		}
		g := must.Get(networks.Generate("erdos-renyi", 60, 7, rand.Uint64()))(t)
		copied, _ := networks.Noise{Removed: 0.1, Seed: seed}.Copy(g)
		alike := must.Get(rgm.Match(t.Context(), &g, &copied, rgm.Options{MaxSteps: 100_000, LeaveOut: true}))(t)
		lost, same = lost+alike.LeftOut, same+alike.Matched
	}
	if right*wholeMatched < wholeRight*matched || matched > wholeMatched*95/100 || 100*right < 90*wholeRight {
		t.Errorf("%d of %d matches are right, of %d true ones; of all %d of %d", right, matched, partners, wholeRight, wholeMatched)
	}
	if 50*lost > same {
		t.Errorf("%d of %d matches of graphs with the same nodes are left out", lost, same)
	}
}

// TestLeaveOutBesideCounts: what says how many nodes are matched is refused beside leave_out.
func TestLeaveOutBesideCounts(t *testing.T) {
	g1, g2, _ := halves(t, 20, 5, 1)
	for _, o := range []rgm.Options{{Complete: true}, {Inliers: 5}, {Regularize: "f1"}, {Profile: true}, {Best: 2}, {Method: rgm.MethodWithin}} {
		o.LeaveOut = true
		var wrong *rgm.OptionError
		if _, err := rgm.Match(t.Context(), &g1, &g2, o); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v, want an error of an option", o, err)
		}
	}
}
