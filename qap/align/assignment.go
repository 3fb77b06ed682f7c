package align

import (
	"cmp"
	"fmt"

	"github.com/rgm-go/rgm/qap"
)

// MostAssigned is up to how many nodes Assignment makes its matrices, which grow with the square.
const MostAssigned = 3000

// Assignment returns the problem in flows and distances, for searches over swaps: the matrices of
// the edges' weights, that of the smaller graph with nodes without edges to be as large as the
// other. Edges without directions are in a matrix twice, so that its objective is Sides times the
// problem's. The error wraps qap.ErrUnsupported where there are more nodes than MostAssigned, known
// pairs or similarities.
func (p *Problem) Assignment() (*qap.Instance, error) {
	if err := cmp.Or(p.Check(), p.Assignable()); err != nil {
		return nil, err
	}
	n := max(p.A.Nodes(), p.B.Nodes())
	return qap.NewKoopmansBeckmann(n, n, p.A.matrix(n), p.B.matrix(n), nil, qap.Maximize)
}

// Assignable returns the error of what flows and distances cannot say.
func (p *Problem) Assignable() error {
	switch n := max(p.A.Nodes(), p.B.Nodes()); {
	case n > MostAssigned:
		return fmt.Errorf("align: %d nodes as flows and distances: want at most %d: %w", n, MostAssigned, qap.ErrUnsupported)
	case len(p.Known)+len(p.Similar) > 0 || p.Attributes != nil || p.Kinds || p.Class1 != nil:
		return fmt.Errorf("align: flows and distances say nothing of known pairs, similarities, nor of attributes but weights: %w", qap.ErrUnsupported)
	}
	return nil
}

// Sides returns how often Assignment counts an edge.
func (p *Problem) Sides() int {
	if p.A.Directed() {
		return 1
	}
	return 2
}

// Assigned returns the matching of the two graphs in one of Assignment.
func (p *Problem) Assigned(m qap.Matching) qap.Matching {
	m = m[:p.A.Nodes()].Clone()
	for i, j := range m {
		if j >= p.B.Nodes() {
			m[i] = qap.Unmatched
		}
	}
	return m
}

// matrix returns the weights of the edges, n×n.
func (g *Graph) matrix(n int) []float64 {
	all := make([]float64, n*n)
	for i := range g.Nodes() {
		for e := g.start[i]; e < g.start[i+1]; e++ {
			out, _ := g.weights(e)
			all[i*n+int(g.to[e])] = float64(out)
		}
	}
	return all
}
