package pairs

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Relabelled returns the same pair with the nodes of both graphs in a random order,
// so that no method gains by the order in which nodes are listed. The truth and the
// points follow.
func (p Pair) Relabelled(rng *rand.Rand) (Pair, error) {
	n1, n2 := p.Instance.Size()
	order1, order2 := rng.Perm(n1), rng.Perm(n2)
	in, err := relabelled(p.Instance, order1, order2)
	if err != nil {
		return Pair{}, err
	}
	p.Instance = in
	if p.Truth != nil {
		p.Truth = relabelledMatching(p.Truth, order1, order2)
	}
	p.Points1, p.Points2 = reordered(p.Points1, order1), reordered(p.Points2, order2)
	return p, nil
}

// relabelledMatching returns a matching of nodes that now come in the given orders.
func relabelledMatching(m qap.Matching, order1, order2 []int) qap.Matching {
	place := make([]int, len(order2)) // where each node of graph 2 is now
	for b, a := range order2 {
		place[a] = b
	}
	now := qap.NewMatching(len(order1))
	for j, i := range order1 {
		if m[i] != qap.Unmatched {
			now[j] = place[m[i]]
		}
	}
	return now
}

func reordered(points []graphs.Point, order []int) []graphs.Point {
	if points == nil {
		return nil
	}
	now := make([]graphs.Point, len(points))
	for j, i := range order {
		now[j] = points[i]
	}
	return now
}

// relabelled returns the instance whose node i of graph 1 is order1[i] of in, and
// node a of graph 2 order2[a]. Its affinity has the form
// of that of in.
func relabelled(in *qap.Instance, order1, order2 []int) (*qap.Instance, error) {
	n1, n2 := in.Size()
	n := n1 * n2
	was := make([]int, n) // the vertex of in that each vertex stands for
	for p := range was {
		was[p] = order1[p/n2]*n2 + order2[p%n2]
	}
	var now *qap.Instance
	var err error
	switch k := in.Affinity.(type) {
	case *qap.Sparse:
		now, err = relabelledSparse(in, was)
	case *qap.EdgePairs:
		now = &qap.Instance{Sense: in.Sense, Affinity: k.Relabelled(order1, order2)}
	default:
		now, err = relabelledDense(in, was)
	}
	if err != nil {
		return nil, err
	}
	now.Name, now.Complete = in.Name, in.Complete
	return now, nil
}

func relabelledDense(in *qap.Instance, was []int) (*qap.Instance, error) {
	n1, n2 := in.Size()
	k, row := make([]float64, 0, len(was)*len(was)), make([]float64, len(was))
	for _, p := range was {
		in.Affinity.Row(row, p)
		for _, q := range was {
			k = append(k, in.Objective(row[q]))
		}
	}
	return qap.NewDense(n1, n2, k, in.Sense)
}

func relabelledSparse(in *qap.Instance, was []int) (*qap.Instance, error) {
	n1, n2 := in.Size()
	var entries []qap.Entry
	row := make([]float64, len(was))
	for p, old := range was {
		in.Affinity.Row(row, old)
		for q, old := range was {
			if v := row[old]; v != 0 {
				entries = append(entries, qap.Entry{P: p, Q: q, Value: in.Objective(v)})
			}
		}
	}
	return qap.NewSparse(n1, n2, entries, in.Sense)
}
