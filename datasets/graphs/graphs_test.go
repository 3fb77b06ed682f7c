package graphs

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/testdata"
	"github.com/rgm-go/rgm/qap"
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
			if have := Delaunay.Edges(points); !slices.Equal(have, sortedEdges(want)) {
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

// TestGeometricFormula: entries of a dense and a sparse affinity, by hand.
func TestGeometricFormula(t *testing.T) {
	points1 := []Point{{0, 0}, {3, 4}, {0, 1}}           // lengths 5, 1, √18
	points2 := []Point{{0, 0}, {0, 2}, {-2, 0}, {5, 12}} // lengths 2, 2, 13, …
	at := func(g Geometric, i, a, j, b int) float64 {
		in, err := g.Instance(points1, points2)
		if err != nil {
			t.Fatal(err)
		}
		return in.Affinity.At(i*4+a, j*4+b)
	}
	turn := math.Atan2(4, 3) - math.Pi/2
	mean1 := (5 + 1 + math.Sqrt(18)) / 3
	mean2 := (2 + 2 + 13 + math.Sqrt(8) + math.Sqrt(125) + math.Sqrt(193)) / 6
	for _, c := range []struct {
		name       string
		have, want float64
	}{
		{"raw lengths", at(Geometric{Length: 7}, 0, 0, 1, 1), math.Exp(-9. / 7)},
		{"scaled", at(Geometric{Length: 7, Scale: .5}, 1, 1, 0, 0), .5 * math.Exp(-9./7)},
		{"directions", at(Geometric{Length: 7, Direction: .3}, 0, 0, 1, 1), math.Exp(-9./7 - turn*turn/.3)},
		{"directions across π", at(Geometric{Length: 1, Direction: 9}, 2, 1, 1, 3), math.Exp(-square(math.Sqrt(18)-math.Sqrt(125))/1 - square(math.Atan2(3, 3)-math.Atan2(10, 5))/9)},
		{"relative", at(Geometric{Length: .2, Relative: true}, 0, 0, 1, 1), math.Exp(-square(5/mean1-2/mean2) / .2)},
		{"conflict", at(Geometric{Length: 7}, 0, 0, 0, 1), 0},
		{"node", at(Geometric{Length: 7}, 0, 0, 0, 0), 0},
	} {
		if math.Abs(c.have-c.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", c.name, c.have, c.want)
		}
	}
	opposite := []Point{{0, 0}, {-1, 1e-3}}
	across, err := (Geometric{Length: 1, Direction: 1}).Instance(opposite, []Point{{0, 0}, {-1, -1e-3}})
	if err != nil || across.Affinity.At(0, 3) < 1-1e-5 {
		t.Errorf("directions on both sides of π: K = %v, %v; want nearly 1", across.Affinity.At(0, 3), err)
	}
}

// TestHouseSparse: the affinity of CMU frames is that of the .dd files, and the truth
// scores what the benchmark publishes.
func TestHouseSparse(t *testing.T) {
	frames := readFrames(t, testdata.Path(t, "data", "cmu", "house_xy.npy"))
	var pairs []struct {
		Name           string
		Frame1, Frame2 int
		Optimum        float64
	}
	testdata.ReadJSON(t, &pairs, "data", "cmu", "house_sparse_pairs.json")
	for _, p := range pairs {
		in, err := HouseSparse.Instance(frames[p.Frame1], frames[p.Frame2])
		if err != nil {
			t.Fatal(err)
		}
		identity := make(qap.Matching, 30)
		for i := range identity {
			identity[i] = i
		}
		if score := in.Score(identity); math.Abs(score-p.Optimum) > 2e-6 { // of the published value
			t.Errorf("%s: the identity scores %v, want %v", p.Name, score, p.Optimum)
		}
		compareWithDD(t, p.Name, in)
	}
}

// compareWithDD compares all entries with those of the .dd file of a name, if there
// is one.
func compareWithDD(t *testing.T, name string, in *qap.Instance) {
	t.Helper()
	path := testdata.Path(t, "data", "dd") + "/" + name + ".dd"
	if _, err := os.Stat(path); err != nil {
		return
	}
	for want, err := range datasets.Open(path, datasets.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		rowHave, rowWant := make([]float64, 900), make([]float64, 900)
		for p := range rowHave {
			in.Affinity.Row(rowHave, p)
			want.Affinity.Row(rowWant, p)
			for q := range rowHave {
				if math.Abs(rowHave[q]-rowWant[q]) > 1e-6 { // of the file's digits
					t.Fatalf("%s: K[%d,%d] = %v, want %v", name, p, q, rowHave[q], rowWant[q])
				}
			}
		}
	}
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
	if _, err := (Design{}).Problem(t.Context(), g, g); err == nil {
		t.Error("all pairs of a million nodes were compared")
	}
}
