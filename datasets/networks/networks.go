// Package networks makes graphs without attributes by the models of the field, and noisy
// copies of graphs whose alignment is known.
package networks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Kinds returns the names of the models that Generate knows.
func Kinds() []string {
	return []string{"barabasi-albert", "erdos-renyi", "watts-strogatz", "chung-lu", "geometric"}
}

// Generate returns a graph of a kind with about degree·nodes/2 edges:
//
//   - barabasi-albert: every node joins degree/2 earlier ones, by their degrees
//     (doi:10.1126/science.286.5439.509).
//   - erdos-renyi: so many edges at random.
//   - watts-strogatz: a ring of neighbours, a tenth of whose edges go elsewhere
//     (doi:10.1038/30918).
//   - chung-lu: edges by expected degrees, those of a power law of exponent 2.5
//     (doi:10.1073/pnas.252631999).
//   - geometric: points of the unit square nearer than a radius.
func Generate(kind string, nodes int, degree float64, seed uint64) (graphs.Graph, error) {
	if nodes < 3 || nodes >= 1<<30 || !(degree >= 1) || degree > float64(nodes-1)/2 {
		return graphs.Graph{}, fmt.Errorf("networks: %d nodes of mean degree %v: want 3 nodes or more, and a degree from 1 to half as many", nodes, degree)
	}
	m := maker{rng: rand.New(rand.NewPCG(seed, 0x6e6574)), nodes: nodes, degree: degree}
	switch kind {
	case "barabasi-albert":
		m.attach()
	case "erdos-renyi":
		m.draw(func() int { return m.rng.IntN(nodes) })
	case "watts-strogatz":
		m.rewire()
	case "chung-lu":
		m.draw(m.byWeight())
	case "geometric":
		m.joinNear()
	default:
		return graphs.Graph{}, fmt.Errorf("networks: the model %q: want one of %v", kind, Kinds())
	}
	return graphs.Graph{Name: kind, Nodes: nodes, Edges: unique(m.edges)}, nil
}

// maker makes the edges of a graph, some more than once.
type maker struct {
	rng    *rand.Rand
	nodes  int
	degree float64
	edges  []graphs.Edge
}

func (m *maker) join(i, j int) {
	if i != j {
		m.edges = append(m.edges, graphs.Edge{I: min(i, j), J: max(i, j)})
	}
}

// unique sorts edges and drops repetitions.
func unique(edges []graphs.Edge) []graphs.Edge {
	slices.SortFunc(edges, func(x, y graphs.Edge) int {
		if x.I != y.I {
			return x.I - y.I
		}
		return x.J - y.J
	})
	return slices.Compact(edges)
}

func (m *maker) attach() {
	each := max(1, int(m.degree/2))
	var ends []int // every node as often as it has edges
	for i := range m.nodes {
		if i <= each {
			for j := range i {
				m.join(i, j)
				ends = append(ends, i, j)
			}
			continue
		}
		var chosen []int
		for len(chosen) < each {
			if j := ends[m.rng.IntN(len(ends))]; !slices.Contains(chosen, j) {
				chosen = append(chosen, j)
			}
		}
		for _, j := range chosen {
			m.join(i, j)
			ends = append(ends, i, j)
		}
	}
}

// draw makes edges whose ends are drawn one by one.
func (m *maker) draw(end func() int) {
	for range int(m.degree * float64(m.nodes) / 2) {
		m.join(end(), end())
	}
}

// byWeight draws nodes in proportion to (i+10)^(−2/3), the expected degrees of a power law of
// exponent 2.5.
func (m *maker) byWeight() func() int {
	sums, sum := make([]float64, m.nodes), 0.0
	for i := range sums {
		sum += math.Pow(float64(i)+10, -1/1.5)
		sums[i] = sum
	}
	return func() int {
		at, _ := slices.BinarySearch(sums, m.rng.Float64()*sum)
		return min(at, m.nodes-1)
	}
}

func (m *maker) rewire() {
	const elsewhere = 0.1
	for i := range m.nodes {
		for d := range max(1, int(m.degree/2)) {
			j := (i + d + 1) % m.nodes
			if m.rng.Float64() < elsewhere {
				j = m.rng.IntN(m.nodes)
			}
			m.join(i, j)
		}
	}
}

