package qaplib_test

import (
	"fmt"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/qaplib"
)

func ExampleOpen() {
	in, err := qaplib.Open("nug12")
	if err != nil {
		fmt.Println(err)
		return
	}
	best, _ := qaplib.BestKnown("nug12")
	n, _ := in.Size()
	fmt.Println(n, "nodes, best known cost", in.Objective(in.Score(best.Matching)), "proved optimal:", best.Optimal)
	gap, _ := qaplib.Gap(596, best.Value)
	fmt.Printf("596 is %.2f %% above it\n", gap)
	// Output:
	// 12 nodes, best known cost 578 proved optimal: true
	// 596 is 3.11 % above it
}

func ExampleExpand() {
	inputs, err := qaplib.Expand([]string{"had12", "chr12?", "hda12"})
	for _, input := range inputs {
		for in, err := range input.Instances(datasets.Options{}) {
			fmt.Println(in.Name, err)
		}
	}
	fmt.Println(err)
	// Output:
	// had12 <nil>
	// datasets: chr12?: no files there
	// datasets: hda12: no such file, and no QAPLIB instance of that name; near it are had12
}
