package infer_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap"
)

// Two points on a line are matched to three others: the affinity of two matches is
// how well they keep the distance. The network is evaluated in Go, which needs neither
// ONNX Runtime nor cgo; infer.Open in place of models.Load evaluates the same file
// through ONNX Runtime, several times as fast.
func ExampleSolve() {
	file, err := pretrained.Model("matching")
	if err != nil {
		log.Fatal(err)
	}
	weights, _, err := models.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	const n1, n2 = 2, 3
	k := make([]float64, n1*n2*n1*n2) // K[p][q], vertex p = i·n2 + a
	k[(0*n2+2)*n1*n2+(1*n2+0)] = 1    // node 0 to node 2 and node 1 to node 0 go well together
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		log.Fatal(err)
	}
	result, err := infer.Solve(context.Background(), models.QFunction(weights), in, infer.Options{Rollouts: 8})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Matching, result.Objective, result.Status)
	// Output: [2 0] 1 patience
}
