package rgm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestUnknownFeatures: records with gaps are matched, and rows with gaps are neither favoured nor left out for it.
func TestUnknownFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 20))
	g1, g2, truth := records(1500, .3, .05, rng)
	gaps := make([]bool, g1.Nodes)
	for i := range g1.Nodes {
		if gaps[i] = rng.IntN(3) == 0; !gaps[i] {
			continue
		}
		g1.Features[i][rng.IntN(2)] = math.NaN()
		g1.NodeWords[1+rng.IntN(2)].Values[i] = ""
	}
	r := must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{}))(t)
	if r.Method != rgm.MethodRecords {
		t.Fatal(r.Method)
	}
	var matched, right, partners [2]float64
	for i, a := range r.Matching {
		k := 0
		if gaps[i] {
			k = 1
		}
		if truth[i] != qap.Unmatched {
			partners[k]++
		}
		if a != qap.Unmatched {
			matched[k]++
			if a == truth[i] {
				right[k]++
			}
		}
	}
	t.Logf("matched %v, right %v of %v", matched, right, partners)
	for k, least := range []float64{.93, .9} {
		if right[k] < least*matched[k] || right[k] < (least-.3*float64(k))*partners[k]-.15*partners[k] {
			t.Errorf("matched %v, right %v of %v", matched, right, partners)
		}
	}
}

// TestUnknownPlaces: points of which some coordinates are unknown are matched by the others, those without place by what else they
// have, or not at all.
func TestUnknownPlaces(t *testing.T) {
	for _, features := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(rand.Uint64(), 21))
		g1, g2, truth := moved(400, .1, .2, 0, rng)
		if features {
			g1.Features, g2.Features = make([][]float64, 400), make([][]float64, 400)
			for i := range 400 {
				g1.Features[i], g2.Features[i] = []float64{rng.NormFloat64(), rng.NormFloat64()}, []float64{rng.NormFloat64(), rng.NormFloat64()}
			}
			for i, a := range truth {
				if a != qap.Unmatched {
					g2.Features[a] = []float64{g1.Features[i][0] + .01*rng.NormFloat64(), g1.Features[i][1] + .01*rng.NormFloat64()}
				}
			}
		}
		for i := range 40 {
			g1.Points[i][i%2] = math.NaN()
		}
		r := must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{}))(t)
		if r.Placed == nil {
			t.Fatal("no transform")
		}
		right, partners, lost := 0, 0, 0
		for i, a := range r.Matching {
			switch {
			case truth[i] == qap.Unmatched:
			case i < 40:
				partners++
				if a == truth[i] {
					right++
				}
			case a != truth[i]:
				lost++
			}
			if i < 40 && !features && a != qap.Unmatched {
				t.Errorf("a point without a place is matched with %d, confidence %v", a, r.Confidence[i])
			}
		}
		if lost > 25 || features && right < partners*3/4 {
			t.Errorf("features %v: %d of %d without a place are right, %d of the others wrong", features, right, partners, lost)
		}
		if all := must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{Complete: true}))(t); all.Matched != 400 {
			t.Errorf("%d matches of all", all.Matched)
		}
	}
}

// TestUnknownFewPoints: few points, which are compared by lengths, and graphs, with unknown coordinates are matched.
func TestUnknownFewPoints(t *testing.T) {
	for _, n := range []int{20, 60} {
		g1, g2, truth := moved(n, .1, 0, 2, rand.New(rand.NewPCG(rand.Uint64(), 22)))
		g1.Points[3][0], g2.Points[truth[5]][1] = math.NaN(), math.NaN()
		r := must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{MaxSteps: 2000}))(t)
		right := 0
		for i, a := range truth {
			if r.Matching[i] == a {
				right++
			}
		}
		if right < n*3/4 {
			t.Errorf("%d of %d are right", right, n)
		}
	}
}

// TestTables: a table of words and numbers, none of them called x, is matched as records, or by a transform of its numbers.
func TestTables(t *testing.T) {
	g1, g2, truth := records(300, .2, .05, rand.New(rand.NewPCG(rand.Uint64(), 23)))
	for _, g := range []*graphs.Graph{g1, g2} {
		g.Points, g.PointNames, g.Features, g.FeatureNames = g.Features, g.FeatureNames, nil, nil
	}
	r := must.Get(rgm.Match(t.Context(), g1, g2, rgm.Options{}))(t)
	if precision, recall := rightShares(r.Matching, truth); r.Seconds > 5 || precision < .9 || recall < .7 {
		t.Errorf("%s: %.2f of the matches, %.2f of the partners", r.Method, precision, recall)
	}
}
