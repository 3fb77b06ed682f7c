package pairs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// Ten points seen twice, and five in each set that have no partner: the greatest sum of
// affinities matches those too; the greatest sum over the number of matches makes fewer, and
// more of them right.
func Example() {
	all, err := pairs.Synthetic{Inliers: 10, Outliers: 5, Noise: 0.05, Count: 1, Affinity: affinities.PaperSynthetic, Seed: 1}.Set().All()
	if err != nil {
		log.Fatal(err)
	}
	pair := all[0]
	for _, regularizer := range []qap.Regularizer{{}, qap.RegularizeMean(1)} {
		solver := profile.Solver{Goal: qap.Goal{Regularizer: regularizer}}
		r, err := solver.Solve(context.Background(), pair.Instance, qap.Options{})
		if err != nil {
			log.Fatal(err)
		}
		quality := pair.Judge(r.Matching)
		fmt.Printf("%d matches, precision %.2f, recall %.2f\n", r.Matching.Size(), quality.Precision, quality.Recall)
	}
	// Output:
	// 15 matches, precision 0.40, recall 0.60
	// 13 matches, precision 0.69, recall 0.90
}
