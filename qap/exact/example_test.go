package exact_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/exact"
)

// A path of three nodes in a cycle of four: the result is proved to be the best. Every pair of
// matches that keeps an edge counts twice.
func Example() {
	path := [][2]int{{0, 1}, {1, 2}}
	cycle := [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}}
	keeps := func(int, int, bool) float64 { return 1 } // any edge is kept by any other
	in, err := qap.NewEdgePairs(3, 4, path, cycle, nil, keeps, qap.Maximize)
	if err != nil {
		log.Fatal(err)
	}
	r, err := exact.Solver{}.Solve(context.Background(), in, qap.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Objective, r.Bound, r.Status)
	// Output: 4 4 optimal
}
