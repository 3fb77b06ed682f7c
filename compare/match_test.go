package compare

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// turned returns points in another order, turned, moved and scaled, and which of them
// each was.
func turned(points [][]float64, rng *rand.Rand) (moved [][]float64, truth qap.Matching) {
	truth = qap.RandomMatching(len(points), len(points), rng)
	moved = make([][]float64, len(points))
	sin, cos := math.Sincos(1)
	for i, p := range points {
		moved[truth[i]] = []float64{3*(cos*p[0]-sin*p[1]) + 5, 3 * (sin*p[0] + cos*p[1])}
	}
	return moved, truth
}

func scattered(n, dimensions int, rng *rand.Rand) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		for range dimensions {
			points[i] = append(points[i], rng.Float64())
		}
	}
	return points
}

// TestMatchFindsTheSamePoints: turned, moved, scaled and renamed points are found again,
// whatever joins them.
func TestMatchFindsTheSamePoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	points := scattered(15, 2, rng)
	moved, truth := turned(points, rng)
	g1, g2 := graphs.Graph{Name: "a", Nodes: 15, Points: points}, graphs.Graph{Name: "b", Nodes: 15, Points: moved}
	for _, text := range []string{"auto", "complete", "delaunay", "knn:5"} {
		joins, err := ParseJoins(text)
		if err != nil || text != joins.String() {
			t.Fatal(joins, err)
		}
		m, err := match(t.Context(), g1, g2, matchOptions{Design: Design{Joins: joins, Complete: true}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Matching, truth) {
			t.Errorf("%s: %v, want %v; %s", text, m.Matching, truth, m.Problem.About)
		}
	}
}

// TestProblem compares every entry of K with its definition.
func TestProblem(t *testing.T) {
	g1, g2 := fourNodes(), fourNodes()
	g2.Weights = []float64{.5, 1, 1}
	g2.Features[3][0] = 5
	for name, test := range map[string]struct {
		design Design
		node   func(i, a int) float64
		edge   func(w, v float64) float64
		about  string
	}{
		"weights": {Design{}, nil, nil, "4 and 4 nodes; edges given, 3 and 3; kernel weight: exp(-(dweight)^2/0.125); nodes exp(-(dage)^2/0.5)"},
		"binary":  {Design{Kernel: KernelBinary}, nil, func(_, _ float64) float64 { return 1 }, "edges given, 3 and 3; kernel binary: 1;"},
	} {
		p, err := test.design.Problem(t.Context(), g1, g2)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(p.About, test.about) {
			t.Errorf("%s: about %q, want %q", name, p.About, test.about)
		}
		edge := test.edge
		if edge == nil {
			edge = func(w, v float64) float64 { return math.Exp(-square(w-v) / .125) }
		}
		weight := func(g *graphs.Graph, i, j int) (float64, bool) {
			k := slices.Index(g.Edges, graphs.Edge{I: min(i, j), J: max(i, j)})
			if k < 0 {
				return 0, false
			}
			return g.Weights[k], true
		}
		for v := range 16 {
			for q := range 16 {
				want := 0.0
				x, ok1 := weight(&g1, v/4, q/4)
				y, ok2 := weight(&g2, v%4, q%4)
				switch {
				case v == q:
					want = math.Exp(-square(g1.Features[v/4][0]-g2.Features[v%4][0]) / .5)
				case ok1 && ok2:
					want = edge(x, y)
				}
				if have := p.Instance.Affinity.At(v, q); math.Abs(have-want) > 1e-12 {
					t.Fatalf("%s: K[%d,%d] is %v, want %v", name, v, q, have, want)
				}
			}
		}
	}
}

// TestDirectedEdges: only edges of one direction are compared.
func TestDirectedEdges(t *testing.T) {
	circle := graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 0}}, Directed: true}
	p, err := Design{}.Problem(t.Context(), circle, circle)
	if err != nil {
		t.Fatal(err)
	}
	// (0,1) with (0,1): K[0·3+0, 1·3+1] is one half, as K becomes (K+Kᵀ)/2.
	if v := p.Instance.Affinity.At(0, 4); v != .5 {
		t.Errorf("K of an edge with itself is %v, want .5", v)
	}
	if same, turned := p.Instance.Score(qap.Matching{0, 1, 2}), p.Instance.Score(qap.Matching{2, 1, 0}); same != 3 || turned != 0 {
		t.Errorf("scores %v of the same circle and %v of the other way round, want 3 and 0", same, turned)
	}
}

