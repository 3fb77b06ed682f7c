package graphs

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
)

// TestGaussianOfLengths: lengths as the one feature of edges give the geometric
// affinity.
func TestGaussianOfLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	points1, points2 := randomPoints(5, rng), randomPoints(7, rng)
	featured := func(points []Point) Featured {
		a := PaperSynthetic.arcs(points)
		g := Featured{Nodes: len(points), Arcs: a.ends}
		for _, l := range a.lengths {
			g.ArcFeatures = append(g.ArcFeatures, []float64{l})
		}
		for i := range points {
			g.NodeFeatures = append(g.NodeFeatures, []float64{float64(i), 1})
		}
		return g
	}
	have, err := Gaussian{Node: 2, Edge: PaperSynthetic.Length}.Instance(featured(points1), featured(points2))
	if err != nil {
		t.Fatal(err)
	}
	want, err := PaperSynthetic.Instance(points1, points2)
	if err != nil {
		t.Fatal(err)
	}
	for p := range 35 {
		for q := range 35 {
			expected := want.Affinity.At(p, q)
			if p == q {
				expected = math.Exp(-square(float64(p/7-p%7)) / 2)
			}
			if math.Abs(have.Affinity.At(p, q)-expected) > 1e-15 {
				t.Fatalf("K[%d,%d] = %v, want %v", p, q, have.Affinity.At(p, q), expected)
			}
		}
	}
}

// TestReadFeatured: a folder as NumPy writes it, with and without node features, and
// what is wrong with others.
func TestReadFeatured(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, data []float64, shape ...int) {
		t.Helper()
		var b bytes.Buffer
		if err := datasets.WriteArray(&b, datasets.Array{Shape: shape, Data: data}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(want string) {
		t.Helper()
		if _, err := ReadFeatured(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	fails("edges.npy")
	write("edges.npy", []float64{0, 1, 1, 2}, 2, 2)
	write("edge_features.npy", []float64{1, 2, 3, 4, 5, 6}, 2, 3)
	g, err := ReadFeatured(folder)
	if err != nil || g.Nodes != 3 || g.NodeFeatures != nil || g.ArcFeatures[1][2] != 6 || g.Arcs[1] != (Edge{1, 2}) {
		t.Errorf("%+v, %v", g, err)
	}
	write("nodes.npy", []float64{1, 2, 3, 4}, 4, 1)
	if g, err = ReadFeatured(folder); err != nil || g.Nodes != 4 || g.NodeFeatures[3][0] != 4 {
		t.Errorf("%+v, %v", g, err)
	}
	write("nodes.npy", []float64{1, 2}, 2, 1)
	fails("edge 1 joins 1 and 2: want two of the nodes 0..1")
	write("nodes.npy", []float64{1, 2}, 2)
	fails("nodes.npy has 1 dimensions: want 2")
	write("nodes.npy", []float64{1, 2, 3}, 3, 1)
	write("edges.npy", []float64{0, 1, 1, .5}, 2, 2)
	fails("row 1 of edges.npy is [1 0.5]: want two nodes")
	write("edges.npy", []float64{0, 1}, 1, 2)
	fails("2 edge features of")
}

// TestUnusableInput: one clear error each.
func TestUnusableInput(t *testing.T) {
	points := []Point{{0, 0}, {1, math.NaN()}}
	good := Featured{Nodes: 2, Arcs: []Edge{{0, 1}}, ArcFeatures: [][]float64{{1}}}
	longer := Featured{Nodes: 2, Arcs: []Edge{{0, 1}}, ArcFeatures: [][]float64{{1, 2}}}
	named := Featured{Nodes: 1, NodeFeatures: [][]float64{{1}}}
	huge := Featured{Nodes: 2, Arcs: []Edge{{0, 1}}, ArcFeatures: [][]float64{{1e200}}}
	for want, build := range map[string]func() error{
		"node 1 of graph 1 is at (1, NaN)":                           func() error { _, err := PaperSynthetic.Instance(points, nil); return err },
		"graph 2 is at (-1e+308, 1): want a number of at most 1e+60": func() error { _, err := PaperSynthetic.Instance(nil, []Point{{-1e308, 1}}); return err },
		"feature vector 0 is [1e+200]: want a number of at most":     func() error { _, err := Gaussian{1, 1}.Instance(good, huge); return err },
		"want a positive length":                                     func() error { _, err := Geometric{}.Instance(nil, nil); return err },
		"edge features of lengths 1 and 2":                           func() error { _, err := Gaussian{1, 1}.Instance(good, longer); return err },
		"one graph has node features":                                func() error { _, err := Gaussian{1, 1}.Instance(good, named); return err },
		"want positive numbers":                                      func() error { _, err := Gaussian{1, 0}.Instance(good, good); return err },
		`edges "star": want complete or dela`:                        func() error { _, err := ParseEdgeRule("star"); return err },
	} {
		if err := build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
