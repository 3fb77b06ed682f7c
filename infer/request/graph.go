package request

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// Graph is one of two graphs to match. What is compared comes from what they have, as
// by rgm match.
type Graph struct {
	Nodes        int       `json:"nodes,omitempty" minimum:"0" doc:"how many (as many as it has points, features or names, or as its edges join)"`
	Names        []string  `json:"names,omitempty" doc:"of the nodes; the result has them too"`
	Points       *Matrix   `json:"points,omitempty" doc:"a place for each node: [x, y], or of more coordinates"`
	Features     *Matrix   `json:"features,omitempty" doc:"a vector for each node"`
	Edges        *Matrix   `json:"edges,omitempty" doc:"pairs [i, j] of nodes, from 0 (of points: chosen)"`
	Weights      []float64 `json:"weights,omitempty" doc:"a number for each edge"`
	EdgeFeatures *Matrix   `json:"edge_features,omitempty" doc:"a vector for each edge"`
	Directed     bool      `json:"directed,omitempty" doc:"edges lead from i to j"`
}

// pair returns the two graphs to match.
func (j *Instance) pair(limits Limits) (*Pair, error) {
	both := &Pair{Pointer: "/instance", Name: ShortName(j.Name), Design: DesignOf(j.Kernel, j.Scale)}
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

// comparisons returns about how many operations it takes to compare the nodes of two
// graphs: of their features all pairs, and a sorted sample for the scale of each; of
// their places the distances within each graph.
func comparisons(g1, g2 *graphs.Graph) float64 {
	const sample, sorting = 300, 20
	n1, n2 := float64(g1.Nodes), float64(g2.Nodes)
	work := 0.0
	if len(g1.Features) > 0 && len(g2.Features) > 0 {
		work += float64(len(g1.Features[0])) * (n1*n2 + sorting*min(n1, sample)*min(n2, sample))
	}
	for _, g := range []*graphs.Graph{g1, g2} {
		if len(g.Points) > 0 {
			work += float64(len(g.Points[0])) * float64(g.Nodes) * float64(g.Nodes)
		}
	}
	return work
}

// mostEdges bounds the edges of a graph that are compared: those it has, or else all
// where the graphs are small, and at most so many neighbours of each point.
func mostEdges(g, other *graphs.Graph) int {
	const small, neighbours = 2500, 8
	switch {
	case g.Edges != nil && (other.Edges != nil || g.Points == nil || other.Points == nil):
		return len(g.Edges)
	case g.Points == nil:
		return 0
	case g.Nodes*other.Nodes <= small:
		return g.Nodes * (g.Nodes - 1) / 2
	case len(g.Points[0]) == 2: // of a triangulation, in which points at one place have the same neighbours
		at, most := map[[2]float64]int{}, 0
		for _, p := range g.Points {
			place := [2]float64(p)
			at[place]++
			most = max(most, at[place])
		}
		return min(3*g.Nodes*most*most, g.Nodes*(g.Nodes-1)/2)
	}
	return neighbours * g.Nodes
}

// graph returns the graph, or the problem of what it has.
func (g *Graph) graph(name string, limits Limits) (graphs.Graph, error) {
	pointer := "/instance/" + name
	n := cmp.Or(g.Nodes, g.Points.length(), g.Features.length(), len(g.Names))
	if n == 0 && g.Edges != nil {
		for _, v := range g.Edges.Data {
			n = max(n, int(min(v, maxNode))+1)
		}
	}
	if n == 0 {
		return graphs.Graph{}, Invalid(pointer, "want points, features, names or edges of at least one node")
	}
	if err := limits.CheckNodes(n, n); err != nil {
		return graphs.Graph{}, err
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
		vectors("points", g.Points, n), vectors("features", g.Features, n), each("names", g.Names != nil, len(g.Names), n),
		each("weights", g.Weights != nil, len(g.Weights), edges), vectors("edge_features", g.EdgeFeatures, edges),
	); err != nil {
		return graphs.Graph{}, err
	}
	of := graphs.Graph{
		Name: name, Nodes: n, Names: g.Names, Points: g.Points.rows(), Features: g.Features.rows(),
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
