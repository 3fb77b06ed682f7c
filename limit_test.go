package rgm_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// late returns a context on whose clock an hour passes with every look: each time limit is up at once, however fast the machine is.
func late(t *testing.T) context.Context {
	began, looks := time.Now(), atomic.Int64{} // which several goroutines take
	return qap.WithClock(t.Context(), func() time.Time { return began.Add(time.Duration(looks.Add(1)) * time.Hour) })
}

// attributed returns two graphs of n and n−2 nodes with a number and a word each and weighted edges, of which some are gone.
func attributed(n int, rng *rand.Rand) (g1, g2 *graphs.Graph) {
	graph := func(name string, n int) *graphs.Graph {
		return &graphs.Graph{Name: name, Nodes: n, FeatureNames: []string{"size"}, NodeWords: []graphs.Attribute[string]{{Name: "kind"}}}
	}
	g1, g2 = graph("a", n), graph("b", n-2)
	for i := range n {
		size, kind := rng.NormFloat64(), fmt.Sprint(rng.IntN(4))
		for _, g := range []*graphs.Graph{g1, g2} {
			if i < g.Nodes {
				g.Features = append(g.Features, []float64{size + 0.1*rng.NormFloat64()})
				g.NodeWords[0].Values = append(g.NodeWords[0].Values, kind)
			}
		}
		for j := range i {
			weight := rng.Float64()
			for _, g := range []*graphs.Graph{g1, g2} {
				if i < g.Nodes && weight < 0.2 && rng.IntN(10) > 0 {
					g.Edges, g.Weights = append(g.Edges, graphs.Edge{I: j, J: i}), append(g.Weights, weight)
				}
			}
		}
	}
	return g1, g2
}

// TestMatchWithoutTime: two graphs of any kind whose time limit is up before anything is compared have a matching, not an error.
func TestMatchWithoutTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 39))
	points := func(n int, scale float64) *graphs.Graph {
		g := &graphs.Graph{Name: "points", Nodes: n}
		for range n {
			g.Points = append(g.Points, []float64{scale * rng.Float64(), math.Pow(rng.Float64(), 2)})
		}
		return g
	}
	a, b := attributed(40, rng)
	plain1, plain2 := attributed(60, rng)
	for _, g := range []*graphs.Graph{plain1, plain2} {
		g.Features, g.FeatureNames, g.NodeWords, g.Weights = nil, nil, nil, nil
	}
	before, after, _ := records(60, 0.1, 0.1, rng)
	large1, large2 := attributed(200, rng)
	large1.Weights, large2.Weights = nil, nil
	for _, c := range []struct {
		name     string
		one, two *graphs.Graph
		o        rgm.Options
	}{
		{"attributes", a, b, rgm.Options{}},
		{"attributes by a method of affinities", a, b, rgm.Options{Method: "rrwm"}},
		{"attributes and learned affinities", a, b, rgm.Options{Affinity: rgm.AffinityLearned}},
		{"few points", points(12, 1), points(10, 2), rgm.Options{}},
		{"points", points(120, 1), points(110, 3), rgm.Options{}},
		{"edges alone", plain1, plain2, rgm.Options{}},
		{"records", before, after, rgm.Options{}},
		{"many pairs of edges", large1, large2, rgm.Options{}},
	} {
		c.o.TimeLimit = time.Millisecond
		r, err := rgm.Match(late(t), c.one, c.two, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(r.Matching) != c.one.Nodes || r.Status != qap.TimeLimit && r.Status != qap.Converged && r.Status != qap.Optimal {
			t.Errorf("%s: %d entries of %d, %s", c.name, len(r.Matching), c.one.Nodes, r.Status)
		}
		t.Logf("%s: %s by %s, %d matched, %s", c.name, r.Method, r.FoundBy, r.Matched, r.Status)
	}
}

// TestNoConfidenceWithoutALook: of graphs that are found to be the same, with no time left to look at the matches, nothing is told of
// how sure they are; with time it is.
func TestNoConfidenceWithoutALook(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 40))
	one, _ := attributed(40, rng)
	one.Features, one.FeatureNames, one.NodeWords, one.Weights = nil, nil, nil, nil
	if r := must.Get(rgm.Match(late(t), one, one, rgm.Options{TimeLimit: time.Millisecond}))(t); r.Aligned == nil || r.Confidence != nil || r.Sure != nil || r.SureMatches != nil {
		t.Errorf("without time: %s, confidence %v, sure %v", r.Status, r.Confidence, r.SureMatches)
	}
	if r := must.Get(rgm.Match(t.Context(), one, one, rgm.Options{}))(t); len(r.Confidence) != 40 || r.SureMatches == nil {
		t.Errorf("with time: %s, confidence %v", r.Status, r.Confidence)
	}
}
