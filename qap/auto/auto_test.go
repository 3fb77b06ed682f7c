package auto

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

func TestConformance(t *testing.T) { solvertest.Test(t, Solver{}) }

func TestThreadsConform(t *testing.T) { solvertest.Test(t, Solver{Threads: 2}) }

func solve(t *testing.T, in *qap.Instance, o qap.Options) qap.Result {
	t.Helper()
	r, err := Solver{}.Solve(context.Background(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lineOf returns the line of the table that an instance gets without a limit.
func lineOf(in *qap.Instance) *line { return lineWithin(in, qap.Limits{}) }

func lineWithin(in *qap.Instance, l qap.Limits) *line {
	return choose(in, circumstancesOf(in, qap.Goal{}, l))
}

// TestPlans: the families with many funnels, and those with few flows between distances
// without structure, get a population, each its own; the others give one trajectory half
// of the turns.
func TestPlans(t *testing.T) {
	for _, n := range []int{20, 45, 90} {
		for _, family := range datasets.Families() {
			in := instances.Generated(t, family, n, 1)
			got, f := lineOf(in).plan, structure(in)
			switch family {
			case "blocks":
				if got.trajectory != rareTurns || got.settings[got.population] != population.Blocks() {
					t.Errorf("%s, n = %d: %+v, want the population for blocks", family, n, got)
				}
			case "neighbours":
				if got.trajectory != rareTurns || got.settings[got.population] != grownAmongNeighbors() || !f.grows(f.Narrow) {
					t.Errorf("%s, n = %d: %+v, want a population that grows", family, n, got)
				}
			case "tree":
				if got.trajectory != rareTurns || got.settings[got.population] != population.Grown() || !f.grows(f.Tree) {
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

// TestTableIsTheDocumentedOne: docs/SOLVERS.md has every line of the table, in its order.
func TestTableIsTheDocumentedOne(t *testing.T) {
	data, err := os.ReadFile("../../docs/SOLVERS.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(data)
	for _, l := range table {
		row := fmt.Sprintf("| %s | %s | %s |\n", l.instance, l.runs, l.chosenOn)
		_, after, found := strings.Cut(rest, row)
		if !found {
			t.Errorf("docs/SOLVERS.md lacks, or has in another place: %s", row)
			continue
		}
		rest = after
	}
}

// TestBlocksAreRare: no instance of QAPLIB is taken for one with blocks on several levels or
// for a graph on its copy, so that what is done for those does nothing to it.
func TestBlocksAreRare(t *testing.T) {
	for _, name := range datasets.QAPLIBNames() {
		in, err := datasets.QAPLIB(name)
		if err != nil {
			t.Fatal(err)
		}
		if f := structure(in); f.blocks() || f.Copies {
			t.Errorf("%s: likeness %v is that of blocks, or it is taken for copies: %t", name, f.Likeness, f.Copies)
		}
	}
}

// TestPortionsChangeNothing: the same number of steps gives the same, however they
// are cut up.
func TestPortionsChangeNothing(t *testing.T) {
	const steps = 60_000
	for _, family := range []string{"grid", "blocks", "neighbours"} {
		in := instances.Generated(t, family, 25, 1)
		whole, err := newSearch(in, lineOf(in).plan, qap.Options{Seed: 4}, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole.run(steps)
		parts, _ := newSearch(in, lineOf(in).plan, qap.Options{Seed: 4}, nil)
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
		in := instances.Generated(t, family, 12, 1) // solved at once
		s, err := newSearch(in, lineOf(in).plan, qap.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.run(400_000)
		share := float64(s.parts[Trajectory].Steps()) / float64(s.state.Steps)
		if want := lineOf(in).plan.trajectory; math.Abs(share-want) > 0.05 {
			t.Errorf("%s: the trajectory made %v of all steps, want %v", family, share, want)
		}
	}
}

// TestEndsByItself: without a limit the search ends when it finds nothing better, and
// under any limit only then.
func TestEndsByItself(t *testing.T) {
	in := instances.Generated(t, "grid", 12, 1)
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
	in := instances.Generated(t, "blocks", 40, 1)
	onBest, last := solvertest.OnBest(t, in)
	if r := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: 50_000}, OnBest: onBest}); *last != r.Score {
		t.Errorf("told of %v at last, the result is %v", *last, r.Score)
	}
}

// annealed is the search of a line that anneals.
func annealed(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	p := newParts(in, qap.Goal{}, nil)
	err := p.annealed(ctx, o)
	return p.best, err
}

// TestLargePlans: on large graphs one trajectory searches where nothing has structure, a
// population where it grows, and annealing elsewhere.
func TestLargePlans(t *testing.T) {
	ctx, o := context.Background(), qap.Options{Limits: qap.Limits{MaxSteps: 300}}
	for family, search := range map[string]func(in *qap.Instance) (qap.Result, error){
		"uniform": func(in *qap.Instance) (qap.Result, error) { return tabu.Solver{}.Solve(ctx, in, o) },
		"tree": func(in *qap.Instance) (qap.Result, error) {
			return turning{plan: lineOf(in).plan}.Solve(ctx, in, o)
		},
		"grid": func(in *qap.Instance) (qap.Result, error) { return annealed(ctx, in, o) },
	} {
		in := instances.Generated(t, family, largeFrom, 1)
		want, err := search(in)
		if err != nil {
			t.Fatal(err)
		}
		if r := solve(t, in, o); !slices.Equal(r.Matching, want.Matching) || r.Steps != want.Steps {
			t.Errorf("%s: %v, found by %s after %d steps, want %v", family, r.Objective, r.FoundBy, r.Steps, want.Objective)
		}
	}
}

// TestShortBudgets: on graphs of a hundred nodes annealing comes first where there is structure
// but not in blocks, and has all of a budget that is small for them.
func TestShortBudgets(t *testing.T) {
	for family, want := range map[string]bool{"grid": true, "clusters": true, "backboard": true, "uniform": false, "blocks": false, "tree": false, "neighbours": false} {
		in := instances.Generated(t, family, 120, 1)
		short, long := lineWithin(in, qap.Limits{MaxSteps: 100 * 120}).way, lineOf(in).way
		if (short == annealing) != want || (long == annealedTurns) != want {
			t.Errorf("%s: way %d in few steps, %d without a limit, want annealing: %v", family, short, long, want)
		}
	}
}

// TestMoreIsNoWorse: where a longer budget gets another search than a shorter one, what the
// shorter one runs comes first. The generated netlist and torus are kinds on which it was
// worse.
func TestMoreIsNoWorse(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, in := range map[string]*qap.Instance{"netlist": netlist(t, 10, rng), "torus": torus(t, 10, rng)} {
		n, _ := in.Size()
		o := qap.Options{Seed: 2, Limits: qap.Limits{MaxSteps: shortBudget * n}}
		short, err := annealed(context.Background(), in, o)
		if err != nil {
			t.Fatal(err)
		}
		before := short.Objective
		for _, times := range []int{1, 2, 4} {
			o.MaxSteps = times * shortBudget * n
			r := solve(t, in, o)
			if r.Objective > before {
				t.Errorf("%s: %v after %d steps, %v after half as many", name, r.Objective, o.MaxSteps, before)
			}
			before = r.Objective
		}
	}
}

// netlist is circuits on a grid, with every tenth place empty: nets of 2 to 6 pins near one
// another, as cliques.
func netlist(t *testing.T, side int, rng *rand.Rand) *qap.Instance {
	n := side * side
	flow := make([]float64, n*n)
	places := rng.Perm(n)
	cells := n - n/10
	for range 2 * cells {
		at := rng.IntN(cells)
		var pins []int
		for range 2 + rng.IntN(5) {
			x, y := at%side+rng.IntN(5)-2, at/side+rng.IntN(5)-2
			if pin := y*side + x; x >= 0 && x < side && pin >= 0 && pin < cells {
				pins = append(pins, places[pin])
			}
		}
		for _, i := range pins {
			for _, j := range pins {
				if i != j {
					flow[i*n+j]++
				}
			}
		}
	}
	return onGrid(t, side, flow, func(d int) int { return d })
}

// torus is the communication of a geometric graph on a torus of processors.
func torus(t *testing.T, side int, rng *rand.Rand) *qap.Instance {
	n := side * side
	flow := make([]float64, n*n)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = rng.Float64(), rng.Float64()
		for j := range i {
			if d := math.Hypot(x[i]-x[j], y[i]-y[j]); d < 2/float64(side) {
				flow[i*n+j] = float64(1 + rng.IntN(9))
				flow[j*n+i] = flow[i*n+j]
			}
		}
	}
	return onGrid(t, side, flow, func(d int) int { return min(d, side-d) })
}

// onGrid places flows on a square grid.
func onGrid(t *testing.T, side int, flow []float64, along func(d int) int) *qap.Instance {
	t.Helper()
	n := side * side
	distance := make([]float64, n*n)
	apart := func(a, b int) int { return along(max(a-b, b-a)) }
	for a := range n {
		for b := range n {
			distance[a*n+b] = float64(apart(a%side, b%side) + apart(a/side, b/side))
		}
	}
	return solvertest.Must(qap.NewKoopmansBeckmann(n, n, flow, distance, nil, qap.Minimize))(t)
}

// TestCopies: a graph is laid on a noisy copy of it with all edges that both have, whether
// shared edges are maximised or their negatives minimised; on another graph nothing begins at
// FAQ.
func TestCopies(t *testing.T) {
	const n, edges = 60, 180
	rng := rand.New(rand.NewPCG(5, 6))
	a, b, other := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	set := func(m []float64, i, j int, v float64) { m[i*n+j], m[j*n+i] = v, v }
	to, shared := rng.Perm(n), 0.0
	for range edges { // of nodes with few and with many
		i, j := rng.IntN(n), rng.IntN(1+rng.IntN(n))
		if i == j || a[i*n+j] != 0 {
			continue
		}
		set(a, i, j, 1)
		if rng.IntN(20) > 0 {
			set(b, to[i], to[j], 1)
			shared += 2
		}
		set(other, rng.IntN(3), 3+rng.IntN(n-3), 1)
	}
	negative := make([]float64, n*n)
	for k, v := range b {
		negative[k] = -v
	}
	for _, test := range []struct {
		b     []float64
		sense qap.Sense
		want  float64
	}{{b, qap.Maximize, shared}, {negative, qap.Minimize, -shared}} {
		in := solvertest.Must(qap.NewKoopmansBeckmann(n, n, a, test.b, nil, test.sense))(t)
		if got := lineOf(in).way; got != relaxing {
			t.Fatalf("way %d, want that of copies", got)
		}
		onBest, last := solvertest.OnBest(t, in)
		r := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: 2000}, OnBest: onBest})
		if in.ScoreOf(r.Objective) < in.ScoreOf(test.want) || r.Steps > 2000 || *last != r.Score {
			t.Errorf("%v after %d steps, want the %v that are planted; told of %v at last", r.Objective, r.Steps, test.want, *last)
		}
	}
	for _, test := range []struct {
		b     []float64
		sense qap.Sense
	}{{b, qap.Minimize}, {other, qap.Maximize}} {
		if in := solvertest.Must(qap.NewKoopmansBeckmann(n, n, a, test.b, nil, test.sense))(t); lineOf(in).way == relaxing {
			t.Error("what is no copy is taken for one")
		}
	}
}

// TestFewFlows: on large graphs with few flows a population grows where annealing has no time.
func TestFewFlows(t *testing.T) {
	const n = largeFrom
	for family, few := range map[string]bool{"mapping": true, "grid": false} {
		in := instances.Generated(t, family, n, 1)
		for steps, want := range map[int]bool{2*n - 1: false, 2 * n: few, growBudget*n - 1: few, growBudget * n: false} {
			if got := lineWithin(in, qap.Limits{MaxSteps: steps}).way == growth; got != want {
				t.Errorf("%s, %d steps: a population grows: %t", family, steps, got)
			}
		}
	}
	in := instances.Generated(t, "mapping", n, 1)
	for swaps, want := range map[int]bool{n: false, growInTime - 50: true, growInTime + 50: false} {
		if got := choose(in, circumstances{n: n, budget: float64(swaps) / n, byClock: true}).way == growth; got != want {
			t.Errorf("the time of %d swaps: a population grows: %t", swaps, got)
		}
	}
	limits := qap.Options{Limits: qap.Limits{MaxSteps: 2 * n}}
	grown := solve(t, in, limits)
	other, err := annealed(t.Context(), in, limits)
	if err != nil || grown.FoundBy != ByPopulation || grown.Objective > other.Objective {
		t.Errorf("%v by %s, annealing has %v (%v)", grown.Objective, grown.FoundBy, other.Objective, err)
	}
}

// TestLargeGraphs: limits count all stages, and a seed and a number of steps give the same
// result, also where a population grows.
func TestLargeGraphs(t *testing.T) {
	for _, family := range []string{"grid", "mapping"} {
		testLargeGraph(t, instances.Generated(t, family, largeFrom, 1))
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

// TestCopiesNeedTime: where FAQ could not end, it does not begin.
func TestCopiesNeedTime(t *testing.T) {
	for _, c := range []struct {
		circumstances
		want bool
	}{
		{circumstances{n: 1000, budget: 8, byClock: true}, false}, {circumstances{n: 1000, budget: 10, byClock: true}, true},
		{circumstances{n: 1000, budget: 8}, true},
	} {
		c.Features = &Features{N: c.n, Copies: true}
		if got := choose(nil, c.circumstances).way == relaxing; got != c.want {
			t.Errorf("%d nodes, %v swaps a node, by time %t: begins at FAQ: %t", c.n, c.budget, c.byClock, got)
		}
	}
}
