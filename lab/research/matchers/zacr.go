package matchers

import (
	"cmp"
	"context"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
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
	s, err := relaxation.NewSearch(ctx, in, o, relaxation.Barycentre(n1, n2), cmp.Or(m.MaxIter, 50))
	if err != nil {
		return qap.Result{}, err
	}
	z := newZeroAssignment(s)
	near := atMinimum * math.Sqrt(float64(min(n1, n2)))
	steps := 0
	for {
		z.Start(z.withoutOutliers(relaxation.Barycentre(n1, n2)))
		if steps == 0 && o.Initial != nil {
			z.Start(s.X)
		}
		status := s.Iterate(func() bool { return z.Step() < near })
		steps += s.Steps
		matching := z.rounded()
		var outliers []int
		if !status.OutOfTime() {
			outliers = z.outliers(matching, m.Inliers, cmp.Or(m.Ratio, 0.25))
		}
		if len(outliers) == 0 {
			s.Steps = steps
			return s.Result(matching, o, status), nil
		}
		for _, i := range outliers {
			z.outlier1[i], z.outlier2[matching[i]] = true, true
		}
	}
}

// zeroAssignment is the state of ZACR.
type zeroAssignment struct {
	*relaxation.FrankWolfe
	outlier1, outlier2 []bool    // nodes of each graph that are assigned 0
	none1, none2       []float64 // 0: what leaving a node unmatched scores
	values             []float64 // scratch, one a vertex
}

func newZeroAssignment(s *relaxation.Search) *zeroAssignment {
	z := &zeroAssignment{
		FrankWolfe: relaxation.NewFrankWolfe(s),
		outlier1:   make([]bool, s.N1), outlier2: make([]bool, s.N2),
		none1: make([]float64, s.N1), none2: make([]float64, s.N2),
		values: make([]float64, s.N1*s.N2),
	}
	if !s.In.Complete {
		z.Assign = func(gradient []float64) []int {
			copy(z.values, gradient)
			return s.InStep().MaximizePartial(z.withoutOutliers(z.values), z.none1, z.none2, s.N1, s.N2)
		}
	}
	return z
}

// withoutOutliers sets the values of outliers' vertices to 0, in place.
func (z *zeroAssignment) withoutOutliers(values []float64) []float64 {
	for i := range z.N1 {
		for a := range z.N2 {
			if z.outlier1[i] || z.outlier2[a] {
				values[i*z.N2+a] = 0
			}
		}
	}
	return values
}

// rounded returns the matching nearest to x, less matches that x holds nothing of.
func (z *zeroAssignment) rounded() qap.Matching {
	if z.In.Complete {
		return z.Project(z.X)
	}
	return append(qap.Matching{}, z.AtEnd().MaximizePartial(z.X, z.none1, z.none2, z.N1, z.N2)...)
}

// outliers returns the nodes of graph 1 whose matches are taken for outliers: where
// the number of inliers is given, the one that contributes least while there are
// more matches, else all that contribute less than ratio times the mean.
func (z *zeroAssignment) outliers(m qap.Matching, inliers int, ratio float64) (nodes []int) {
	if z.In.Complete || m.Size() == 0 || inliers > 0 && m.Size() <= inliers {
		return nil
	}
	contribution := make([]float64, z.N1)
	mean, least := 0.0, -1
	for i, a := range m {
		if a == qap.Unmatched {
			continue
		}
		p := i*z.N2 + a
		for j, b := range m {
			if b != qap.Unmatched {
				contribution[i] += z.In.Affinity.At(p, j*z.N2+b)
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
