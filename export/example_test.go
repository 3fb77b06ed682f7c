package export_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
)

// A network is written as an ONNX file and read back: both choose the same actions.
// Write, in place of Marshal, also compares the file with Go through ONNX Runtime.
func ExampleMarshal() {
	file, err := pretrained.Model("qap")
	if err != nil {
		log.Fatal(err)
	}
	network, _, err := models.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	exported, err := export.Marshal(network, "{}")
	if err != nil {
		log.Fatal(err)
	}
	reloaded, header, err := models.Load(exported)
	if err != nil {
		log.Fatal(err)
	}
	in, err := qaplib.Open("nug12")
	if err != nil {
		log.Fatal(err)
	}
	var objectives []float64
	for _, n := range []models.Network{network, reloaded} {
		r, err := infer.Solve(context.Background(), models.QFunction(n), in, infer.Options{Rollouts: 2, MaxSteps: 50})
		if err != nil {
			log.Fatal(err)
		}
		objectives = append(objectives, r.Objective)
	}
	fmt.Println(header.Architecture, objectives[0] == objectives[1])
	// Output: gain true
}