func (m *maker) joinNear() {
	radius := math.Sqrt(m.degree / (math.Pi * float64(m.nodes)))
	side := max(1, int(1/radius))
	x, y := make([]float64, m.nodes), make([]float64, m.nodes)
	cells := make([][]int, side*side)
	place := func(v float64) int { return min(side-1, int(v*float64(side))) }
	for i := range m.nodes {
		x[i], y[i] = m.rng.Float64(), m.rng.Float64()
		c := place(x[i])*side + place(y[i])
		cells[c] = append(cells[c], i)
	}
	for i := range m.nodes {
		for cx := max(0, place(x[i])-1); cx <= min(side-1, place(x[i])+1); cx++ {
			for cy := max(0, place(y[i])-1); cy <= min(side-1, place(y[i])+1); cy++ {
				for _, j := range cells[cx*side+cy] {
					if j > i && math.Hypot(x[i]-x[j], y[i]-y[j]) < radius {
						m.join(i, j)
					}
				}
			}
		}
	}
}

// Noise says how a copy of a graph is changed.
type Noise struct {
	Removed  float64 // share of edges that the copy loses, but for those that are the last of a node
	Replaced bool    // random edges come in the place of those removed, whether or not these are the last of a node
	Gone     float64 // share of nodes that the copy loses
	Seed     uint64
}

// Copy returns a copy of a graph with its nodes in another order, changed by noise, and the
// node of the copy for every node of the graph: the protocol of Skitsas, Orlowski, Hermanns,
// Mottin, Karras, EDBT 2023, doi:10.48786/edbt.2023.21, but for nodes that are gone.
func (n Noise) Copy(g graphs.Graph) (graphs.Graph, qap.Matching) {
	rng := rand.New(rand.NewPCG(n.Seed, 0x636f7079))
	left := g.Nodes - int(n.Gone*float64(g.Nodes))
	truth := qap.NewMatching(g.Nodes)
	for k, i := range rng.Perm(g.Nodes)[:left] {
		truth[i] = k
	}
	noisy := graphs.Graph{Name: g.Name + "-copy", Nodes: left, Directed: g.Directed}
	remove := n.removed(g, rng)
	for k, e := range g.Edges {
		if i, j := truth[e.I], truth[e.J]; !remove[k] && i != qap.Unmatched && j != qap.Unmatched {
			if !g.Directed && i > j {
				i, j = j, i
			}
			noisy.Edges = append(noisy.Edges, graphs.Edge{I: i, J: j})
			if g.Weights != nil {
				noisy.Weights = append(noisy.Weights, g.Weights[k])
			}
		}
	}
	if n.Replaced {
		n.add(&noisy, len(g.Edges)-len(noisy.Edges), rng)
	}
	return noisy, truth
}

// add adds random edges, of weight 1, that are not there.
func (n Noise) add(g *graphs.Graph, count int, rng *rand.Rand) {
	has := map[graphs.Edge]bool{}
	for _, e := range g.Edges {
		has[e] = true
	}
	for count > 0 {
		e := graphs.Edge{I: rng.IntN(g.Nodes), J: rng.IntN(g.Nodes)}
		if !g.Directed && e.I > e.J {
			e.I, e.J = e.J, e.I
		}
		if e.I == e.J || has[e] {
			continue
		}
		has[e] = true
		g.Edges = append(g.Edges, e)
		if g.Weights != nil {
			g.Weights = append(g.Weights, 1)
		}
		count--
	}
}

// removed chooses the edges that a copy loses.
func (n Noise) removed(g graphs.Graph, rng *rand.Rand) []bool {
	degree := make([]int, g.Nodes)
	for _, e := range g.Edges {
		degree[e.I]++
		degree[e.J]++
	}
	removed := make([]bool, len(g.Edges))
	for _, k := range rng.Perm(len(g.Edges))[:int(n.Removed*float64(len(g.Edges)))] {
		if e := g.Edges[k]; n.Replaced || degree[e.I] > 1 && degree[e.J] > 1 {
			degree[e.I]--
			degree[e.J]--
			removed[k] = true
		}
	}
	return removed
}
