package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// noisyPair are points in a square of side 100, moved, with descriptors that are normal and
// noisy, besides outliers in both graphs.
type noisyPair struct {
	nodes, outliers, descriptors int
	moved, noise                 float64
	seed                         uint64
}

func (c noisyPair) pair() (g1, g2 graphs.Graph, truth qap.Matching) {
	rng := rand.New(rand.NewPCG(c.seed, 1))
	draw := func(g *graphs.Graph, name string) {
		*g = graphs.Graph{Name: name, Nodes: c.nodes}
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
func (c noisyPair) right(t *testing.T) (right, matched int) {
	t.Helper()
	g1, g2, truth := c.pair()
	m, err := match(t.Context(), g1, g2, matchOptions{Search: qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: 10 * c.nodes}}})
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
		noisyPair
		least, wrong int // right matches, wrong ones
	}{
		{noisyPair{nodes: 40, descriptors: 8, moved: apart(40), noise: .3}, 40, 0},
		{noisyPair{nodes: 100, descriptors: 8, moved: apart(100), noise: .3}, 100, 0},
		{noisyPair{nodes: 200, descriptors: 8, moved: apart(200), noise: .3}, 200, 0},
		{noisyPair{nodes: 100, outliers: 30, descriptors: 32, moved: apart(100), noise: .3}, 70, 3},
		{noisyPair{nodes: 40, descriptors: 2, moved: 5, noise: .3}, 34, 6},  // by lengths alone 23 to 27
		{noisyPair{nodes: 40, descriptors: 2, moved: 2, noise: .3}, 38, 2},  // 29 to 40
		{noisyPair{nodes: 40, descriptors: 8, moved: 1, noise: 2}, 40, 0},   // 40
		{noisyPair{nodes: 40, descriptors: 1, moved: 2, noise: .5}, 38, 2},  // 40
		{noisyPair{nodes: 100, descriptors: 8, moved: .5, noise: 1}, 98, 2}, // 98 to 100
	} {
		for seed := range uint64(3) {
			c.seed = seed + 1
			right, matched := c.right(t)
			if right < c.least || matched-right > c.wrong {
				t.Errorf("%+v: %d of %d matches are right, want %d and at most %d others", c.noisyPair, right, matched, c.least, c.wrong)
			}
		}
	}
}

// TestLikelihoods: equal nodes speak for a match the most, no pair of nodes speaks against
// one by more, and numbers that say nothing have a weight near 0.
func TestLikelihoods(t *testing.T) {
	c := noisyPair{nodes: 60, descriptors: 4, noise: .2, seed: 5}
	g1, g2, truth := c.pair()
	likelihoods := func() *ratios {
		return ofColumns("node", nil, g1.Features, g2.Features).likelihoods(t.Context(), g1.Nodes, g2.Nodes, nil)
	}
	l := likelihoods()
	if l.most < 4 {
		t.Errorf("equal nodes have %v", l.most)
	}
	above := 0
	for i := range truth {
		for a := range g2.Nodes {
			if v := l.of(i, a); v > l.most || v < -l.most {
				t.Fatalf("nodes %d and %d: %v, want at most %v in size", i, a, v, l.most)
			}
		}
		if l.of(i, truth[i]) > 0 {
			above++
		}
	}
	if above < 50 {
		t.Errorf("%d of 60 right matches are likelier than random pairs", above)
	}
	c.noise = 50
	g1, g2, _ = c.pair()
	for i := range g2.Features {
		for k := range g2.Features[i] {
			g2.Features[i][k] /= 50 // as spread as those of graph 1
		}
	}
	if l := likelihoods(); l.most > 2 { // measured: 1.8
		t.Errorf("equal numbers that say nothing have %v", l.most)
	}
	for i := range g1.Features {
		for k := range g1.Features[i] {
			g1.Features[i][k], g2.Features[i][k] = float64(i%3), float64(i%3)
		}
	}
	if l := likelihoods(); len(l.numbers) > 0 || math.Abs(l.most-4*math.Log(3)) > .1 {
		t.Errorf("four numbers that a third of the nodes share say %v, want 4·ln 3 as words do", l.most)
	}
	for i := range g1.Features {
		g1.Features[i][0], g2.Features[i][0] = 1e-160*float64(i%7), 1e-160*float64(i%5)
	}
	if p, err := (Design{}).Problem(t.Context(), g1, g2); err != nil || p.Instance == nil {
		t.Errorf("numbers whose squares are next to 0: %v", err)
	}
}

