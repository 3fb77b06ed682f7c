package auto

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
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

// begun returns a search that has begun.
func begun(t *testing.T, in *qap.Instance, seed uint64) *search {
	t.Helper()
	s, err := newSearch(t.Context(), in, qap.Options{Seed: seed}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run searches until a number of steps in all.
func (s *search) run(steps int) {
	for s.advance(steps) {
	}
}

// TestOrders: an instance begins with the candidate that its family suggests, and whatever that
// is, all have turns in the end.
func TestOrders(t *testing.T) {
	for _, n := range []int{20, 45, 120} {
		for family, want := range map[string]Component{"blocks": BlocksPopulation, "neighbours": GrownPopulation, "tree": GrownPopulation, "uniform": ShortPopulation, "grid": ShortPopulation} {
			if family == "grid" && n >= middleFrom {
				want = Annealing
			}
			in := instances.Generated(t, family, n, 1)
			s := begun(t, in, 1)
			if s.state.Last != want {
				t.Errorf("%s, n = %d: begins with %s, want %s", family, n, candidates[s.state.Last].name, candidates[want].name)
			}
			if n > 20 {
				continue
			}
			s.run(100 * relaxationTurn * n)
			for k, p := range s.parts {
				if p == nil {
					t.Errorf("%s, n = %d: %s had no turn", family, n, candidates[k].name)
				}
			}
		}
	}
}

// TestOrderOfFeatures: rows are alike where most of them are empty, as in a job shop, and are no blocks
// then; trees and tours begin with growth on any number of nodes.
func TestOrderOfFeatures(t *testing.T) {
	for name, c := range map[string]struct {
		f    Features
		want Component
	}{
		"job shop": {Features{N: 120, Likeness: [2]float64{.04, .17}, Neighbors: [2]float64{3.6, 119}}, GrownPopulation},
		"blocks":   {Features{N: 120, Likeness: [2]float64{.04, .17}, Neighbors: [2]float64{60, 119}}, BlocksPopulation},
		"tour":     {Features{N: 350, Likeness: [2]float64{0, .4}, Neighbors: [2]float64{2, 349}}, GrownPopulation},
		"network":  {Features{N: 350, Likeness: [2]float64{.1, .4}, Neighbors: [2]float64{6, 349}}, Annealing},
	} {
		if got := orderOf(&c.f).first; got != c.want || c.f.blocks() != (c.want == BlocksPopulation) {
			t.Errorf("%s begins with %s, want %s; blocks: %v", name, candidates[got].name, candidates[c.want].name, c.f.blocks())
		}
	}
}

// TestOneWay: annealing of flows and distances that are both one-way has no lists of flows, so that a step
// takes as long as one by rows.
func TestOneWay(t *testing.T) {
	const n = largeFrom
	flow, loop := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		flow[i*n+(i+1)%n], flow[i*n+(i+7)%n], flow[i*n+(i+50)%n] = 1, 2, 3
		for j := range n {
			loop[i*n+j] = float64((j - i + n) % n)
		}
	}
	s := begun(t, must.Get(qap.NewKoopmansBeckmann(n, n, flow, loop, nil, qap.Minimize))(t), 1)
	if s.sparse || s.prices[Annealing] != candidates[Annealing].price {
		t.Errorf("sparse: %v, a step has the price %v", s.sparse, s.prices[Annealing])
	}
}

// TestSuccessCounts: who is ahead after equal work, or has new bests, has most of the work.
func TestSuccessCounts(t *testing.T) {
	for family, want := range map[string]Component{"tree": GrownPopulation, "neighbours": GrownPopulation} {
		s := begun(t, instances.Generated(t, family, 60, 1), 1)
		for k := range s.shares { // no order suggests it
			s.shares[k] = 1
		}
		s.run(300_000)
		for k := range s.turns {
			if s.turns[k].work > s.turns[want].work {
				t.Errorf("%s: %s had work of %.0f, %s of %.0f", family, candidates[k].name, s.turns[k].work, candidates[want].name, s.turns[want].work)
			}
		}
	}
}

// TestTablesAreTheDocumentedOnes: docs/SOLVERS.md has every row of the tables, in their order.
func TestTablesAreTheDocumentedOnes(t *testing.T) {
	data, err := os.ReadFile("../../docs/SOLVERS.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, w := range ways {
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |\n", w.instance, w.runs, w.chosenOn))
	}
	for _, c := range candidates {
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |\n", c.name, c.purpose, c.chosenOn))
	}
	for _, o := range orders {
		rows = append(rows, fmt.Sprintf("| %s | %s |\n", o.instance, o.begins))
	}
	rest := string(data)
	for _, row := range rows {
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
	for _, name := range qaplib.Names() {
		in, err := qaplib.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if f := structure(in); f.blocks() || f.Copies {
			t.Errorf("%s: likeness %v is that of blocks, or it is taken for copies: %t", name, f.Likeness, f.Copies)
		}
	}
}

// TestPortionsChangeNothing: the same number of steps gives the same, however they
// are cut up, also where many matchings cost the same.
func TestPortionsChangeNothing(t *testing.T) {
	for family, n := range map[string]int{"grid": 25, "blocks": 25, "neighbours": 25, "uniform": 25, "mapping": largeFrom} {
		steps := 60_000
		if n == largeFrom {
			steps = 12_000
		}
		in := instances.Generated(t, family, n, 2)
		whole, parts := begun(t, in, 3), begun(t, in, 3)
		whole.run(steps)
		for portion := 1; parts.state.Steps < steps; portion = portion*3%11 + 1 {
			parts.run(min(steps, parts.state.Steps+portion))
		}
		for _, s := range []*search{whole, parts} {
			if s.state.Steps != steps || s.state.BestCost != -in.Score(s.best()) {
				t.Errorf("%s: %d steps, cost %v", family, s.state.Steps, s.state.BestCost)
			}
		}
		if parts.state.BestStep != whole.state.BestStep || parts.state.Found != whole.state.Found || !slices.Equal(parts.best(), whole.best()) ||
			parts.turns[Trajectory].work != whole.turns[Trajectory].work {
			t.Errorf("%s: %d steps to the best by %d, in portions %d by %d",
				family, whole.state.BestStep, whole.state.Found, parts.state.BestStep, parts.state.Found)
		}
	}
}

// TestLongerContainsShorter: no turn depends on the steps that are left, so a search of some
// steps that goes on is one of more steps, which never ends with less.
func TestLongerContainsShorter(t *testing.T) {
	for family, n := range map[string]int{"grid": 30, "blocks": 40, "tree": 25, "backboard": 110, "mapping": largeFrom, "uniform": largeFrom} {
		in := instances.Generated(t, family, n, 2)
		longer := begun(t, in, 3)
		first := max(20*n, smallShare*longer.state.Steps) // matching blocks has a part of fewer
		most := 8 * first
		if n >= largeFrom { // which take most of the time
			most = 2 * first
		}
		for steps := first; steps <= most; steps *= 2 {
			longer.run(steps)
			r := solve(t, in, qap.Options{Seed: 3, Limits: qap.Limits{MaxSteps: steps}})
			if !slices.Equal(r.Matching, longer.best()) {
				t.Errorf("%s: %v after %d steps, on the way of more %v", family, -r.Score, steps, longer.state.BestCost)
			}
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

// TestRelaxationsEndAPortion: the steps of a relaxation take no time, so that those between two looks
// at the clock never go beyond its end.
func TestRelaxationsEndAPortion(t *testing.T) {
	const n = 50
	m := make([]float64, n*n)
	for i := range n - 1 {
		m[i*n+i+1], m[(i+1)*n+i] = 1, 1
	}
	in, err := qap.NewKoopmansBeckmann(n, n, m, m, nil, qap.Maximize)
	if err != nil {
		t.Fatal(err)
	}
	s := begun(t, in, 1)
	s.target = -n * n // more than all edges: unreachable
	if more := s.advance(1 << 40); !more || s.state.Steps != relaxationTurn*n {
		t.Errorf("stops after %d steps, want the %d of the first relaxation", s.state.Steps, relaxationTurn*n)
	}
}

// TestCopies: a graph is laid on a noisy copy of it with all edges that both have, whether
// shared edges are maximised or their negatives minimised; another graph does not begin with FAQ.
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
		in := must.Get(qap.NewKoopmansBeckmann(n, n, a, test.b, nil, test.sense))(t)
		if got := begun(t, in, 1).state.Last; got != Relaxation {
			t.Fatalf("begins with %s", candidates[got].name)
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
		if in := must.Get(qap.NewKoopmansBeckmann(n, n, a, test.b, nil, test.sense))(t); begun(t, in, 1).state.Last == Relaxation {
			t.Error("what is no copy is taken for one")
		}
	}
}

// TestLargeGraphs: limits count all stages, and a seed and a number of steps give the same
// result.
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
