package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

// kind draws pairs. Those held out had no part in the weights.
type kind struct {
	name string
	held bool
	draw func(rng *rand.Rand) (g1, g2 *graphs.Graph, truth qap.Matching)
}

func kinds() []kind {
	placed := func(name string, held bool, p scene) kind {
		return kind{name, held, func(rng *rand.Rand) (g1, g2 *graphs.Graph, truth qap.Matching) { return p.draw(rng) }}
	}
	listed := func(name string, held bool, l listing) kind {
		return kind{name, held, func(rng *rand.Rand) (g1, g2 *graphs.Graph, truth qap.Matching) { return l.draw(rng) }}
	}
	return []kind{
		placed("points in the plane", false, scene{dimensions: 2, at: uniform}),
		placed("points in space", false, scene{dimensions: 3, at: uniform}),
		placed("clusters in the plane", false, scene{dimensions: 2, at: clustered}),
		placed("clusters in space", false, scene{dimensions: 3, at: clustered}),
		placed("bent", false, scene{dimensions: 2, at: uniform, bent: true}),
		placed("with features", false, scene{dimensions: 2, at: uniform, features: true}),
		placed("two windows", false, scene{dimensions: 2, at: uniform, windows: true}),
		placed("spirals", true, scene{dimensions: 2, at: spiral}),
		placed("on a sphere", true, scene{dimensions: 3, at: sphere}),
		placed("along roads", true, scene{dimensions: 2, at: roads}),
		placed("jittered lattices", true, scene{dimensions: 2, at: jittered}),
		placed("noise with heavy tails", true, scene{dimensions: 2, at: uniform, heavy: true}),
		listed("numbers", false, listing{numbers: 4}),
		listed("words", false, listing{words: 4}),
		listed("words and numbers", false, listing{numbers: 3, words: 3}),
		listed("with gaps", false, listing{numbers: 3, words: 3, gaps: true}),
		listed("numbers with gaps", false, listing{numbers: 5, gaps: true}),
		listed("few in common", false, listing{numbers: 4, words: 3, few: true}),
		listed("two columns", false, listing{numbers: 1, words: 1}),
		listed("households", true, listing{numbers: 2, words: 3, gaps: true, households: true}),
		listed("columns that go together", true, listing{numbers: 4, words: 2, gaps: true, together: true}),
		listed("numbers with heavy tails", true, listing{numbers: 4, words: 1, heavy: true}),
		listed("codes", true, listing{numbers: 1, words: 6, common: true}),
	}
}

// scene draws points that are seen twice.
type scene struct {
	dimensions                     int
	at                             func(n, dimensions int, rng *rand.Rand) [][]float64
	bent, features, windows, heavy bool
}

func (s *scene) draw(rng *rand.Rand) (g1, g2 *graphs.Graph, truth qap.Matching) {
	n := int(statistics.LogBetween(60, 1200, rng))
	only1, only2 := 0.0, 0.0
	if rng.IntN(4) > 0 {
		only1, only2 = statistics.Between(0, 0.45, rng), statistics.Between(0, 0.45, rng)
	}
	points := s.at(n, s.dimensions, rng)
	spacing := math.Pow(1/float64(n), 1/float64(s.dimensions))
	noise := spacing * statistics.LogBetween(0.01, 0.5, rng)
	bend := 0.0
	if s.bent {
		bend = spacing * statistics.LogBetween(0.05, 1, rng)
	}
	cut := statistics.Between(0, 0.3, rng)
	sin, cos := math.Sincos(rng.Float64() * 6)
	scale := statistics.LogBetween(0.2, 5, rng)
	g1, g2 = &graphs.Graph{Name: "a"}, &graphs.Graph{Name: "b"}
	var owners []int
	width := 1 + rng.IntN(3)
	unlike := statistics.LogBetween(0.1, 1, rng)
	for _, p := range points {
		in1, in2 := rng.Float64() >= only1, rng.Float64() >= only2
		if s.windows {
			in1, in2 = p[0] < 1-cut, p[0] > cut
		}
		features := make([]float64, width)
		for c := range features {
			features[c] = rng.NormFloat64()
		}
		if in1 {
			g1.Points, g1.Features = append(g1.Points, p), append(g1.Features, features)
			truth = append(truth, qap.Unmatched)
		}
		if !in2 {
			continue
		}
		q := make([]float64, len(p))
		for k, x := range p {
			q[k] = x + bend*math.Sin(5*p[(k+1)%len(p)]) + noise*draw(s.heavy, rng)
		}
		q[0], q[1] = scale*(cos*q[0]-sin*q[1])+7, scale*(sin*q[0]+cos*q[1])
		if s.dimensions == 3 {
			q[2] *= scale
		}
		seen := make([]float64, width)
		for c, x := range features {
			seen[c] = x + unlike*rng.NormFloat64()
		}
		g2.Points, g2.Features = append(g2.Points, q), append(g2.Features, seen)
		owners = append(owners, -1)
		if in1 {
			owners[len(owners)-1] = len(truth) - 1
		}
	}
	if !s.features {
		g1.Features, g2.Features = nil, nil
	}
	g1.Nodes, g2.Nodes = len(g1.Points), len(g2.Points)
	return g1, shuffled(g2, owners, truth, rng), truth
}

