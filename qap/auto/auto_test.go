package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

func TestConformance(t *testing.T) { solvertest.Test(t, Solver{}) }

func TestThreadsConform(t *testing.T) { solvertest.Test(t, Solver{Threads: 2}) }

func generated(t testing.TB, family string, n int) *qap.Instance {
	t.Helper()
	in, err := datasets.Generate(family, n, rand.New(rand.NewPCG(uint64(n), 1)))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func solve(t *testing.T, in *qap.Instance, o qap.Options) qap.Result {
	t.Helper()
	r, err := Solver{}.Solve(context.Background(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPlans: the families with many funnels, and those with few flows between distances
// without structure, get a population, each its own; the others give one trajectory half
// of the turns.
func TestPlans(t *testing.T) {
	for _, n := range []int{20, 45, 90} {
		for _, family := range datasets.Families() {
			f := structure(generated(t, family, n))
			got := planFor(f)
			switch family {
			case "blocks":
				if got.trajectory != rareTurns || got.population != ShortPopulation {
					t.Errorf("%s, n = %d: %+v, want a population with short searches", family, n, got)
				}
				if f.settings(ShortPopulation) != population.Blocks() || f.settings(LongPopulation) != population.Long() {
					t.Errorf("%s, n = %d: not the settings for blocks", family, n)
				}
			case "neighbours":
				if got.trajectory != rareTurns || got.population != LongPopulation || !f.grows(f.Narrow) {
					t.Errorf("%s, n = %d: %+v, want a population that grows", family, n, got)
				}
			case "tree":
				if got.trajectory != rareTurns || !f.grows(f.Tree) {
					t.Errorf("%s, n = %d: %+v, want a population that grows", family, n, got)
				}
			case "hypercube": // either serves
			default:
				if got.trajectory != usualTurns {
					t.Errorf("%s, n = %d: %+v, want half of the turns for one trajectory", family, n, got)
				}
				if family == "uniform" && got.population != LongPopulation || family == "grid" && got.population != ShortPopulation {
					t.Errorf("%s, n = %d: %+v, want long searches where there is no structure", family, n, got)
				}
			}
		}
	}
}

// TestBlocksAreRare: no instance of QAPLIB is taken for one with blocks on several levels, so
// that what is done for those does nothing to it.
func TestBlocksAreRare(t *testing.T) {
	for _, name := range datasets.QAPLIBNames() {
		in, err := datasets.QAPLIB(name)
		if err != nil {
			t.Fatal(err)
		}
		if f := structure(in); f.blocks() || f.settings(ShortPopulation) == population.Blocks() {
			t.Errorf("%s: likeness %v is that of blocks", name, f.Likeness)
		}
	}
}

// TestPortionsChangeNothing: the same number of steps gives the same, however they
// are cut up.
func TestPortionsChangeNothing(t *testing.T) {
	const steps = 60_000
	for _, family := range []string{"grid", "blocks", "neighbours"} {
		in := generated(t, family, 25)
		whole, err := newSearch(in, structure(in), qap.Options{Seed: 4}, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole.run(steps)
		parts, _ := newSearch(in, structure(in), qap.Options{Seed: 4}, nil)
		for portion := 1; parts.state.Steps < steps; portion = portion*3%1009 + 1 {
			parts.run(min(steps, parts.state.Steps+portion))
		}
		for _, s := range []*search{whole, parts} {
			if s.state.Steps != steps || s.state.BestCost != -in.Score(s.best()) {
				t.Errorf("%s: %d steps, cost %v", family, s.state.Steps, s.state.BestCost)
			}
		}
		if parts.state.BestStep != whole.state.BestStep || parts.state.Found != whole.state.Found || !slices.Equal(parts.best(), whole.best()) ||
			parts.parts[Trajectory].Steps() != whole.parts[Trajectory].Steps() {
			t.Errorf("%s: %d steps to the best by %d, in portions %d by %d",
				family, whole.state.BestStep, whole.state.Found, parts.state.BestStep, parts.state.Found)
		}
	}
}

// TestTurnsFollowShares: without success, the parts have turns as planned.
func TestTurnsFollowShares(t *testing.T) {
	for _, family := range []string{"grid", "blocks"} {
		in := generated(t, family, 12) // solved at once
		s, err := newSearch(in, structure(in), qap.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.run(400_000)
		share := float64(s.parts[Trajectory].Steps()) / float64(s.state.Steps)
		if want := planFor(structure(in)).trajectory; math.Abs(share-want) > 0.05 {
			t.Errorf("%s: the trajectory made %v of all steps, want %v", family, share, want)
		}
	}
}

// TestEndsByItself: without a limit the search ends when it finds nothing better, and
// under any limit only then.
func TestEndsByItself(t *testing.T) {
	in := generated(t, "grid", 12)
	r := solve(t, in, qap.Options{})
	if r.Status != qap.Converged || r.Steps >= Budget(12) {
		t.Errorf("%s after %d steps, want converged before %d", r.Status, r.Steps, Budget(12))
	}
	again := solve(t, in, qap.Options{})
	if !slices.Equal(again.Matching, r.Matching) || again.FoundBy != r.FoundBy || again.Steps != r.Steps {
		t.Error("the same seed gives another result")
	}
	if r.FoundBy != ByTabu && r.FoundBy != ByPopulation {
		t.Errorf("found by %q", r.FoundBy)
	}
	for want, limits := range map[qap.Status]qap.Limits{
		qap.MaxSteps:  {MaxSteps: 200_000},
		qap.Patience:  {Patience: 3000},
		qap.TimeLimit: {TimeLimit: 20 * time.Millisecond},
		qap.Target:    {Target: r.Objective, HasTarget: true},
	} {
		if got := solve(t, in, qap.Options{Limits: limits}); got.Status != want {
			t.Errorf("status %s, want %s", got.Status, want)
		}
	}
}

// TestTellsOfBetterSolutions on the way, each better than the one before.
func TestTellsOfBetterSolutions(t *testing.T) {
	in := generated(t, "blocks", 40)
	onBest, last := solvertest.OnBest(t, in)
	if r := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: 50_000}, OnBest: onBest}); *last != r.Score {
		t.Errorf("told of %v at last, the result is %v", *last, r.Score)
	}
}

// TestLargePlans: on large graphs one trajectory searches where nothing has structure, a
// population where it grows, and annealing elsewhere.
func TestLargePlans(t *testing.T) {
	ctx, o := context.Background(), qap.Options{Limits: qap.Limits{MaxSteps: 300}}
	for family, search := range map[string]func(in *qap.Instance) (qap.Result, error){
		"uniform": func(in *qap.Instance) (qap.Result, error) { return tabu.Solver{}.Solve(ctx, in, o) },
		"tree": func(in *qap.Instance) (qap.Result, error) {
			watch := o.Watch(ctx, in)
			return Solver{}.solveByTurns(in, structure(in), o, &watch, false)
		},
		"grid": func(in *qap.Instance) (qap.Result, error) { return solveAnnealed(ctx, in, o) },
	} {
		in := generated(t, family, largeFrom)
		want, err := search(in)
		if err != nil {
			t.Fatal(err)
		}
		if r := solve(t, in, o); !slices.Equal(r.Matching, want.Matching) || r.Steps != want.Steps {
			t.Errorf("%s: %v, found by %s after %d steps, want %v", family, r.Objective, r.FoundBy, r.Steps, want.Objective)
		}
	}
}

// TestShortBudgets: on graphs of a hundred nodes annealing comes first where the budget is
// small for them and there is structure, but not in blocks.
func TestShortBudgets(t *testing.T) {
	for family, want := range map[string]bool{"grid": true, "clusters": true, "backboard": true, "uniform": false, "blocks": false, "tree": false, "neighbours": false} {
		f := structure(generated(t, family, 120))
		if short, long := isLarge(f, qap.Limits{MaxSteps: 100 * 120}), isLarge(f, qap.Limits{}); short != want || long {
			t.Errorf("%s: annealing %v in few steps, want %v; %v without a limit", family, short, want, long)
		}
	}
}

// TestFewFlows: on large graphs with few flows a population grows where annealing has no time.
func TestFewFlows(t *testing.T) {
	const n = largeFrom
	for family, few := range map[string]bool{"mapping": true, "grid": false} {
		f := structure(generated(t, family, n))
		for steps, want := range map[int]bool{2*n - 1: false, 2 * n: few, growBudget*n - 1: few, growBudget * n: false} {
			if got := growsFirst(f, qap.Limits{MaxSteps: steps}); got != want {
				t.Errorf("%s, %d steps: a population grows: %t", family, steps, got)
			}
		}
	}
	in := generated(t, "mapping", n)
	f := structure(in)
	for swaps, want := range map[int]bool{n: false, growInTime - 50: true, growInTime + 50: false} {
		limit := time.Duration(float64(time.Second) * float64(swaps) / float64(SwapsIn(time.Second, n)))
		if got := growsFirst(f, qap.Limits{TimeLimit: limit}); got != want {
			t.Errorf("the time of %d swaps: a population grows: %t", swaps, got)
		}
	}
	limits := qap.Options{Limits: qap.Limits{MaxSteps: 2 * n}}
	grown := solve(t, in, limits)
	annealed, err := solveAnnealed(t.Context(), in, limits)
	if err != nil || grown.FoundBy != ByPopulation || grown.Objective > annealed.Objective {
		t.Errorf("%v by %s, annealing has %v (%v)", grown.Objective, grown.FoundBy, annealed.Objective, err)
	}
}

// TestLargeGraphs: limits count all stages, and a seed and a number of steps give the same
// result, also where a population grows.
func TestLargeGraphs(t *testing.T) {
	for _, family := range []string{"grid", "mapping"} {
		testLargeGraph(t, generated(t, family, largeFrom))
	}
}

func testLargeGraph(t *testing.T, in *qap.Instance) {
	t.Helper()
	for want, limits := range map[qap.Status]qap.Limits{
		qap.MaxSteps:  {MaxSteps: 900},
		qap.TimeLimit: {TimeLimit: 100 * time.Millisecond},
		qap.Target:    {Target: -in.Score(qap.RandomMatching(largeFrom, largeFrom, rand.New(rand.NewPCG(1, 1)))) * 0.96, HasTarget: true, MaxSteps: 5000},
	} {
		onBest, last := solvertest.OnBest(t, in)
		o := qap.Options{Limits: limits, OnBest: onBest}
		r := solve(t, in, o)
		if r.Status != want || *last != r.Score && r.Steps > 0 || r.FoundBy == "" || limits.MaxSteps > 0 && r.Steps > limits.MaxSteps {
			t.Errorf("status %s after %d steps, found by %q: want %s; told of %v at last, the result is %v", r.Status, r.Steps, r.FoundBy, want, *last, r.Score)
		}
		o.OnBest = nil
		if again := solve(t, in, o); limits.TimeLimit == 0 && !slices.Equal(again.Matching, r.Matching) {
			t.Error("the same seed gives another result")
		}
	}
	for steps := range 3 {
		if r := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: 1 + steps}}); r.Steps != 1+steps {
			t.Errorf("%d steps, want %d", r.Steps, 1+steps)
		}
	}
	if r := solve(t, in, qap.Options{Limits: qap.Limits{TimeLimit: 1}}); r.Status != qap.TimeLimit || r.Steps > 100 {
		t.Errorf("a nanosecond: status %s after %d steps", r.Status, r.Steps)
	}
	if r := solve(t, in, qap.Options{Limits: qap.Limits{TimeLimit: 1, MaxSteps: 1000}}); r.Status != qap.TimeLimit {
		t.Errorf("a nanosecond beside steps: status %s after %d", r.Status, r.Steps)
	}
	if r := solve(t, in, qap.Options{Limits: qap.Limits{Patience: 20}}); r.Status != qap.Patience {
		t.Errorf("status %s, want patience", r.Status)
	}
}
