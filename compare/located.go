package compare

import "github.com/rgm-go/rgm/datasets/graphs"

// located returns the nodes of a graph whose coordinates are all known, and their points.
func located(g *graphs.Graph) (nodes []int, points [][]float64) {
	for i, p := range g.Points {
		if graphs.Known(p) {
			nodes, points = append(nodes, i), append(points, p)
		}
	}
	return nodes, points
}

// numbersOf returns the number that each of so many nodes has among some, −1 of the others.
func numbersOf(nodes []int, count int) []int {
	numbers := make([]int, count)
	for i := range numbers {
		numbers[i] = -1
	}
	for k, i := range nodes {
		numbers[i] = k
	}
	return numbers
}

// renamed returns edges between some nodes as edges between those of the graph, in their order.
func renamed(edges []graphs.Edge, nodes []int) []graphs.Edge {
	for k, e := range edges {
		edges[k] = graphs.Edge{I: nodes[e.I], J: nodes[e.J]}
	}
	return edges
}