// TestWordsCountByTheirShares: equal words say as much as few nodes have them, words that right
// matches do not share say nothing, and one that all nodes have counts for nothing.
func TestWordsCountByTheirShares(t *testing.T) {
	words := func(of func(i int) string) []graphs.Attribute[string] {
		a := graphs.Attribute[string]{Name: "kind"}
		for i := range 100 {
			a.Values = append(a.Values, of(i))
		}
		return []graphs.Attribute[string]{a}
	}
	var identity []graphs.Pair
	for i := range 100 {
		identity = append(identity, graphs.Pair{I: i, J: i})
	}
	rare := words(func(i int) string { return []string{"rare", "common"}[min(i/10, 1)] })
	for name, c := range map[string]struct {
		w1, w2 []graphs.Attribute[string]
		known  []graphs.Pair
		want   map[graphs.Pair]float64
	}{
		"shares":           {rare, rare, nil, map[graphs.Pair]float64{{I: 0, J: 1}: math.Log(10), {I: 50, J: 60}: math.Log(1 / .9)}},
		"right matches":    {rare, rare, identity, map[graphs.Pair]float64{{I: 0, J: 1}: math.Log(10), {I: 50, J: 60}: math.Log(1 / .9)}},
		"shared by chance": {rare, words(func(i int) string { return []string{"rare", "common"}[min(i%10, 1)] }), identity, map[graphs.Pair]float64{{I: 0, J: 10}: 0, {I: 0, J: 1}: 0}},
		"one word":         {words(func(int) string { return "same" }), words(func(int) string { return "same" }), nil, map[graphs.Pair]float64{{I: 0, J: 1}: 0}},
		"no word in both":  {rare, words(func(int) string { return "other" }), nil, map[graphs.Pair]float64{{I: 0, J: 1}: 0}},
	} {
		l := ofWords(c.w1, c.w2).likelihoods(t.Context(), 100, 100, c.known)
		for p, want := range c.want {
			if got := l.of(p.I, p.J); math.Abs(got-want) > .02 {
				t.Errorf("%s: the pair %v has %v, want %v", name, p, got, want)
			}
		}
	}
}

// TestEdgesCountByWhatTheyTell: attributes of edges that say nothing do not hide what others say, nor
// what edges say by themselves. Without weighing, 23, 15 and 14 of 300 nodes were right.
func TestEdgesCountByWhatTheyTell(t *testing.T) {
	const nodes, edges = 60, 120
	for _, c := range []struct {
		good, random, classes int     // numbers that are kept, with noise, and that are not; words, of which a tenth change
		removed               float64 // share of the edges, on both sides
		least                 int     // of 120 nodes
	}{
		{1, 3, 0, .2, 98}, // measured: 104
		{0, 3, 5, .2, 95}, // 106
		{0, 3, 0, .1, 95}, // 112
		{3, 0, 0, .3, 90}, // 98
	} {
		right := 0
		for seed := range uint64(2) {
			rng := rand.New(rand.NewPCG(seed, 9))
			truth := rng.Perm(nodes)
			g := [2]graphs.Graph{{Name: "left", Nodes: nodes}, {Name: "right", Nodes: nodes}}
			var words [2][]string
			for range edges {
				i, j, class := rng.IntN(nodes), rng.IntN(nodes), rng.IntN(max(c.classes, 1))
				numbers := [2][]float64{}
				for k := range c.good + c.random {
					v, w := rng.NormFloat64(), rng.NormFloat64()
					if k < c.good {
						w = v + .2*w
					}
					numbers[0], numbers[1] = append(numbers[0], v), append(numbers[1], w)
				}
				for side, e := range [2]graphs.Edge{{I: i, J: j}, {I: truth[i], J: truth[j]}} {
					if rng.Float64() < c.removed || i == j {
						continue
					}
					if rng.Float64() < .1 {
						class = rng.IntN(max(c.classes, 1))
					}
					g[side].Edges = append(g[side].Edges, e)
					g[side].Relation = append(g[side].Relation, numbers[side])
					words[side] = append(words[side], fmt.Sprint(class))
				}
			}
			for side := range g {
				if c.classes > 0 {
					g[side].EdgeWords = []graphs.Attribute[string]{{Name: "class", Values: words[side]}}
				}
			}
			m, err := match(t.Context(), g[0], g[1], matchOptions{Search: qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: 20 * nodes}}})
			if err != nil {
				t.Fatal(err)
			}
			right += m.Matching.Right(truth)
		}
		if right < c.least {
			t.Errorf("%+v: %d of 120 nodes are right", c, right)
		}
	}
}
