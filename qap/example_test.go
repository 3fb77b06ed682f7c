package qap_test

import (
	"fmt"
	"log"

	"github.com/rgm-go/rgm/qap"
)

// Three facilities go to three places: flows between facilities times distances between
// places, summed over all ordered pairs, are the cost.
func ExampleNewKoopmansBeckmann() {
	flows := []float64{
		0, 3, 1,
		3, 0, 2,
		1, 2, 0,
	}
	distances := []float64{
		0, 5, 4,
		5, 0, 6,
		4, 6, 0,
	}
	in, err := qap.NewKoopmansBeckmann(3, 3, flows, distances, nil, qap.Minimize)
	if err != nil {
		log.Fatal(err)
	}
	for _, places := range []qap.Matching{{0, 1, 2}, {2, 0, 1}} {
		fmt.Println(places, in.Objective(in.Score(places)))
	}
	// Output:
	// [0 1 2] 62
	// [2 0 1] 56
}

// A step matches two nodes and releases the matches that stand in the way, so that an early
// mistake is not final: here 0–0 and 1–1, for which 0–1 and 1–0 are worth five times as much.
func ExampleEnvironment_Step() {
	const n = 2
	vertex := func(i, a int) int { return i*n + a } // node i of graph 1 matches node a of graph 2
	k := make([]float64, n*n*n*n)
	set := func(p, q int, value float64) { k[p*n*n+q], k[q*n*n+p] = value, value }
	set(vertex(0, 0), vertex(1, 1), 1)
	set(vertex(0, 1), vertex(1, 0), 5)
	in, err := qap.NewDense(n, n, k, qap.Maximize)
	if err != nil {
		log.Fatal(err)
	}
	env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
	for _, v := range []int{vertex(0, 0), vertex(1, 1), vertex(0, 1), vertex(1, 0)} {
		change := env.Step(v)
		fmt.Printf("%v score %g (%+g), released %v\n", env.Matching(), env.Score(), change, env.Released())
	}
	fmt.Println(env.Best())
	// Output:
	// [0 -1] score 0 (+0), released []
	// [0 1] score 2 (+2), released []
	// [1 -1] score 0 (-2), released [0 3]
	// [1 0] score 10 (+10), released []
	// [1 0] 10
}
