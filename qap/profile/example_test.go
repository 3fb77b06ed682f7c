package profile_test

import (
	"context"
	"fmt"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// Two graphs of three nodes: nodes 0 and 1 fit those of the other graph well, node
// 2 hardly at all.
func Example() {
	var entries []qap.Entry
	for _, e := range []struct {
		i, j   int
		weight float64
	}{{0, 1, 10}, {0, 2, 1}, {1, 2, 1}} {
		p, q := e.i*3+e.i, e.j*3+e.j // node i with node i, node j with node j
		entries = append(entries, qap.Entry{P: p, Q: q, Value: e.weight}, qap.Entry{P: q, Q: p, Value: e.weight})
	}
	in, err := qap.NewSparse(3, 3, entries, qap.Maximize)
	if err != nil {
		panic(err)
	}
	solver := profile.Solver{Goal: qap.Goal{Regularizer: qap.RegularizeMean(1)}}
	r, err := solver.Solve(context.Background(), in, qap.Options{})
	if err != nil {
		panic(err)
	}
	for m, best := range r.Profile {
		fmt.Println(m, best.Score)
	}
	fmt.Println("best score a match:", r.Matching)
	// Output:
	// 0 0
	// 1 0
	// 2 20
	// 3 24
	// best score a match: [0 1 -1]
}
