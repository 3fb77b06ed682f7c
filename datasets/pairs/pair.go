// Package pairs holds pairs of graphs whose true matching is known: the paper's
// synthetic points and others that are generated; package published reads those of others.
// It judges matchings of them by precision, recall, F1 and objective, as the paper
// defines them.
package pairs

import (
	"iter"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Pair is a problem with what is known of its answer.
type Pair struct {
	Name     string
	Class    string // what results are gathered by: "Car", "3 outliers"
	Instance *qap.Instance

	// Truth matches the inliers; outliers are qap.Unmatched. It is nil where it is
	// not known.
	Truth qap.Matching
	// Optimum is the greatest score of a solution, where HasOptimum.
	Optimum    float64
	HasOptimum bool

	Points1, Points2 []graphs.Point // nil where only affinities are known
	Groups           []string       // images, or sets of true points, that the pair was made of
}

// Set is a sequence of pairs. It ends at the first error.
type Set struct {
	Name  string
	About string // how the pairs and their affinities are made, for people
	Pairs iter.Seq2[Pair, error]
}

// All returns the pairs of a set.
func (s Set) All() ([]Pair, error) {
	var all []Pair
	for p, err := range s.Pairs {
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// failed is a set that cannot be read.
func failed(err error) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) { yield(Pair{}, err) }
}

// FirstMatch returns the truth of n1 nodes: the first ones, as many as there are inliers, match the
// node of the same number.
func FirstMatch(n1, inliers int) qap.Matching {
	m := qap.NewMatching(n1)
	for i := range inliers {
		m[i] = i
	}
	return m
}
