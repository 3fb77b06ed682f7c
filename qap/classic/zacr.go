package classic

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// ZACR matches graphs with outliers under the zero-assignment constraint: an
// outlier's row or column of the soft assignment is 0. Frank–Wolfe raises the score
// over soft assignments whose rows and columns sum up to at most 1; then matches
// that contribute little are taken for outliers, their nodes are assigned 0, and it
// starts again without them, until every match is worth its place. The result
// leaves nodes unmatched, and may score less than one with the outliers in it: on
// affinities without negative entries every match adds to the score. Where
// solutions are complete, there are no outliers.
//
// The publication works on the adjacency matrices and node features of two graphs
// and derives from them how many inliers there can be. This version works on K,
// and compares the contribution of a match, K[p,p] + Σ K[p,q] over the matches q,
// with the mean of all. It has no counterpart of the publication's regularisation
// of the graphs' representation.
//
// Source: Wang, Xue, Yu, Xia, CVPR 2020, doi:10.1109/CVPR42600.2020.00310.
type ZACR struct {
	MaxIter int     // iterations of Frank–Wolfe in each round; default 50
	Inliers int     // matches to keep, the rest are outliers; default 0, found by Ratio
	Ratio   float64 // of its contribution to the mean, below which a match is an outlier; default 0.25
}

// Solve returns the matching of the last round. A step is an iteration of
// Frank–Wolfe; MaxSteps bounds those of each round.
func (m ZACR) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n1, n2 := in.Size()
	s, err := newSearch(ctx, in, o, barycentre(n1, n2), or(m.MaxIter, 50))
	if err != nil {
		return qap.Result{}, err
	}
	z := newZeroAssignment(s)
	near := atMinimum * math.Sqrt(float64(min(n1, n2)))
	steps := 0
	for {
		z.start(z.withoutOutliers(barycentre(n1, n2)))
		if steps == 0 && o.Initial != nil {
			z.start(s.x)
		}
		status := s.iterate(func() bool { return z.step() < near })
		steps += s.steps
		matching := z.rounded()
		var outliers []int
		if !status.OutOfTime() {
			outliers = z.outliers(matching, m.Inliers, or(m.Ratio, 0.25))
		}
		if len(outliers) == 0 {
			s.steps = steps
			return s.result(matching, o, status), nil
		}
		for _, i := range outliers {
			z.outlier1[i], z.outlier2[matching[i]] = true, true
		}
	}
}

// zeroAssignment is the state of ZACR.
type zeroAssignment struct {
	*frankWolfe
	outlier1, outlier2 []bool    // nodes of each graph that are assigned 0
	none1, none2       []float64 // 0: what leaving a node unmatched scores
	values             []float64 // scratch, one a vertex
}

func newZeroAssignment(s *search) *zeroAssignment {
	z := &zeroAssignment{
		frankWolfe: newFrankWolfe(s),
		outlier1:   make([]bool, s.n1), outlier2: make([]bool, s.n2),
		none1: make([]float64, s.n1), none2: make([]float64, s.n2),
		values: make([]float64, s.n1*s.n2),
	}
	if !s.in.Complete {
		z.assign = func(gradient []float64) []int {
			copy(z.values, gradient)
			return s.inStep().MaximizePartial(z.withoutOutliers(z.values), z.none1, z.none2, s.n1, s.n2)
		}
	}
	return z
}

// withoutOutliers sets the values of outliers' vertices to 0, in place.
func (z *zeroAssignment) withoutOutliers(values []float64) []float64 {
	for i := range z.n1 {
		for a := range z.n2 {
			if z.outlier1[i] || z.outlier2[a] {
				values[i*z.n2+a] = 0
			}
		}
	}
	return values
}

// rounded returns the matching nearest to x, less matches that x holds nothing of.
func (z *zeroAssignment) rounded() qap.Matching {
	if z.in.Complete {
		return z.project(z.x)
	}
	return append(qap.Matching{}, z.atEnd().MaximizePartial(z.x, z.none1, z.none2, z.n1, z.n2)...)
}

// outliers returns the nodes of graph 1 whose matches are taken for outliers: where
// the number of inliers is given, the one that contributes least while there are
// more matches, else all that contribute less than ratio times the mean.
func (z *zeroAssignment) outliers(m qap.Matching, inliers int, ratio float64) (nodes []int) {
	if z.in.Complete || m.Size() == 0 || inliers > 0 && m.Size() <= inliers {
		return nil
	}
	contribution := make([]float64, z.n1)
	mean, least := 0.0, -1
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		p := i*z.n2 + a
		for j, b := range m {
			if b != qap.Unmatched {
				contribution[i] += z.in.Affinity.At(p, j*z.n2+b)
			}
		}
		mean += contribution[i] / float64(m.Size())
		if least < 0 || contribution[i] < contribution[least] {
			least = i
		}
	}
	if inliers > 0 {
		return []int{least}
	}
	for i, a := range m {
		if a != qap.Unmatched && contribution[i] < ratio*mean {
			nodes = append(nodes, i)
		}
	}
	return nodes
}
