package graphs

import (
	"fmt"

	"github.com/rgm-go/rgm/qap/align"
)

// Structure returns the edges of a graph, and their weights, as package align takes them.
func (g *Graph) Structure() (*align.Graph, error) {
	s, err := align.NewGraph(g.Nodes, len(g.Edges), func(k int) (i, j int) { return g.Edges[k].I, g.Edges[k].J }, g.Weights, g.Directed)
	if err != nil {
		return nil, fmt.Errorf("graphs: %s: %w", g.Name, err)
	}
	return s, nil
}
