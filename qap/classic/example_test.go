package classic_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
)

// Two graphs of four nodes with edges of weights: those of equal weights are alike. Every
// method is a struct whose zero value is ready, and a qap.Solver.
func Example() {
	edges1, weights1 := [][2]int{{0, 1}, {1, 2}, {2, 3}}, []float64{5, 7, 9}
	edges2, weights2 := [][2]int{{3, 2}, {2, 1}, {1, 0}}, []float64{5, 7, 9}
	alike := func(e, f int, _ bool) float64 {
		if weights1[e] == weights2[f] {
			return 1
		}
		return 0
	}
	in, err := qap.NewEdgePairs(4, 4, edges1, edges2, nil, alike, qap.Maximize)
	if err != nil {
		log.Fatal(err)
	}
	for name, solver := range map[string]qap.Solver{"rrwm": classic.RRWM{}, "ipfp": classic.IPFP{}} {
		r, err := solver.Solve(context.Background(), in, qap.Options{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, r.Matching, r.Objective)
	}
	// Unordered output:
	// rrwm [3 2 1 0] 6
	// ipfp [3 2 1 0] 6
}
