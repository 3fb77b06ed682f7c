package reweigh

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// sparseInstance returns a random sparse instance, some affinities of which are negative
// if it is signed.
func sparseInstance(t *testing.T, n1, n2, entries int, signed bool) *qap.Instance {
	rng := rand.New(rand.NewPCG(9, 10))
	n := n1 * n2
	var all []qap.Entry
	for range entries {
		v := rng.Float64()
		if signed {
			v -= .3
		}
		all = append(all, qap.Entry{P: rng.IntN(n), Q: rng.IntN(n), Value: v})
	}
	return must.Get(qap.NewSparse(n1, n2, all, qap.Maximize))(t)
}

// TestReducedProfile: a matching of every size with its score, each within the next; and
// not far from what a search finds.
func TestReducedProfile(t *testing.T) {
	for _, signed := range []bool{false, true} {
		in := sparseInstance(t, 12, 15, 3000, signed)
		p := reducedProfile(t.Context(), in)
		found := must.Get(profile.Solver{Starts: 4}.Solve(t.Context(), in, qap.Options{}))(t)
		if len(p) != 13 {
			t.Fatalf("%d sizes, want 0 to 12", len(p))
		}
		for size, best := range p {
			if err := in.CheckMatching(best.Matching); err != nil || best.Matching.Size() != size || math.Abs(best.Score-in.Score(best.Matching)) > 1e-9 {
				t.Errorf("size %d: %+v, %v", size, best, err)
			}
			if size > 2 && best.Score > found.Profile[size].Score+1e-9 {
				t.Errorf("size %d: %v, but a search found %v", size, best.Score, found.Profile[size].Score)
			}
		}
		if have, most := p[12].Score, found.Profile[12].Score; have < .8*most {
			t.Errorf("complete: %v, a search finds %v", have, most)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if p := reducedProfile(over, sparseInstance(t, 5, 5, 50, false)); p != nil {
		t.Error("a profile although the context had ended")
	}
}

// TestBetter: the better of each size; sizes that only one has; none where one is missing.
func TestBetter(t *testing.T) {
	m := qap.Matching{0}
	none, low, high := qap.Best{Score: math.Inf(-1)}, qap.Best{Score: 1, Matching: m}, qap.Best{Score: 2, Matching: m}
	p := better(qap.Profile{low, high, low}, qap.Profile{high, low, none})
	for size, want := range []float64{2, 2, 1} {
		if p[size].Score != want {
			t.Errorf("size %d: %v, want %v", size, p[size].Score, want)
		}
	}
	if better(nil, qap.Profile{low, none}) != nil || len(better(nil, qap.Profile{low, high})) != 2 {
		t.Error("a search without some size counts as a profile")
	}
}
