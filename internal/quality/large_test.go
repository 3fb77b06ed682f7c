package quality

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/tabu"
)

// contestants are the searches of TestLargeInstances, the one to be ahead of first.
var contestants = []struct {
	name   string
	solver qap.Solver
}{{"tabu", tabu.Solver{}}, {"sa", spread{classic.Annealing{}}}, {"anneal", anneal.Solver{}}, {"auto", auto.Solver{}}}

// spread is a solver whose steps stretch its cooling, given as many as fit its time.
type spread struct{ qap.Solver }

func (s spread) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	const few = 100_000
	pilot := o
	pilot.MaxSteps = few
	begin := cputime.Clock()
	if _, err := s.Solver.Solve(ctx, in, pilot); err != nil {
		return qap.Result{}, err
	}
	took := cputime.Clock().Sub(begin)
	o.MaxSteps = max(few, int(few*o.TimeLimit.Seconds()/took.Seconds()))
	return s.Solver.Solve(ctx, in, o)
}

// TestLargeInstances prints the table of docs/BENCHMARKS.md: the gap in percent to the
// best of all runs, after processor times, by instance. RGM_TEST_LARGE is a list such as
// mapping:343,grid:512, RGM_TEST_LARGE_TIMES one such as 1s,10s; RGM_TEST_LARGE_BEST the
// time of a further run of anneal, whose result counts as a best too; RGM_TEST_LARGE_SEED
// draws the instances.
func TestLargeInstances(t *testing.T) {
	if os.Getenv("RGM_TEST_LARGE") == "" {
		t.Skip("it takes minutes: RGM_TEST_LARGE names the instances")
	}
	seed := uint64(1)
	fmt.Sscan(os.Getenv("RGM_TEST_LARGE_SEED"), &seed)
	for name := range strings.SplitSeq(os.Getenv("RGM_TEST_LARGE"), ",") {
		family, size, _ := strings.Cut(name, ":")
		var n int
		fmt.Sscan(size, &n)
		in, err := datasets.Generate(family, n, rand.New(rand.NewPCG(uint64(n), seed)))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, in)
	}
}

// compare prints the rows of an instance.
func compare(t *testing.T, in *qap.Instance) {
	best, times := math.Inf(1), strings.Split(os.Getenv("RGM_TEST_LARGE_TIMES"), ",")
	run := func(solver qap.Solver, text string) (cost float64) {
		limit, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		ctx := qap.WithClock(context.Background(), cputime.Clock)
		r, err := solver.Solve(ctx, in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, r.Objective)
		return r.Objective
	}
	costs := make([][]float64, len(times))
	for k, text := range times {
		for _, c := range contestants {
			costs[k] = append(costs[k], run(c.solver, text))
		}
	}
	if text := os.Getenv("RGM_TEST_LARGE_BEST"); text != "" {
		run(anneal.Solver{}, text)
	}
	for k, text := range times {
		row := fmt.Sprintf("| %s | %s |", in.Name, text)
		for m := range contestants {
			row += fmt.Sprintf(" %.3f |", 100*(costs[k][m]-best)/best)
		}
		t.Log(row)
	}
}