// shuffled gives graph 2 another order, and tells the truth of it.
func shuffled(g *graphs.Graph, owners []int, truth qap.Matching, rng *rand.Rand) *graphs.Graph {
	order := rng.Perm(g.Nodes)
	to := &graphs.Graph{Name: g.Name, Nodes: g.Nodes, FeatureNames: g.FeatureNames}
	if g.Points != nil {
		to.Points = make([][]float64, g.Nodes)
	}
	if g.Features != nil {
		to.Features = make([][]float64, g.Nodes)
	}
	for _, w := range g.NodeWords {
		to.NodeWords = append(to.NodeWords, graphs.Attribute[string]{Name: w.Name, Values: make([]string, g.Nodes)})
	}
	for k, a := range order {
		if g.Points != nil {
			to.Points[a] = g.Points[k]
		}
		if g.Features != nil {
			to.Features[a] = g.Features[k]
		}
		for c := range g.NodeWords {
			to.NodeWords[c].Values[a] = g.NodeWords[c].Values[k]
		}
		if owners[k] >= 0 {
			truth[owners[k]] = a
		}
	}
	return to
}

// draw returns a number of mean 0: normal, or with heavy tails.
func draw(heavy bool, rng *rand.Rand) float64 {
	x := rng.NormFloat64()
	if heavy {
		return x / math.Sqrt(rng.ExpFloat64()+0.2)
	}
	return x
}

func uniform(n, dimensions int, rng *rand.Rand) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, dimensions)
		for k := range dimensions {
			all[i][k] = rng.Float64()
		}
	}
	return all
}

func clustered(n, dimensions int, rng *rand.Rand) [][]float64 {
	centres, all := uniform(3+rng.IntN(10), dimensions, rng), uniform(n, dimensions, rng)
	for i := range all {
		for k, c := range centres[rng.IntN(len(centres))] {
			all[i][k] = c + 0.1*rng.NormFloat64()
		}
	}
	return all
}

func spiral(n, _ int, rng *rand.Rand) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		t := math.Sqrt(rng.Float64())
		sin, cos := math.Sincos(12 * t)
		all[i] = []float64{0.5 + t*cos/2 + 0.03*rng.NormFloat64(), 0.5 + t*sin/2 + 0.03*rng.NormFloat64()}
	}
	return all
}

func sphere(n, _ int, rng *rand.Rand) [][]float64 {
	all := make([][]float64, n)
	for i := range all {
		p := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		size := 2 * math.Sqrt(p[0]*p[0]+p[1]*p[1]+p[2]*p[2])
		for k := range p {
			p[k] = 0.5 + p[k]/size
		}
		all[i] = p
	}
	return all
}

func roads(n, _ int, rng *rand.Rand) [][]float64 {
	ends := uniform(12, 2, rng)
	all := make([][]float64, n)
	for i := range all {
		a, b, t := ends[rng.IntN(12)], ends[rng.IntN(12)], rng.Float64()
		all[i] = []float64{a[0] + t*(b[0]-a[0]) + 0.01*rng.NormFloat64(), a[1] + t*(b[1]-a[1]) + 0.01*rng.NormFloat64()}
	}
	return all
}

func jittered(n, _ int, rng *rand.Rand) [][]float64 {
	side := int(math.Sqrt(float64(n)))
	var all [][]float64
	for x := range side {
		for y := range side {
			all = append(all, []float64{(float64(x) + 0.25*rng.NormFloat64()) / float64(side), (float64(y) + 0.25*rng.NormFloat64()) / float64(side)})
		}
	}
	return all
}

