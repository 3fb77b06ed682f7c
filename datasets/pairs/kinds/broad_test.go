package kinds

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
)

// TestBroad: pairs have the nodes that are asked for, at most, and a true match; a state
// of the generator gives the same pair again; large ones are not dense; both sources are
// drawn from.
func TestBroad(t *testing.T) {
	names := map[bool]int{}
	for k := range 60 {
		n := 6 + k
		draw := func() (*qap.Instance, qap.Matching) {
			in, truth, err := Broad{}.Problem(n, rand.New(rand.NewPCG(3, uint64(k))))
			if err != nil {
				t.Fatal(err)
			}
			return in, truth
		}
		in, truth := draw()
		again, same := draw()
		n1, n2 := in.Size()
		if max(n1, n2) > n || truth.Size() < 1 || in.CheckMatching(truth) != nil {
			t.Errorf("%d nodes: %d and %d, %d true matches", n, n1, n2, truth.Size())
		}
		if !slices.Equal(truth, same) || in.Score(truth) != again.Score(truth) {
			t.Errorf("%d nodes: another pair", n)
		}
		if _, dense := in.Affinity.(*qap.Dense); dense && n1*n2 > mostSmooth*mostSmooth {
			t.Errorf("%d nodes: dense affinities of %d and %d", n, n1, n2)
		}
		names[in.Name == "broad"]++
	}
	if min(names[true], names[false]) < 15 {
		t.Errorf("pairs of every sort and others: %v", names)
	}
}
