package rgm_test

import (
	"context"
	"fmt"
	"log"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/qap"
)

// An instance of QAPLIB, as rgm solve nug12 does it.
func Example() {
	p, err := rgm.Open(rgm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	in, err := qaplib.Open("nug12")
	if err != nil {
		log.Fatal(err)
	}
	r, err := p.Solve(context.Background(), in, rgm.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Objective, r.Status, "found by", r.FoundBy)
	r, err = p.Solve(context.Background(), in, rgm.Options{Method: rgm.MethodRGM})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Objective, r.Status, "found by", r.FoundBy, "of the model", r.Model)
	// Output:
	// 578 converged found by population
	// 578 max_steps found by policy of the model qap
}

// Two graphs as users have them: tables of points here; graphs.Open reads these and GraphML,
// edge lists and arrays from files. The result says which is which, as rgm match does.
func ExampleMatch() {
	left, err := graphs.ReadCSV(strings.NewReader("name,x,y\noak,0,0\nelm,4,0\nash,4,1\n"))
	if err != nil {
		log.Fatal(err)
	}
	right, err := graphs.ReadCSV(strings.NewReader("name,x,y\nElm,1,4\nOak,1,0\nAsh,0,4\n"))
	if err != nil {
		log.Fatal(err)
	}
	r, err := rgm.Match(context.Background(), &left, &right, rgm.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i, a := range r.Matching {
		if a != qap.Unmatched {
			fmt.Println(left.NodeName(i), right.NodeName(a))
		}
	}
	// Output:
	// oak Oak
	// elm Elm
	// ash Ash
}

// A ring of four nodes becomes a chain of three: a node goes, with two edges, and its neighbours stay apart.
func ExampleDistance() {
	ring := graphs.Graph{Nodes: 4, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 0, J: 3}}}
	chain := graphs.Graph{Nodes: 3, Edges: []graphs.Edge{{I: 0, J: 1}, {I: 1, J: 2}}}
	d, err := rgm.Distance(context.Background(), &ring, &chain, rgm.Options{Path: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Distance, d.Lower, d.Status)
	for _, e := range d.Path {
		if !e.Kept() {
			fmt.Println(e.Edit, e.What, e.Cost)
		}
	}
	// Output:
	// 3 3 optimal
	// delete node 1
	// delete edge 1
	// delete edge 1
}

// What a matching is worth, whoever found it: the optimum of nug12.
func ExampleEvaluate() {
	in, err := qaplib.Open("nug12")
	if err != nil {
		log.Fatal(err)
	}
	e, err := rgm.Evaluate(in, qap.Matching{11, 6, 8, 2, 3, 7, 10, 0, 4, 5, 9, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*e.Objective, e.Valid)
	// Output:
	// 578 true
}

// Two points on a line are matched to three others: the affinity of two matches says
// how well they keep the distance.
func Example_denseAffinity() {
	const n1, n2 = 2, 3
	k := make([]float64, n1*n2*n1*n2) // K[p][q], vertex p = i·n2 + a
	k[(0*n2+2)*n1*n2+(1*n2+0)] = 1    // node 0 to node 2 and node 1 to node 0 go well together
	in, err := qap.NewDense(n1, n2, k, qap.Maximize)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(solve(in, rgm.Options{}))
	// Output: [2 0] 1 converged
}

// The same affinity by its entries, for matrices that do not fit in memory.
func Example_sparseAffinity() {
	const n1, n2 = 2, 3
	entries := []qap.Entry{{P: 0*n2 + 2, Q: 1*n2 + 0, Value: 1}}
	in, err := qap.NewSparse(n1, n2, entries, qap.Maximize)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(solve(in, rgm.Options{Method: rgm.MethodProfile}))
	// Output: [2 0] 1 converged
}

// solve is a call with a solver of its own.
func solve(in *qap.Instance, o rgm.Options) (qap.Matching, float64, qap.Status) {
	p, err := rgm.Open(rgm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	r, err := p.Solve(context.Background(), in, o)
	if err != nil {
		log.Fatal(err)
	}
	return r.Matching, r.Objective, r.Status
}

// Two maps, with things that only one of them has, as rgm match --affinity learned does
// them: learned affinities decide how many points have a partner. AffinityGiven, the
// default, matches all that it can.
func Example_outliers() {
	p, err := rgm.Open(rgm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	const data = "docs/tutorials/data/"
	left, err := graphs.Open(data + "left.csv")
	if err != nil {
		log.Fatal(err)
	}
	right, err := graphs.Open(data + "right.csv")
	if err != nil {
		log.Fatal(err)
	}
	problem, err := compare.Design{}.Problem(context.Background(), left, right)
	if err != nil {
		log.Fatal(err)
	}
	for _, affinity := range []string{rgm.AffinityGiven, rgm.AffinityLearned} {
		r, err := p.Solve(context.Background(), problem.Instance, rgm.Options{Affinity: affinity})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(affinity, r.Matching.Size())
		if r.Decision != nil {
			fmt.Println("used:", rgm.AffinityUsed(*r.Decision), r.Decision.Reason)
		}
	}
	// Output:
	// given 14
	// learned 12
	// used: learned
}

// One solver, and so one network, serves any number of goroutines.
func Example_goroutines() {
	p, err := rgm.Open(rgm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	in, err := qaplib.Open("nug12")
	if err != nil {
		log.Fatal(err)
	}
	objectives := make([]float64, 16)
	var all sync.WaitGroup
	for k := range objectives {
		all.Go(func() {
			r, err := p.Solve(context.Background(), in, rgm.Options{Rollouts: 2, Seed: uint64(k)})
			if err != nil {
				log.Fatal(err)
			}
			objectives[k] = r.Objective
		})
	}
	all.Wait()
	fmt.Println(slices.Min(objectives))
	// Output: 578
}

// A cancelled search, or one whose context has a deadline, returns its best so far.
func Example_cancellation() {
	p, err := rgm.Open(rgm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	in, err := qaplib.Open("nug30")
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	r, err := p.Solve(ctx, in, rgm.Options{TimeLimit: time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Matching.Size(), "of 30 nodes matched:", r.Status)
	// Output: 30 of 30 nodes matched: deadline
}

// Every new best solution is told while the search goes on.
func Example_progress() {
	p, err := rgm.Open(rgm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	in, err := qaplib.Open("nug12")
	if err != nil {
		log.Fatal(err)
	}
	o := rgm.Options{Method: rgm.MethodGreedyTabu, Rollouts: 1, Seed: 1}
	o.OnBest = func(best rgm.Incumbent) {
		fmt.Println(best.Objective, "at step", best.Steps, "by", best.FoundBy)
	}
	if _, err := p.Solve(context.Background(), in, o); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 654 at step 0 by greedy-tabu
	// 618 at step 1 by greedy-tabu
	// 598 at step 2 by greedy-tabu
	// 596 at step 3 by greedy-tabu
	// 590 at step 23 by greedy-tabu
	// 586 at step 38 by greedy-tabu
	// 578 at step 48 by greedy-tabu
}
