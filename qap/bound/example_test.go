package bound_test

import (
	"fmt"
	"log"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bound"
)

// A path of three nodes in a path of four: the bound falls until it proves that a matching
// which keeps both edges is the best.
func Example() {
	path3, path4 := [][2]int{{0, 1}, {1, 2}}, [][2]int{{0, 1}, {1, 2}, {2, 3}}
	in, err := qap.NewEdgePairs(3, 4, path3, path4, nil, func(int, int, bool) float64 { return 1 }, qap.Maximize)
	if err != nil {
		log.Fatal(err)
	}
	score := in.Score(qap.Matching{1, 2, 3})
	stop := func() bool { return false } // nobody wants it to end
	d, err := bound.New(in, qap.Goal{}, stop)
	if err != nil {
		log.Fatal(err)
	}
	for !d.Closed(score) {
		d.Improve(score, stop)
	}
	fmt.Printf("score %g, bound %.3f\n", score, max(d.Bound(), score))
	// Output: score 4, bound 4.000
}
