package reweigh

import (
	"context"

	"github.com/rgm-go/rgm/qap"
)

// structure says which nodes of each graph have an edge, as far as K tells: those
// between which some affinity is not 0.
type structure struct {
	n1, n2       int
	edges1       []bool // of i·n1+j, both ways
	edges2       []bool
	count1       int // edges, each once
	count2       int
	affinities   int // edge affinities that are not 0, p < q
	edgeAffinity int // pairs of an edge and an edge, each of both ways
}

// structureOf looks at an instance.
func structureOf(ctx context.Context, in *qap.Instance) (*structure, error) {
	n1, n2 := in.Size()
	s := &structure{n1: n1, n2: n2, edges1: make([]bool, n1*n1), edges2: make([]bool, n2*n2)}
	err := in.EachEdgeContext(ctx, func(p, q int, _ float64) {
		i, a, j, b := p/n2, p%n2, q/n2, q%n2
		s.edges1[i*n1+j], s.edges1[j*n1+i] = true, true
		s.edges2[a*n2+b], s.edges2[b*n2+a] = true, true
		s.affinities++
	})
	s.count1, s.count2 = len(s.list1()), len(s.list2())
	s.edgeAffinity = 2 * s.count1 * s.count2
	return s, err
}

func (s *structure) list1() [][2]int { return edgeList(s.edges1, s.n1) }
func (s *structure) list2() [][2]int { return edgeList(s.edges2, s.n2) }

func edgeList(joined []bool, n int) (edges [][2]int) {
	for i := range n {
		for j := range i {
			if joined[i*n+j] {
				edges = append(edges, [2]int{j, i})
			}
		}
	}
	return edges
}

// zeros returns the share of the pairs of edges whose affinity is 0.
func (s *structure) zeros() float64 {
	if s.edgeAffinity == 0 {
		return 0
	}
	return 1 - float64(s.affinities)/float64(s.edgeAffinity)
}

// mostZeros bounds the share of zeros among the pairs of edges of a sparse instance that
// are filled: what is held of it grows by no more than four times.
const mostZeros = 0.75

// filled returns an instance that has v, the least of all evidence, where the affinity is
// 0 although an edge of graph 1 meets one of graph 2, or an edge meets two nodes without
// one: these are not alike at all, which is worse than being a little alike. Where neither
// pair of nodes has an edge 0 stays, it says nothing. An edge that meets none is left at 0
// too where that would take a matrix too large to hold (mostDense).
func (s *structure) filled(ctx context.Context, in *qap.Instance, v float64) (*qap.Instance, error) {
	_, dense := in.Affinity.(*qap.Dense)
	dense = dense || s.n1*s.n2 <= mostDense
	_, product := in.Affinity.(*qap.EdgePairs)
	alike := s.affinities == s.edgeAffinity
	if alike && (!dense || s.joined()) || !dense && !product && s.zeros() > mostZeros {
		return in, nil
	}
	var now *qap.Instance
	var err error
	if dense {
		now, err = s.filledDense(ctx, in, v)
	} else {
		now, err = s.filledPairs(ctx, in, v)
	}
	if err == nil {
		now.Name, now.Complete = in.Name, in.Complete
	}
	return now, err
}

// joined reports whether all pairs of nodes have an edge.
func (s *structure) joined() bool {
	return s.count1 == s.n1*(s.n1-1)/2 && s.count2 == s.n2*(s.n2-1)/2
}

func (s *structure) filledDense(ctx context.Context, in *qap.Instance, v float64) (*qap.Instance, error) {
	return qap.DenseByRows(ctx, s.n1, s.n2, func(p int, row []float64) {
		in.Affinity.Row(row, p)
		i, a := p/s.n2, p%s.n2
		edges2 := s.edges2[a*s.n2 : (a+1)*s.n2]
		for j, joined := range s.edges1[i*s.n1 : (i+1)*s.n1] {
			if j == i {
				continue
			}
			of := row[j*s.n2 : (j+1)*s.n2]
			for b, alsoJoined := range edges2 {
				if (joined || alsoJoined) && of[b] == 0 && b != a {
					of[b] = v
				}
			}
		}
	})
}

func (s *structure) filledPairs(ctx context.Context, in *qap.Instance, v float64) (*qap.Instance, error) {
	nodes := make([]float64, s.n1*s.n2)
	in.Affinity.Diagonal(nodes)
	edges1, edges2 := s.list1(), s.list2()
	ended := false
	now, err := qap.NewEdgePairs(s.n1, s.n2, edges1, edges2, nodes, func(e, f int, crosswise bool) float64 {
		if f == 0 && !crosswise {
			ended = ended || over(ctx)
		}
		if ended {
			return 0
		}
		x, y := edges1[e], edges2[f]
		if crosswise {
			y[0], y[1] = y[1], y[0]
		}
		if w := in.Affinity.At(x[0]*s.n2+y[0], x[1]*s.n2+y[1]); w != 0 {
			return w
		}
		return v
	}, qap.Maximize)
	if ended {
		return nil, whyEnded(ctx)
	}
	return now, err
}

// mostDense is the number of vertices up to which sparse affinities are searched in a
// dense copy, which finds the same matchings in a third of the time: 20 MB.
const mostDense = 1600

// inDense returns an instance with its affinities held densely.
func inDense(ctx context.Context, in *qap.Instance) (*qap.Instance, error) {
	n1, n2 := in.Size()
	n := n1 * n2
	k := make([]float64, n*n)
	err := in.EachEdgeContext(ctx, func(p, q int, v float64) { k[p*n+q], k[q*n+p] = v, v })
	if err != nil {
		return nil, err
	}
	nodes := make([]float64, n)
	in.Affinity.Diagonal(nodes)
	for p, v := range nodes {
		k[p*n+p] = v
	}
	return qap.NewDense(n1, n2, k, qap.Maximize)
}