// listing draws rows of words and numbers that are seen twice.
type listing struct {
	numbers, words                            int // at most
	gaps, households, together, heavy, common bool
	few                                       bool // rows are in both
}

func (l *listing) draw(rng *rand.Rand) (g1, g2 *graphs.Graph, truth qap.Matching) {
	n := int(statistics.LogBetween(40, 1200, rng))
	only1, only2 := 0.0, 0.0
	if rng.IntN(4) > 0 {
		only1, only2 = statistics.Between(0, 0.5, rng), statistics.Between(0, 0.5, rng)
	}
	if l.few {
		only1, only2 = statistics.Between(0.4, 0.8, rng), statistics.Between(0.4, 0.8, rng)
	}
	g1, g2 = &graphs.Graph{Name: "a"}, &graphs.Graph{Name: "b"}
	numbers, words := l.numbers, l.words
	if numbers > 1 {
		numbers -= rng.IntN(2)
	}
	if words > 1 {
		words -= rng.IntN(2)
	}
	noise, errors, sizes, gaps := make([]float64, numbers), make([]float64, words), make([]float64, words), make([]float64, numbers+words)
	for c := range numbers {
		noise[c] = statistics.LogBetween(0.01, 0.6, rng)
		g1.FeatureNames = append(g1.FeatureNames, fmt.Sprint("number", c))
	}
	for c := range words {
		errors[c], sizes[c] = statistics.LogBetween(0.02, 0.4, rng), statistics.LogBetween(5, 2*float64(n), rng)
		if l.common {
			sizes[c] = statistics.LogBetween(3, 30, rng)
		}
		g1.NodeWords = append(g1.NodeWords, graphs.Attribute[string]{Name: fmt.Sprint("word", c)})
		g2.NodeWords = append(g2.NodeWords, graphs.Attribute[string]{Name: fmt.Sprint("word", c)})
	}
	g2.FeatureNames = g1.FeatureNames
	for c := range gaps {
		if l.gaps && rng.IntN(2) == 0 {
			gaps[c] = statistics.Between(0.02, 0.5, rng)
		}
	}
	word := func(c int) string { return fmt.Sprint("w", int(sizes[c]*math.Pow(rng.Float64(), 1.5))) }
	number := func(x float64, c int) float64 {
		if rng.Float64() < gaps[c] {
			return math.NaN()
		}
		return x
	}
	text := func(x string, c int) string {
		if rng.Float64() < gaps[numbers+c] {
			return ""
		}
		return x
	}
	var owners []int
	person, family := make([]float64, numbers), make([]string, words)
	for i := range n {
		common := rng.NormFloat64()
		for c := range person {
			if person[c] = draw(l.heavy, rng); l.together {
				person[c] = common + 0.5*person[c]
			}
		}
		own := make([]string, words)
		for c := range own {
			if own[c] = word(c); l.households && c > 0 && i%3 > 0 {
				own[c] = family[c]
			}
			if l.together && c > 0 {
				own[c] = own[0] + fmt.Sprint(rng.IntN(3))
			}
		}
		family = own
		in1, in2 := rng.Float64() >= only1, rng.Float64() >= only2
		if in1 {
			row := make([]float64, numbers)
			for c, x := range person {
				row[c] = number(x, c)
			}
			g1.Features, truth = append(g1.Features, row), append(truth, qap.Unmatched)
			for c, w := range own {
				g1.NodeWords[c].Values = append(g1.NodeWords[c].Values, text(w, c))
			}
		}
		if !in2 {
			continue
		}
		row := make([]float64, numbers)
		for c, x := range person {
			row[c] = number(x+noise[c]*draw(l.heavy, rng), c)
		}
		g2.Features = append(g2.Features, row)
		for c, w := range own {
			if rng.Float64() < errors[c] {
				w = word(c)
			}
			g2.NodeWords[c].Values = append(g2.NodeWords[c].Values, text(w, c))
		}
		owners = append(owners, -1)
		if in1 {
			owners[len(owners)-1] = len(truth) - 1
		}
	}
	if numbers == 0 {
		g1.Features, g2.Features, g1.FeatureNames, g2.FeatureNames = nil, nil, nil, nil
	}
	g1.Nodes, g2.Nodes = len(truth), len(owners)
	return g1, shuffled(g2, owners, truth, rng), truth
}
