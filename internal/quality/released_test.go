package quality

import (
	"errors"
	"slices"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
)

// TestLearnedAffinitiesServeEveryMethod: no method matches nothing, by given or by learned
// affinities; and one that matches all nodes finds no lower F1 by learned ones, which
// release its weakest matches, than without, over the pairs of the guards.
func TestLearnedAffinitiesServeEveryMethod(t *testing.T) {
	const few = 3 // pairs of a method that takes tenths of a second
	slow := []string{"gnccp", "bpf", "skja"}
	p := rgmtest.Open(t)
	for _, m := range rgm.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			list := known(t)
			if slices.Contains(slow, m.Name) || !m.MatchesAll {
				list = list[len(list)-few:]
			}
			f1 := map[string]float64{}
			for _, pair := range list {
				for _, affinity := range rgm.Affinities() {
					one, err := solvedF1(t, p, pair, rgm.Options{Method: m.Name, Affinity: affinity})
					if errors.Is(err, qap.ErrUnsupported) {
						return // it takes no affinity matrix
					}
					if err != nil {
						t.Fatal(err)
					}
					f1[affinity] += one / float64(len(list))
				}
			}
			given, learned := f1[rgm.AffinityGiven], f1[rgm.AffinityLearned]
			t.Logf("F1 %.1f given, %.1f learned, %d pairs", given, learned, len(list))
			if m.MatchesAll && len(list) > few && learned < given {
				t.Errorf("F1 %.1f by learned affinities, %.1f without", learned, given)
			}
		})
	}
}

// solvedF1 returns the F1 of what a method finds, which is to be something.
func solvedF1(t *testing.T, p *rgm.Solver, pair pairs.Pair, o rgm.Options) (float64, error) {
	t.Helper()
	n1, n2 := pair.Instance.Size()
	o.Seed, o.Threads = 1, 1
	if o.Method == rgm.MethodExact {
		o.MaxSteps = 100 * max(n1, n2)
	}
	r, err := p.Solve(t.Context(), pair.Instance, o)
	if err != nil {
		return 0, err
	}
	if r.Matching.Size() == 0 {
		t.Errorf("%s, %s affinities: nothing is matched, %s", pair.Name, o.Affinity, r.Status)
	}
	return 100 * pair.Judge(r.Matching).F1, nil
}

// TestOnePositiveVertex: where a single match scores above 0, and all else below, every
// method that chooses how many nodes to match finds it, and no method matches nothing.
func TestOnePositiveVertex(t *testing.T) {
	const n = 4
	k := make([]float64, n*n*n*n)
	for v := range n * n {
		for w := range v {
			if v/n != w/n && v%n != w%n {
				k[v*n*n+w], k[w*n*n+v] = -1, -1
			}
		}
	}
	k[6*n*n+6] = 1 // node 1 to node 2
	in := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
	p := rgmtest.Open(t)
	for _, m := range rgm.Methods() {
		for _, affinity := range rgm.Affinities() {
			r, err := p.Solve(t.Context(), in, rgm.Options{Method: m.Name, Affinity: affinity})
			if errors.Is(err, qap.ErrUnsupported) {
				continue
			}
			if err != nil || r.Matching.Size() == 0 {
				t.Errorf("%s, %s: %v, %v", m.Name, affinity, r.Matching, err)
			} else if r.Objective < 1 && (m.Goals || m.Name == "zacr" || m.Name == rgm.MethodExact) {
				t.Errorf("%s, %s: %v scores %v, want node 1 alone", m.Name, affinity, r.Matching, r.Objective)
			}
		}
	}
}
