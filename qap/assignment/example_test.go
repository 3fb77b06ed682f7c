package assignment_test

import (
	"fmt"

	"github.com/rgm-go/rgm/qap/assignment"
)

// The best entry first is not the best sum.
func ExampleSolver_Maximize() {
	score := []float64{
		9, 8,
		8, 1,
	}
	var s assignment.Solver
	fmt.Println(s.Maximize(score, 2, 2))
	// Output: [1 0]
}
