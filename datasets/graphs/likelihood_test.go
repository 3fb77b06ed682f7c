package graphs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/regrow"
)

// trial are points in a square of side 100, moved, with descriptors that are normal and
// noisy, besides outliers in both graphs.
type trial struct {
	nodes, outliers, descriptors int
	moved, noise                 float64
	seed                         uint64
}

func (c trial) pair() (g1, g2 Graph, truth qap.Matching) {
	rng := rand.New(rand.NewPCG(c.seed, 1))
	draw := func(g *Graph, name string) {
		*g = Graph{Name: name, Nodes: c.nodes}
		for range c.nodes {
			g.Points = append(g.Points, []float64{100 * rng.Float64(), 100 * rng.Float64()})
			f := make([]float64, c.descriptors)
			for k := range f {
				f[k] = rng.NormFloat64()
			}
			g.Features = append(g.Features, f)
		}
	}
	draw(&g1, "left")
	draw(&g2, "right")
	order := rng.Perm(c.nodes)
	truth = make(qap.Matching, c.nodes)
	for i := range truth {
		truth[i] = qap.Unmatched
	}
	for i := range c.nodes - c.outliers {
		a := order[i]
		truth[i] = a
		for d := range 2 {
			g2.Points[a][d] = g1.Points[i][d] + c.moved*rng.NormFloat64()
		}
		for k := range c.descriptors {
			g2.Features[a][k] = g1.Features[i][k] + c.noise*rng.NormFloat64()
		}
	}
	return g1, g2, truth
}

// apart is how far the nearest neighbours of n points are from each other, in the mean.
func apart(n int) float64 { return 50 / math.Sqrt(float64(n)) }

// right returns how many matches of a pair are right, and how many there are.
func (c trial) right(t *testing.T) (right, matched int) {
	t.Helper()
	g1, g2, truth := c.pair()
	m, err := Match(t.Context(), g1, g2, MatchOptions{Solver: regrow.Solver{}, Search: qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: 10 * c.nodes}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range m.Matching {
		if a != qap.Unmatched && truth[i] == a {
			right++
		}
	}
	return right, m.Matching.Size()
}

// TestDescriptorsCount: points that moved by as much as neighbours are apart are matched by
// their descriptors, and outliers are left out; where one of descriptors and lengths tells
// less than the other, the result is not far from the better of the two alone.
func TestDescriptorsCount(t *testing.T) {
	for _, c := range []struct {
		trial
		least, wrong int // right matches, wrong ones
	}{
		{trial{nodes: 40, descriptors: 8, moved: apart(40), noise: .3}, 40, 0},
		{trial{nodes: 100, descriptors: 8, moved: apart(100), noise: .3}, 100, 0},
		{trial{nodes: 200, descriptors: 8, moved: apart(200), noise: .3}, 200, 0},
		{trial{nodes: 100, outliers: 30, descriptors: 32, moved: apart(100), noise: .3}, 70, 3},
		{trial{nodes: 40, descriptors: 2, moved: 5, noise: .3}, 34, 6},  // by lengths alone 23 to 27
		{trial{nodes: 40, descriptors: 2, moved: 2, noise: .3}, 38, 2},  // 29 to 40
		{trial{nodes: 40, descriptors: 8, moved: 1, noise: 2}, 40, 0},   // 40
		{trial{nodes: 40, descriptors: 1, moved: 2, noise: .5}, 38, 2},  // 40
		{trial{nodes: 100, descriptors: 8, moved: .5, noise: 1}, 98, 2}, // 98 to 100
	} {
		for seed := range uint64(3) {
			c.seed = seed + 1
			right, matched := c.right(t)
			if right < c.least || matched-right > c.wrong {
				t.Errorf("%+v: %d of %d matches are right, want %d and at most %d others", c.trial, right, matched, c.least, c.wrong)
			}
		}
	}
}

// TestLikelihoods: equal nodes speak for a match the most, no pair of nodes speaks against
// one by more, and numbers that say nothing have a weight near 0.
func TestLikelihoods(t *testing.T) {
	c := trial{nodes: 60, descriptors: 4, noise: .2, seed: 5}
	g1, g2, truth := c.pair()
	all := ofColumns("node", nil, g1.Features, g2.Features)
	values, trust := all.likelihoods(t.Context(), g1.Nodes, g2.Nodes)
	if trust < .5 || trust > 1 {
		t.Errorf("trust %v", trust)
	}
	above := 0
	for i, a := range truth {
		if values[i*g2.Nodes+a] > 0 {
			above++
		}
	}
	if above < 50 {
		t.Errorf("%d of 60 right matches are likelier than random pairs", above)
	}
	if least, most := slices.Min(values), slices.Max(values); most <= 0 || least < -1.5*most {
		t.Errorf("from %v to %v", least, most)
	}
	c.noise = 50
	g1, g2, _ = c.pair()
	for i := range g2.Features {
		for k := range g2.Features[i] {
			g2.Features[i][k] /= 50 // as spread as those of graph 1
		}
	}
	all = ofColumns("node", nil, g1.Features, g2.Features)
	if _, trust := all.likelihoods(t.Context(), g1.Nodes, g2.Nodes); trust > .4 {
		t.Errorf("numbers that say nothing have trust %v", trust)
	}
	for i := range g1.Features {
		for k := range g1.Features[i] {
			g1.Features[i][k], g2.Features[i][k] = float64(i%3), float64(i%3)
		}
	}
	all = ofColumns("node", nil, g1.Features, g2.Features)
	if values, _ := all.likelihoods(t.Context(), g1.Nodes, g2.Nodes); values != nil {
		t.Error("numbers of three values have likelihoods")
	}
	for i := range g1.Features {
		g1.Features[i][0], g2.Features[i][0] = 1e-160*float64(i%7), 1e-160*float64(i%5)
	}
	if p, err := (Design{}).Problem(t.Context(), g1, g2); err != nil || p.Instance == nil {
		t.Errorf("numbers whose squares are next to 0: %v", err)
	}
}