// TestSizeDoesNotMatter: points almost as large, and as small, as they may be have the edges
// and the matching of points of a usual size.
func TestSizeDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	places := scattered(9, 2, rng)
	for _, joins := range []Joins{{Rule: JoinDelaunay}, {Rule: JoinNearest, Nearest: 2}, {Rule: JoinComplete}} {
		var want qap.Matching
		var edges []graphs.Edge
		for _, exponent := range []int{0, 195, -195} { // by powers of two, which leave all bits
			var pair [2]graphs.Graph
			for k := range pair {
				pair[k] = graphs.Graph{Name: "scaled", Nodes: len(places)}
				for i, p := range places {
					if k == 1 { // the other graph is turned by a right angle, its nodes in another order
						p = []float64{-places[(i*2)%9][1], places[(i*2)%9][0]}
					}
					pair[k].Points = append(pair[k].Points, []float64{math.Ldexp(p[0], exponent), math.Ldexp(p[1], exponent)})
				}
			}
			o := matchOptions{Design: Design{Joins: joins, Complete: true}}
			p, err := o.Problem(t.Context(), pair[0], pair[1])
			if err != nil {
				t.Fatal(err)
			}
			m, err := match(t.Context(), pair[0], pair[1], o)
			if err != nil {
				t.Fatal(err)
			}
			if exponent == 0 {
				want, edges = m.Matching, p.Edges1
			}
			if !slices.Equal(m.Matching, want) || !slices.Equal(p.Edges1, edges) {
				t.Errorf("%s, 2^%d: %v by the edges %v, want %v by %v", joins, exponent, m.Matching, p.Edges1, want, edges)
			}
		}
	}
}

// TestHardPoints: Delaunay joins points that are one, on a line, or far out; every node
// has a neighbour.
func TestHardPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	twice := scattered(6, 2, rng)
	twice = append(twice, twice[0], twice[3], twice[3])
	line := [][]float64{{3, 3}, {1, 1}, {2, 2}, {1, 1}}
	grid := [][]float64{}
	for i := range 25 {
		grid = append(grid, []float64{float64(i % 5), float64(i / 5)})
	}
	const mostSize = 1e60 // as graphs.Check has it
	huge := scattered(7, 2, rng)
	for _, p := range huge {
		p[0] *= mostSize
		p[1] *= -mostSize
	}
	for name, points := range map[string][][]float64{
		"twice": twice, "line": line, "grid": grid, "huge": huge, "one place": {{1, 2}, {1, 2}, {1, 2}}, "two": {{0, 0}, {1, 0}}, "one": {{4, 4}},
	} {
		g := graphs.Graph{Name: name, Nodes: len(points), Points: points}
		for _, joins := range []Joins{{Rule: JoinDelaunay}, {Rule: JoinNearest, Nearest: 2}, {Rule: JoinComplete}} {
			p, err := Design{Joins: joins, Complete: true}.Problem(t.Context(), g, g)
			if err != nil {
				t.Errorf("%s, %s: %v", name, joins, err)
				continue
			}
			joined := make([]bool, len(points))
			for _, e := range p.Edges1 {
				joined[e.I], joined[e.J] = true, true
			}
			if slices.Contains(joined, false) && len(points) > 1 {
				t.Errorf("%s, %s: a node without neighbours, edges %v", name, joins, p.Edges1)
			}
			if m, err := match(t.Context(), g, g, matchOptions{Design: Design{Joins: joins, Complete: true}}); err != nil || m.Matching.Size() != len(points) {
				t.Errorf("%s, %s: %v, %v", name, joins, m.Matching, err)
			}
		}
	}
}

