// Command streams measures what a folder of earlier results (rgm.Config.Recall) is worth, on streams of problems whose
// distances stay and whose flows drift.
//
//	go -C lab run ./streams --families typing,grid,uniform,backboard --streams 16 --seed 7001
//	go -C lab run ./streams --policy --families typing,grid,uniform,backboard   # n steps of the policy from the best stored one
//
// A stream has one problem of a family as its base. Each problem of it moves a share of the base's flows to pairs that have
// none, and multiplies the others by exp(σ·N(0,1)). The first eight are solved with 2000n swaps each, and kept; four more
// are searched from nothing and with the folder. Gaps are to the best that any search of that problem found, two of 3000n
// swaps among them. The standard error is that of the paired difference, over the means of the streams.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/qap"
)

const past, later = 8, 4

var budgets = []int{1, 10, 100, 1000} // swaps, times n

var drifts = []drift{{0.02, 0.2}, {0.1, 0.5}, {0.3, 0.8}}

// drift is the share of flows that move, and the deviation of the logarithm of the others.
type drift struct{ moved, sigma float64 }

func main() {
	families := flag.String("families", "typing,grid", "families of rgm datasets problems, with commas")
	nodes := flag.Int("nodes", 30, "nodes of a problem")
	streams := flag.Int("streams", 16, "streams of each family and drift")
	seed := flag.Uint64("seed", 7001, "every random choice comes from it")
	learned := flag.Bool("policy", false, "measure a few steps of the policy from a stored placement, beside tabu search")
	flag.Parse()
	header, of := "| family | flows moved, σ | swaps | without | with | difference |\n|---|---|---|---:|---:|---:|", measure
	if *learned {
		header = "| family | flows moved, σ | stored | policy, n steps | tabu, swaps in as long | difference | tabu from nothing |\n|---|---|---:|---:|---:|---:|---:|"
		of = repaired
	}
	fmt.Println(header)
	for family := range strings.SplitSeq(*families, ",") {
		for _, d := range drifts {
			if err := of(family, *nodes, *streams, *seed, d); err != nil {
				fmt.Fprintln(os.Stderr, "streams:", err)
				os.Exit(1)
			}
		}
	}
}

// measure prints a row for each budget.
func measure(family string, n, streams int, seed uint64, d drift) error {
	without, with := make([][]float64, len(budgets)), make([][]float64, len(budgets)) // by budget and stream
	for k := range streams {
		gaps, err := stream(family, n, d, rand.New(rand.NewPCG(seed+uint64(k), uint64(n))))
		if err != nil {
			return err
		}
		for b := range budgets {
			without[b], with[b] = append(without[b], gaps[b][0]), append(with[b], gaps[b][1])
		}
	}
	for b, times := range budgets {
		var difference []float64
		for k, v := range with[b] {
			difference = append(difference, v-without[b][k])
		}
		fmt.Printf("| %s | %g %%, %g | %dn | %.2f | %.2f | %+.2f ± %.2f |\n", family, 100*d.moved, d.sigma, times,
			statistics.Mean(without[b]), statistics.Mean(with[b]), statistics.Mean(difference), statistics.ErrorOfMean(difference))
	}
	return nil
}

// stream returns the mean gaps in % by budget, without a folder and with it.
func stream(family string, n int, d drift, rng *rand.Rand) ([][2]float64, error) {
	base, err := datasets.Generate(family, n, rng)
	if err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp("", "streams")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	kept := filepath.Join(root, "kept")
	for range past {
		if _, err := solve(kept, drifted(base, d, rng), rgm.Options{MaxSteps: 2000 * n, Seed: 1}); err != nil {
			return nil, err
		}
	}
	gaps := make([][2]float64, len(budgets))
	for t := range uint64(later) {
		in := drifted(base, d, rng)
		best := math.Inf(1)
		try := func(folder string, swaps int, seed uint64) (float64, error) {
			r, err := solve(folder, in, rgm.Options{MaxSteps: swaps, Seed: seed})
			best = min(best, r.Objective)
			return r.Objective, err
		}
		found := make([][2]float64, len(budgets))
		for b, times := range budgets {
			own := filepath.Join(root, fmt.Sprint(t, "-", b)) // what is found here is not kept for the others
			if err := os.CopyFS(own, os.DirFS(kept)); err != nil {
				return nil, err
			}
			for side, folder := range []string{"", own} {
				if found[b][side], err = try(folder, times*n, t); err != nil {
					return nil, err
				}
			}
		}
		for k, folder := range []string{"", kept + "-reference"} {
			if k == 1 {
				if err := os.CopyFS(folder+fmt.Sprint(t), os.DirFS(kept)); err != nil {
					return nil, err
				}
				folder += fmt.Sprint(t)
			}
			if _, err := try(folder, 3000*n, 100+t); err != nil {
				return nil, err
			}
		}
		for b := range budgets {
			for side, v := range found[b] {
				gaps[b][side] += 100 * (v - best) / best / later
			}
		}
	}
	return gaps, nil
}

// solve searches with what a folder keeps, "" for none.
func solve(folder string, in *qap.Instance, o rgm.Options) (rgm.Result, error) {
	s, err := rgm.Open(rgm.Config{Recall: folder})
	if err != nil {
		return rgm.Result{}, err
	}
	defer s.Close()
	return s.Solve(context.Background(), in, o)
}

// drifted returns the base with other flows, which are symmetric and of both directions' absolute sum.
func drifted(base *qap.Instance, d drift, rng *rand.Rand) *qap.Instance {
	n, _ := base.Size()
	given, distances, _ := base.Affinity.(*qap.KoopmansBeckmann).Given()
	flows := make([]float64, n*n)
	for i := range n {
		for j := range i {
			v := math.Abs(given[i*n+j]) + math.Abs(given[j*n+i])
			flows[i*n+j], flows[j*n+i] = v, v
		}
	}
	for i := range n {
		for j := range i {
			if k, l := rng.IntN(n), rng.IntN(n); flows[i*n+j] != 0 && rng.Float64() < d.moved && k != l && flows[k*n+l] == 0 {
				flows[k*n+l], flows[l*n+k] = flows[i*n+j], flows[i*n+j]
				flows[i*n+j], flows[j*n+i] = 0, 0
			}
		}
	}
	for i := range n {
		for j := range i {
			v := math.Round(10 * flows[i*n+j] * math.Exp(d.sigma*rng.NormFloat64()))
			flows[i*n+j], flows[j*n+i] = v, v
		}
	}
	in, err := qap.NewKoopmansBeckmann(n, n, flows, slices.Clone(distances), nil, qap.Minimize)
	if err != nil {
		panic(err) // finite flows of a problem that was one
	}
	in.Name = base.Name
	return in
}
