package tabu_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// The same seed and number of swaps give the same result on any machine; 578 is the optimum.
func Example() {
	in, err := qaplib.Open("nug12")
	if err != nil {
		log.Fatal(err)
	}
	r, err := tabu.Solver{}.Solve(context.Background(), in, qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: 5000}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Objective, r.Status)
	// Output: 578 max_steps
}
