package request

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// Graph is one of two graphs to match. What is compared comes from what they have, as
// by rgm match.
type Graph struct {
	Nodes        int       `json:"nodes,omitempty" minimum:"0" doc:"how many (as many as it has points, features or names, or as its edges join)"`
	Names        []string  `json:"names,omitempty" doc:"of the nodes; the result has them too"`
	Points       *Vectors  `json:"points,omitempty" doc:"a place for each node: [x, y], or of more coordinates; null is unknown"`
	Features     *Vectors  `json:"features,omitempty" doc:"a vector for each node; null is unknown"`
	Edges        *Matrix   `json:"edges,omitempty" doc:"pairs [i, j] of nodes, from 0 (of points: chosen)"`
	Weights      []float64 `json:"weights,omitempty" doc:"a number for each edge"`
	EdgeFeatures *Matrix   `json:"edge_features,omitempty" doc:"a vector for each edge"`
	Directed     bool      `json:"directed,omitempty" doc:"edges lead from i to j"`
}

// pair returns the two graphs to match.
func (j *Instance) pair(limits rgm.Limits) (*Pair, error) {
	both := &Pair{Name: ShortName(j.Name), Kernel: j.Kernel, Scale: j.Scale}
	for k, g := range []*Graph{j.Graph1, j.Graph2} {
		name := fmt.Sprintf("graph%d", k+1)
		if g == nil {
			return nil, Invalid("/instance/"+name, "the graph is missing")
		}
		var err error
		if both.Graphs[k], err = g.graph(name, limits); err != nil {
			return nil, err
		}
	}
	return both, nil
}

// graph returns the graph, or the problem of what it has.
func (g *Graph) graph(name string, limits rgm.Limits) (graphs.Graph, error) {
	pointer := "/instance/" + name
	places, features := g.Points.matrix(), g.Features.matrix()
	n := cmp.Or(g.Nodes, places.length(), features.length(), len(g.Names))
	if n == 0 && g.Edges != nil {
		for _, v := range g.Edges.Data {
			n = max(n, int(min(v, maxNode))+1)
		}
	}
	if n == 0 {
		return graphs.Graph{}, Invalid(pointer, "want points, features, names or edges of at least one node")
	}
	if err := limits.CheckNodes(n, n); err != nil {
		return graphs.Graph{}, AsError(err, "/instance")
	}
	each := func(part string, given bool, have, want int) error {
		if given && have != want {
			return Invalid(pointer+"/"+part, "%d for %d nodes or edges: want one each", have, want)
		}
		return nil
	}
	vectors := func(part string, m *Matrix, want int) error {
		if m.length() > 0 && m.width() == 0 {
			return Invalid(pointer+"/"+part+"/0", "no numbers: want one at least")
		}
		return each(part, m != nil, m.length(), want)
	}
	edges := g.Edges.length()
	if err := cmp.Or(
		vectors("points", places, n), vectors("features", features, n), each("names", g.Names != nil, len(g.Names), n),
		each("weights", g.Weights != nil, len(g.Weights), edges), vectors("edge_features", g.EdgeFeatures, edges),
	); err != nil {
		return graphs.Graph{}, err
	}
	of := graphs.Graph{
		Name: name, Nodes: n, Names: g.Names, Points: places.rows(), Features: features.rows(),
		Directed: g.Directed, Weights: g.Weights, Relation: g.EdgeFeatures.rows(),
	}
	if g.Edges == nil {
		return of, nil
	}
	if edges > 0 && g.Edges.Cols != 2 {
		return of, Invalid(pointer+"/edges/0", "%d numbers: want two nodes [i, j]", g.Edges.Cols)
	}
	of.Edges = make([]graphs.Edge, edges)
	for k, e := range g.Edges.rows() {
		node := func(v float64) bool { return v == math.Trunc(v) && v >= 0 && v < float64(n) }
		if !node(e[0]) || !node(e[1]) || e[0] == e[1] {
			return of, Invalid(fmt.Sprintf("%s/edges/%d", pointer, k), "[%v, %v]: want two nodes from 0 to %d", e[0], e[1], n-1)
		}
		of.Edges[k] = graphs.Edge{I: int(e[0]), J: int(e[1])}
	}
	if err := of.Normalise(); err != nil {
		return of, Invalid(pointer+"/edges", "%s", WithoutPackage(err))
	}
	return of, nil
}

// maxNode is beyond all limits on nodes.
const maxNode = 1 << 30
