package graphs

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
)

// Featured is a graph whose nodes and edges have feature vectors.
type Featured struct {
	Nodes        int
	NodeFeatures [][]float64 // one a node; nil where nodes have none
	Arcs         []Edge      // with direction: an edge without one is listed in both
	ArcFeatures  [][]float64 // one an arc
}

// Gaussian says how alike feature vectors u and v are: exp(−|u−v|²/σ), with a σ > 0
// for nodes and one for edges.
type Gaussian struct{ Node, Edge float64 }

// Instance returns the problem of matching two graphs. Node affinities are 0 where
// the graphs have no node features.
func (g Gaussian) Instance(graph1, graph2 Featured) (*qap.Instance, error) {
	err := errors.Join(graph1.check(), graph2.check())
	switch {
	case err != nil:
		return nil, err
	case g.Node <= 0 || g.Edge <= 0:
		return nil, fmt.Errorf("graphs: widths %v for nodes and %v for edges: want positive numbers", g.Node, g.Edge)
	case (graph1.NodeFeatures == nil) != (graph2.NodeFeatures == nil):
		return nil, errors.New("graphs: one graph has node features, the other has none")
	case length(graph1.NodeFeatures) != length(graph2.NodeFeatures) && graph1.Nodes > 0 && graph2.Nodes > 0:
		return nil, fmt.Errorf("graphs: node features of lengths %d and %d: want the same for both graphs", length(graph1.NodeFeatures), length(graph2.NodeFeatures))
	case length(graph1.ArcFeatures) != length(graph2.ArcFeatures) && len(graph1.Arcs) > 0 && len(graph2.Arcs) > 0:
		return nil, fmt.Errorf("graphs: edge features of lengths %d and %d: want the same for both graphs", length(graph1.ArcFeatures), length(graph2.ArcFeatures))
	}
	edge := func(e, f int) float64 { return alike(graph1.ArcFeatures[e], graph2.ArcFeatures[f], g.Edge) }
	var node func(i, a int) float64
	if graph1.NodeFeatures != nil {
		node = func(i, a int) float64 { return alike(graph1.NodeFeatures[i], graph2.NodeFeatures[a], g.Node) }
	}
	return assemble(graph1.Nodes, graph2.Nodes, graph1.Arcs, graph2.Arcs, false, node, edge)
}

// alike returns exp(−|u−v|²/width).
func alike(u, v []float64, width float64) float64 {
	sum := 0.0
	for k := range u {
		sum += square(u[k] - v[k])
	}
	return math.Exp(-sum / width)
}

// length returns the length of the first vector, 0 where there is none.
func length(vectors [][]float64) int {
	if len(vectors) == 0 {
		return 0
	}
	return len(vectors[0])
}

// check returns an error unless there is a vector of one length for each node, if
// for any, and for each arc, and arcs join two nodes.
func (g Featured) check() error {
	if g.NodeFeatures != nil && len(g.NodeFeatures) != g.Nodes || len(g.ArcFeatures) != len(g.Arcs) {
		return fmt.Errorf("graphs: %d node and %d edge features of %d nodes and %d edges", len(g.NodeFeatures), len(g.ArcFeatures), g.Nodes, len(g.Arcs))
	}
	for _, vectors := range [][][]float64{g.NodeFeatures, g.ArcFeatures} {
		for k, v := range vectors {
			if len(v) != length(vectors) {
				return fmt.Errorf("graphs: feature vector %d has length %d, others %d", k, len(v), length(vectors))
			}
			for _, x := range v {
				if err := checkNumber(x); err != nil {
					return fmt.Errorf("graphs: feature vector %d is %v: %w", k, v, err)
				}
			}
		}
	}
	for k, e := range g.Arcs {
		if min(e.I, e.J) < 0 || max(e.I, e.J) >= g.Nodes || e.I == e.J {
			return fmt.Errorf("graphs: edge %d joins %d and %d: want two of the nodes 0..%d", k, e.I, e.J, g.Nodes-1)
		}
	}
	return nil
}

// ReadFeatured reads a graph from a folder of .npy files: nodes.npy, node features
// (n, d); edges.npy, the two nodes of each edge with direction (e, 2);
// edge_features.npy (e, c). Without nodes.npy there are no node features, and as
// many nodes as the edges name.
func ReadFeatured(folder string) (Featured, error) {
	var g Featured
	ends, err := readRows(filepath.Join(folder, "edges.npy"))
	if err != nil {
		return g, err
	}
	for k, e := range ends {
		if len(e) != 2 || e[0] != math.Trunc(e[0]) || e[1] != math.Trunc(e[1]) || math.Abs(e[0])+math.Abs(e[1]) > math.MaxInt32 {
			return g, fmt.Errorf("graphs: %s: row %d of edges.npy is %v: want two nodes", folder, k, e)
		}
		g.Arcs = append(g.Arcs, Edge{int(e[0]), int(e[1])})
		g.Nodes = max(g.Nodes, int(e[0])+1, int(e[1])+1)
	}
	if g.ArcFeatures, err = readRows(filepath.Join(folder, "edge_features.npy")); err != nil {
		return g, err
	}
	g.NodeFeatures, err = readRows(filepath.Join(folder, "nodes.npy"))
	switch {
	case err == nil:
		g.Nodes = len(g.NodeFeatures)
	case !errors.Is(err, fs.ErrNotExist):
		return g, err
	}
	if err := g.check(); err != nil {
		return g, fmt.Errorf("%s: %w", folder, err)
	}
	return g, nil
}

// readRows reads a .npy file of two dimensions.
func readRows(path string) ([][]float64, error) {
	array, err := datasets.OpenNPY(path)
	if err != nil {
		return nil, err
	}
	if len(array.Shape) != 2 {
		return nil, fmt.Errorf("graphs: %s has %d dimensions: want 2", path, len(array.Shape))
	}
	rows, cols := array.Shape[0], array.Shape[1]
	vectors := make([][]float64, rows)
	for k := range vectors {
		vectors[k] = array.Data[k*cols : (k+1)*cols]
	}
	return vectors, nil
}
