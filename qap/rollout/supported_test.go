package rollout_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// syntheticPairs are the paper's, in a random order.
func syntheticPairs(t *testing.T, count, outliers int) []pairs.Pair {
	t.Helper()
	return must.Get(pairs.Relabelled(pairs.Synthetic{Inliers: 10, Outliers: outliers, Noise: 0.05, Count: count, Affinity: affinities.PaperSynthetic}.Set(), 7).All())(t)
}

// TestSupportedStartsFindWhatEmptyOnesCannot: without revoking, greedy from the empty matching
// begins at any match, since edge affinities alone say nothing of the first one.
func TestSupportedStartsFindWhatEmptyOnesCannot(t *testing.T) {
	f1 := map[rollout.Start]float64{}
	all := syntheticPairs(t, 12, 1)
	for _, p := range all {
		for _, start := range []rollout.Start{rollout.StartEmpty, rollout.StartSupported} {
			s := rollout.Solver{Policy: rollout.Greedy{}, Rollouts: 4, Start: start, Rules: qap.EnvironmentOptions{Irrevocable: true, Goal: qap.Goal{Inliers: 10}}}
			r := must.Get(s.Solve(context.Background(), p.Instance, qap.Options{}))(t)
			if r.Matching.Size() != 10 {
				t.Fatalf("start %d: %d matches, want 10", start, r.Matching.Size())
			}
			f1[start] += p.Judge(r.Matching).F1 / float64(len(all))
		}
	}
	if f1[rollout.StartSupported] < f1[rollout.StartEmpty]+0.3 {
		t.Errorf("F1 %.2f from supported starts, %.2f from empty ones", f1[rollout.StartSupported], f1[rollout.StartEmpty])
	}
}

// TestSupportedOrder: the leading eigenvector of a matrix that is known, and nothing where K
// supports nothing.
func TestSupportedOrder(t *testing.T) {
	n := 4 // two nodes each; vertices 0 and 3 support each other, 1 and 2 by half
	k := make([]float64, n*n)
	k[0*n+3], k[3*n+0], k[1*n+2], k[2*n+1] = 2, 2, 1, 1
	s := rollout.Solver{Policy: rollout.Greedy{}, Start: rollout.StartSupported, Rules: qap.EnvironmentOptions{Irrevocable: true, Goal: qap.Goal{Inliers: 1}}}
	for rollouts, want := range []int{0, 0, 3} { // the k-th rollout begins at the k-th vertex, and the last of equal value does not count
		if s.Rollouts = rollouts; rollouts == 2 {
			k[3*n+3] = 1 // a reason to prefer the second
		}
		in := must.Get(qap.NewDense(2, 2, k, qap.Maximize))(t)
		r, err := s.Solve(context.Background(), in, qap.Options{})
		if i := want / 2; err != nil || r.Matching.Size() != 1 || r.Matching[i] != want%2 {
			t.Errorf("%d rollouts: %v, error %v; want vertex %d alone", rollouts, r.Matching, err, want)
		}
	}
	none := must.Get(qap.NewDense(2, 2, make([]float64, n*n), qap.Maximize))(t)
	if r, err := s.Solve(context.Background(), none, qap.Options{}); err != nil || r.Matching.Size() != 1 {
		t.Errorf("nothing supported: %v, error %v", r.Matching, err)
	}
}

// TestSeedsComeBeforeSupport: where matches are given, rollouts begin at these.
func TestSeedsComeBeforeSupport(t *testing.T) {
	p := syntheticPairs(t, 1, 2)[0]
	fixed := qap.NewMatching(len(p.Truth))
	i := rand.New(rand.NewPCG(1, 1)).IntN(len(fixed))
	for p.Truth[i] == qap.Unmatched {
		i = (i + 1) % len(fixed)
	}
	fixed[i] = (p.Truth[i] + 1) % len(p.Truth) // a wrong one
	s := rollout.Solver{Policy: rollout.Greedy{}, Start: rollout.StartSupported, Rules: qap.EnvironmentOptions{Irrevocable: true, Goal: qap.Goal{Fixed: fixed}}}
	r, err := s.Solve(context.Background(), p.Instance, qap.Options{})
	if err != nil || r.Matching[i] != fixed[i] {
		t.Errorf("matching %v without its seed %d:%d, error %v", r.Matching, i, fixed[i], err)
	}
}
