package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/edited"
)

// editCosts is what edits of labels cost: the arithmetic of the benchmark, apart from that of package costs.
type editCosts struct {
	node, edge      float64                   // deleted or inserted
	relabel, rebond float64                   // where labels differ
	nodes, edges    func(x, y string) float64 // in their place
	edgeAlone       func(x string) float64    // in place of edge
}

var editModels = map[string]editCosts{
	"uniform": {node: 1, edge: 1, relabel: 1, rebond: 1},
	"chem2":   {node: 2.75, edge: .825, relabel: 5.5, rebond: .825},
	"protein": {node: 8.25, nodes: proteinNodes, edges: proteinEdges, edgeAlone: func(x string) float64 { return proteinEdges(x, "") }},
}

// proteinNodes compares type:sequence.
func proteinNodes(x, y string) float64 {
	t, p, _ := strings.Cut(x, ":")
	u, q, _ := strings.Cut(y, ":")
	if t != u {
		return 16.5
	}
	best := make([][]int, len(p)+1)
	for i := range best {
		best[i] = make([]int, len(q)+1)
		for j := range best[i] {
			switch {
			case i == 0 || j == 0:
				best[i][j] = i + j
			case p[i-1] == q[j-1]:
				best[i][j] = best[i-1][j-1]
			default:
				best[i][j] = 1 + min(best[i-1][j-1], best[i-1][j], best[i][j-1])
			}
		}
	}
	return .75 * float64(best[len(p)][len(q)])
}

// proteinEdges counts the types that only one of two has.
func proteinEdges(x, y string) float64 {
	types := func(label string) []string {
		if label == "" {
			return nil
		}
		return strings.Split(label, ",")
	}
	left, alone := types(y), 0
	for _, t := range types(x) {
		if at := slices.Index(left, t); at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else {
			alone++
		}
	}
	return .25 * float64(alone+len(left))
}

func (c *editCosts) substituted(node bool, x, y string) float64 {
	switch {
	case node && c.nodes != nil:
		return c.nodes(x, y)
	case !node && c.edges != nil:
		return c.edges(x, y)
	case x == y:
		return 0
	case node:
		return c.relabel
	}
	return c.rebond
}

func (c *editCosts) alone(label string) float64 {
	if c.edgeAlone != nil {
		return c.edgeAlone(label)
	}
	return c.edge
}

// costOf returns what the edits cost that a map of the nodes stands for.
func costOf(p *edited.Pair, image []int) (float64, error) {
	c, known := editModels[p.Costs]
	if !known {
		return 0, fmt.Errorf("costs %q: want uniform, chem2 or protein", p.Costs)
	}
	if err := edited.CheckMap(image, len(p.Graph1.Nodes), len(p.Graph2.Nodes)); err != nil {
		return 0, err
	}
	sum := c.node * float64(len(p.Graph2.Nodes))
	for i, a := range image {
		if a < 0 {
			sum += c.node
		} else {
			sum += c.substituted(true, p.Graph1.Nodes[i], p.Graph2.Nodes[a]) - c.node
		}
	}
	ends := func(i, j int) [2]int {
		if !p.Graph2.Directed && i > j {
			i, j = j, i
		}
		return [2]int{i, j}
	}
	left := map[[2]int]string{}
	for _, e := range p.Graph2.Edges {
		left[ends(e.I, e.J)] = e.Label
	}
	for _, e := range p.Graph1.Edges {
		at := ends(image[e.I], image[e.J])
		label, is := left[at]
		if !is {
			sum += c.alone(e.Label)
			continue
		}
		sum += c.substituted(false, e.Label, label)
		delete(left, at)
	}
	for _, label := range left {
		sum += c.alone(label)
	}
	return sum, nil
}
