package graphs

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/testdata"
)

func randomPoints(n int, rng *rand.Rand) []Point {
	points := make([]Point, n)
	for i := range points {
		points[i] = Point{rng.Float64(), rng.Float64()}
	}
	return points
}

// TestDelaunay: small sets whose triangulation is known.
func TestDelaunay(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []Point
		want   []Edge
	}{
		{"none", nil, nil},
		{"one", []Point{{1, 1}}, nil},
		{"two", []Point{{1, 1}, {0, 0}}, []Edge{{0, 1}}},
		{"triangle", []Point{{0, 0}, {1, 0}, {0, 1}}, []Edge{{0, 1}, {0, 2}, {1, 2}}},
		{"a line", []Point{{0, 0}, {2, 2}, {1, 1}}, []Edge{{0, 2}, {1, 2}}},
		{"a centre", []Point{{0, 0}, {4, 0}, {2, 3}, {2, 1}}, []Edge{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
		{"a kite", []Point{{0, 0}, {1, 3}, {2, 0}, {1, -3}}, []Edge{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}},
		{"a point twice", []Point{{0, 0}, {1, 0}, {1, 0}, {0, 1}}, []Edge{{0, 1}, {0, 3}, {1, 3}}},
		{"a point on a side", []Point{{0, 0}, {2, 0}, {0, 2}, {1, 0}}, []Edge{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
	} {
		if have := Delaunay.Edges(c.points); !slices.Equal(have, c.want) {
			t.Errorf("%s: edges %v, want %v", c.name, have, c.want)
		}
	}
}

// TestDelaunayEmptyCircles: for every edge some circle through its ends holds no
// other point, and for every pair without an edge none does (O(n³) check).
func TestDelaunayEmptyCircles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		points := randomPoints(3+rng.IntN(20), rng)
		edges := Delaunay.Edges(points)
		for _, e := range Complete.Edges(points) {
			if have, want := slices.Contains(edges, e), hasEmptyCircle(points, e); have != want {
				t.Fatalf("%v: edge %v: %v, empty circle: %v", points, e, have, want)
			}
		}
	}
}

// hasEmptyCircle reports whether a circle through both ends of e holds no other point.
// Circles are told apart by the place of their centre on the bisector of e.
func hasEmptyCircle(points []Point, e Edge) bool {
	a, b := points[e.I], points[e.J]
	low, high := math.Inf(-1), math.Inf(1)
	for k, p := range points {
		if k == e.I || k == e.J {
			continue
		}
		// |c−p|² ≥ |c−a|² for the centre c = (a+b)/2 + t·(normal of b−a).
		mx, my, nx, ny := (a.X+b.X)/2, (a.Y+b.Y)/2, a.Y-b.Y, b.X-a.X
		slope := 2 * (nx*(a.X-p.X) + ny*(a.Y-p.Y))
		rest := square(mx-a.X) + square(my-a.Y) - square(mx-p.X) - square(my-p.Y)
		if slope > 0 {
			low = max(low, rest/slope)
		} else {
			high = min(high, rest/slope)
		}
	}
	return low < high
}

// TestDelaunayOfFrames: the edges that the CMU data come with.
func TestDelaunayOfFrames(t *testing.T) {
	for _, film := range []string{"house", "hotel"} {
		frames := readFrames(t, testdata.Path(t, "data", "cmu", film+"_xy.npy"))
		var listed [][][2]int
		testdata.ReadJSON(t, &listed, "data", "cmu", film+"_delaunay_edges.json")
		for f, points := range frames {
			var want []Edge
			for _, e := range listed[f] {
				want = append(want, Edge{e[0], e[1]})
			}
			if have := Delaunay.Edges(points); !slices.Equal(have, SortedEdges(want)) {
				t.Errorf("%s frame %d: %d edges %v, want %d %v", film, f, len(have), have, len(want), want)
			}
		}
	}
}

func readFrames(t *testing.T, path string) [][]Point {
	t.Helper()
	array, err := datasets.OpenNPY(path)
	if err != nil {
		t.Fatal(err)
	}
	frames := make([][]Point, array.Shape[0])
	for f := range frames {
		for i := range array.Shape[1] {
			at := 2 * (f*array.Shape[1] + i)
			frames[f] = append(frames[f], Point{array.Data[at], array.Data[at+1]})
		}
	}
	return frames
}

// TestLargeGraph: edges of a graph of a million nodes are sorted, and repetitions dropped,
// in time linear in them.
func TestLargeGraph(t *testing.T) {
	const n, m = 1_000_000, 2_000_000
	g := Graph{Nodes: n, Edges: make([]Edge, 0, m)}
	rng := rand.New(rand.NewPCG(1, 1))
	for range m {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			g.Edges = append(g.Edges, Edge{i, j}, Edge{j, i})
		}
	}
	if err := g.Normalise(); err != nil {
		t.Fatal(err)
	}
	increasing := slices.IsSortedFunc(g.Edges, func(x, y Edge) int { return cmp.Or(cmp.Compare(x.I, y.I), cmp.Compare(x.J, y.J)) })
	if !increasing || len(slices.Compact(slices.Clone(g.Edges))) != len(g.Edges) || g.Edges[0].I >= g.Edges[0].J {
		t.Error("the edges are not sorted, each once")
	}
}