// TestProblemErrors: one error each that says what is missing.
func TestProblemErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	plane := graphs.Graph{Name: "plane", Nodes: 5, Points: scattered(5, 2, rng)}
	space := graphs.Graph{Name: "space", Nodes: 5, Points: scattered(5, 3, rng)}
	vaster := graphs.Graph{Nodes: 40_000, Edges: []graphs.Edge{{I: 0, J: 1}}}
	many := graphs.Graph{Name: "many", Nodes: 900, Points: scattered(900, 2, rng)}
	vast := graphs.Graph{Name: "vast", Nodes: 20_000, Points: scattered(20_000, 2, rng)} // joining it takes a minute
	linked := graphs.Graph{Name: "linked", Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}}}
	lonely := graphs.Graph{Name: "lonely", Nodes: 3, Edges: []graphs.Edge{}}
	infinite := graphs.Graph{Name: "infinite", Nodes: 1, Points: [][]float64{{math.Inf(1), 1}}}
	featured := graphs.Graph{Name: "featured", Nodes: 5, Points: plane.Points, Features: scattered(5, 2, rng)}
	other := graphs.Graph{Name: "other", Nodes: 5, Points: plane.Points, Features: scattered(5, 4, rng)}
	for want, test := range map[string]struct {
		g1, g2 graphs.Graph
		design Design
	}{
		"the points of plane have 2 coordinates, those of space 3": {plane, space, Design{}},
		"linked has no points":                                           {plane, linked, Design{}},
		"plane has no edges":                                             {plane, linked, Design{Joins: Joins{Rule: JoinGiven}}},
		"points of 3 coordinates have no Delaunay":                       {space, space, Design{Joins: Joins{Rule: JoinDelaunay}}},
		"the kernel direction needs points of the plane, which space":    {space, space, Design{Kernel: KernelDirection}},
		"the kernel weight needs given edges with weights, which linked": {linked, linked, Design{Kernel: KernelWeight}},
		`kernel "cubic": want auto, length`:                              {plane, plane, Design{Kernel: "cubic"}},
		"too many to compare: join each point with its 4 nearest":        {many, many, Design{Joins: Joins{Rule: JoinComplete}}},
		"nodes have 4e+08 pairs of edges, too many":                      {vast, vast, Design{}},
		"nodes have 6.4e+09 pairs of edges, too many":                    {vast, vast, Design{Joins: Joins{JoinNearest, 8}}},
		"a graph of 40000 nodes: want at most 32768":                     {vaster, linked, Design{}},
		"graphs: a graph: no nodes":                                      {graphs.Graph{}, plane, Design{}},
		"graphs: infinite: point 0 is [+Inf 1]: want a finite number":    {plane, infinite, Design{}},
		"nodes have 2 features in featured and 4 in other":               {featured, other, Design{}},
		"no node of one graph can be compared":                           {linked, lonely, Design{}},
		"edge 0: it joins 0 and 7: want nodes from 0 to 1":               {graphs.Graph{Nodes: 2, Edges: []graphs.Edge{{I: 0, J: 7}}}, linked, Design{}},
	} {
		_, err := test.design.Problem(t.Context(), test.g1, test.g2)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for _, text := range []string{"knn", "knn:0", "knn:x", "delaunay:2", "star", ""} {
		if j, err := ParseJoins(text); err == nil {
			t.Errorf("%q is read as %v", text, j)
		}
	}
}

func BenchmarkProblem200Delaunay(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	g := graphs.Graph{Nodes: 200, Points: scattered(200, 2, rng)}
	for b.Loop() {
		p, err := Design{Kernel: KernelDirection}.Problem(context.Background(), g, g)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(p.Edges1)*len(p.Edges2))*2, "entries")
	}
}

// four is the graph of the files four.* in testdata, which networkx 2.8.8 and NumPy
// 1.24 wrote.
func fourNodes() graphs.Graph {
	return graphs.Graph{
		Nodes: 4, Names: []string{"a", "b", "c", "d"},
		Points:   [][]float64{{0, 0}, {1, 0}, {1, 1.5}, {0, 2}},
		Features: [][]float64{{1}, {2}, {3}, {4}},
		Edges:    []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}}, Weights: []float64{.5, 2, 1},
		PointNames: []string{"x", "y"}, FeatureNames: []string{"age"},
		NodeWords: []graphs.Attribute[string]{{Name: "colour", Values: []string{"red & blue", "red & blue", "red & blue", "red & blue"}}},
	}
}
