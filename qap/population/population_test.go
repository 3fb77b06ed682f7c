package population

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

func TestConformance(t *testing.T) { solvertest.Test(t, Solver{}) }

// TestPortionsChangeNothing: a search is the same however its steps are cut up.
func TestPortionsChangeNothing(t *testing.T) {
	const steps = 6000
	for name, settings := range map[string]Settings{"short": Short(), "blocks": Blocks(), "long": Long(), "grown": Grown()} {
		settings.Size, settings.Rounds = 5, 1
		for _, n := range []int{2, 3, 12, 30} {
			in := instances.Generated(t, "blocks", n, 1)
			whole := must.Get(New(in, settings, nil, 7, nil))(t)
			whole.Run(steps, math.Inf(-1))
			parts, _ := New(in, settings, nil, 7, nil)
			for portion := 1; parts.Steps() < steps; portion = portion*3%101 + 1 {
				parts.Run(min(steps, parts.Steps()+portion), math.Inf(-1))
			}
			if parts.Steps() != whole.Steps() || parts.BestStep() != whole.BestStep() || !slices.Equal(parts.Best(), whole.Best()) {
				t.Errorf("%s, n = %d: best at %d of %d steps, in portions at %d of %d",
					name, n, whole.BestStep(), whole.Steps(), parts.BestStep(), parts.Steps())
			}
			for k, m := range whole.members {
				if !slices.Equal(m.assignment, parts.members[k].assignment) {
					t.Fatalf("%s, n = %d: another member %d", name, n, k)
				}
			}
		}
	}
}

// TestSameOnAnyMachine compares with what a search came to on another one; it holds
// with every kernel of package tabu, in C or Go.
func TestSameOnAnyMachine(t *testing.T) {
	for _, c := range []struct {
		family   string
		settings Settings
		want     uint64
	}{
		{"blocks", Short(), 0xcd05b999991dc845},
		{"blocks", Blocks(), 0x10dffd224aa54a9f},
		{"neighbours", Short(), 0xd2e25243bbc2b64f},
		{"typing", Short(), 0x3e2aab8f81ce9953},
	} {
		s := must.Get(New(instances.Generated(t, c.family, 27, 1), c.settings, nil, 5, nil))(t)
		s.Run(40_000, math.Inf(-1))
		hash := fnv.New64a()
		for _, m := range s.members {
			fmt.Fprintln(hash, m.cost, m.assignment)
		}
		if got := hash.Sum64(); got != c.want {
			t.Errorf("%s, %d members: %#x, want %#x", c.family, c.settings.Size, got, c.want)
		}
	}
}

// TestSearchKeepsItsCosts recomputes the costs of all members and of the best.
func TestSearchKeepsItsCosts(t *testing.T) {
	for _, family := range []string{"blocks", "neighbours", "levels"} {
		in := instances.Generated(t, family, 24, 1)
		s := must.Get(New(in, Short(), nil, 1, nil))(t)
		s.Run(30_000, math.Inf(-1))
		for k, m := range s.members {
			if want := -in.Score(s.improver.Matching(m.assignment)); m.cost != want && !math.IsInf(m.cost, 1) {
				t.Errorf("%s: member %d costs %v, want %v", family, k, m.cost, want)
			}
			if m.cost < s.BestCost() {
				t.Errorf("%s: member %d is better than the best", family, k)
			}
		}
		if want := -in.Score(s.Best()); s.BestCost() != want {
			t.Errorf("%s: the best costs %v, want %v", family, s.BestCost(), want)
		}
	}
}

// TestBlocksAreNearest: nobody outside a block is nearer to its centre than somebody inside,
// and of those equally far each is in some block and in another not.
func TestBlocksAreNearest(t *testing.T) {
	const n = 40
	s := must.Get(New(instances.Generated(t, "mapping", n, 1), Short(), nil, 1, nil))(t)
	x, divided, source := s.cross, 0, rand.NewPCG(1, 1)
	var in, out [2][n * n]bool
	for draw := range 4000 {
		side := draw % 2
		before := *source
		x.chooseBlock(side == 1, rand.New(source))
		centre, farthest, size := rand.New(&before).IntN(n), float32(math.Inf(-1)), 0 // drawn first
		apart := x.apart[side][centre*n : (centre+1)*n]
		for k, inBlock := range x.inBlock {
			if inBlock {
				farthest = max(farthest, apart[k])
				size++
			}
		}
		ties := 0
		for k, inBlock := range x.inBlock {
			if !inBlock && apart[k] < farthest {
				t.Fatalf("%d is nearer to %d than another of its block of %d", k, centre, size)
			}
			if !inBlock && apart[k] == farthest {
				ties++
				out[side][centre*n+k] = true
			}
			if inBlock && apart[k] == farthest {
				in[side][centre*n+k] = true
			}
		}
		if ties > 0 {
			divided++
		}
	}
	both := 0
	for side := range in {
		for k := range in[side] {
			if in[side][k] && out[side][k] {
				both++
			}
		}
	}
	if divided < 1000 || both < n*n/2 {
		t.Errorf("%d of 4000 blocks divide equals, %d nodes were on both sides", divided, both)
	}
}

// TestChildrenAreAssignments, also of parents that share nothing.
func TestChildrenAreAssignments(t *testing.T) {
	for _, n := range []int{2, 3, 9, 40} {
		s := must.Get(New(instances.Generated(t, "grid", n, 1), Short(), nil, 1, nil))(t)
		x, y := make([]int32, n), make([]int32, n)
		for range 50 {
			shuffle(x, s.rng)
			shuffle(y, s.rng)
			for name, cross := range map[string]func(child, x, y []int32, rng *rand.Rand){"block": s.cross.block, "uniform": s.cross.uniform} {
				cross(s.child, x, y, s.rng)
				if !isPermutation(s.child) {
					t.Fatalf("n = %d, %s: %v", n, name, s.child)
				}
			}
			s.cross.uniform(s.child, x, x, s.rng)
			if !slices.Equal(s.child, x) {
				t.Fatalf("n = %d: parents that are alike have another child", n)
			}
			s.disturb()
			if !isPermutation(s.child) || n > 2 && slices.Equal(s.child, x) {
				t.Fatalf("n = %d: %v disturbed is %v", n, x, s.child)
			}
		}
	}
}

func isPermutation(p []int32) bool {
	sorted := slices.Sorted(slices.Values(p))
	for i, v := range sorted {
		if int(v) != i {
			return false
		}
	}
	return true
}

// TestLeavesFunnels: a population finds the optimum, which is known, where one
// trajectory of as many swaps does not.
func TestLeavesFunnels(t *testing.T) {
	in := instances.Generated(t, "neighbours", 30, 1)
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	optimum := min(sum(kb.A()), sum(kb.B())) // all flow goes to neighbours, at distance 1
	o := qap.Options{Limits: qap.Limits{MaxSteps: 2_000_000, Target: optimum, HasTarget: true}}
	result, err := Solver{Settings: Long()}.Solve(context.Background(), in, o)
	if err != nil || result.Status != qap.Target {
		t.Errorf("found %v (%v), the optimum is %v", result.Objective, err, optimum)
	}
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

func TestLimits(t *testing.T) {
	in := instances.Generated(t, "clusters", 20, 1)
	solve := func(ctx context.Context, o qap.Options) qap.Result {
		t.Helper()
		return must.Get(Solver{}.Solve(ctx, in, o))(t)
	}
	ctx := context.Background()
	if r := solve(ctx, qap.Options{Limits: qap.Limits{MaxSteps: 12345}}); r.Status != qap.MaxSteps || r.Steps != 12345 {
		t.Errorf("%s after %d steps, want max_steps after 12345", r.Status, r.Steps)
	}
	if r := solve(ctx, qap.Options{Limits: qap.Limits{Patience: 7000}}); r.Status != qap.Patience {
		t.Errorf("%s, want patience", r.Status)
	}
	r := solve(ctx, qap.Options{})
	if r.Status != qap.MaxSteps || r.Steps != 20*StepsPerNode {
		t.Errorf("%s after %d steps, want the default budget", r.Status, r.Steps)
	}
	from := qap.Options{Initial: r.Matching, Limits: qap.Limits{MaxSteps: 1}}
	if kept := solve(ctx, from); kept.Score < r.Score {
		t.Error("the search lost the matching it started from")
	}
}

// TestCancelledSoon: a search over 256 nodes ends soon after its context does, by the
// processor time that it takes.
func TestCancelledSoon(t *testing.T) {
	in := instances.Generated(t, "uniform", 256, 1)
	ctx, cancel := context.WithCancel(context.Background())
	begin, clock := make(chan time.Time, 1), solvertest.Clock()
	time.AfterFunc(300*time.Millisecond, func() { begin <- clock(); cancel() })
	r, err := Solver{}.Solve(ctx, in, qap.Options{})
	if took := clock().Sub(<-begin); err != nil || r.Status != qap.Cancelled || took > time.Second {
		t.Errorf("%s (%v) %v after the context ended", r.Status, err, took)
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	for family, settings := range map[string]Settings{"grid": Short(), "blocks": Blocks(), "tree": Grown()} {
		s := must.Get(New(instances.Generated(t, family, 27, 1), settings, nil, 1, nil))(t)
		if allocations := testing.AllocsPerRun(10, func() { s.Run(s.Steps()+5000, math.Inf(-1)) }); allocations != 0 {
			t.Errorf("%s: 5000 steps allocate %v times", family, allocations)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	in := instances.Generated(t, "grid", 5, 1)
	if _, err := New(in, Settings{Size: 1}, nil, 1, nil); err == nil {
		t.Error("a population of one is accepted")
	}
	if _, err := New(in, Short(), qap.Matching{0, 1, 2, 3, 3}, 1, nil); err == nil {
		t.Error("an initial matching that is none is accepted")
	}
}

// BenchmarkSearch reports what of its swaps a search keeps beside one trajectory's
// (tabu's BenchmarkSwap).
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{27, 75, 125} {
		b.Run(instances.Generated(b, "blocks", n, 1).Name, func(b *testing.B) {
			s := must.Get(New(instances.Generated(b, "blocks", n, 1), Short(), nil, 1, nil))(b)
			b.ReportAllocs()
			b.ResetTimer()
			s.Run(b.N, math.Inf(-1))
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "swaps/s")
		})
	}
}

// TestThreads: searches side by side are the same on any number of processors, and
// keep to all limits.
func TestThreads(t *testing.T) {
	in := instances.Generated(t, "blocks", 30, 1)
	solve := func(o qap.Options) qap.Result {
		t.Helper()
		return must.Get(Solver{Threads: 3}.Solve(context.Background(), in, o))(t)
	}
	steps := qap.Options{Seed: 2, Limits: qap.Limits{MaxSteps: 3*exchangeEvery*30 + 1234}}
	r := solve(steps)
	if r.Status != qap.MaxSteps || r.Steps != 3*steps.MaxSteps {
		t.Errorf("%s after %d steps, want max_steps after %d", r.Status, r.Steps, 3*steps.MaxSteps)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if again := solve(steps); !slices.Equal(again.Matching, r.Matching) || again.Steps != r.Steps {
		t.Error("one processor gives another result")
	}
	for want, limits := range map[qap.Status]qap.Limits{
		qap.Patience:  {Patience: 2000},
		qap.TimeLimit: {TimeLimit: 20 * time.Millisecond},
		qap.Target:    {Target: r.Objective, HasTarget: true},
	} {
		if got := solve(qap.Options{Seed: 2, Limits: limits}); got.Status != want {
			t.Errorf("status %s, want %s", got.Status, want)
		}
	}
	onBest, last := solvertest.OnBest(t, in)
	steps.OnBest = onBest
	if r := solve(steps); *last != r.Score {
		t.Errorf("told of %v at last, the result is %v", *last, r.Score)
	}
}

// TestThreadsConform: side by side, the search is still a solver.
func TestThreadsConform(t *testing.T) { solvertest.Test(t, Solver{Threads: 2}) }

// TestTargetWithinRounding: a search ends also where what reaches its target is better
// than its best by less than rounding may be.
func TestTargetWithinRounding(t *testing.T) {
	const n = 8
	rng := rand.New(rand.NewPCG(4, 4))
	a, b := make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = rng.Float64(), rng.Float64()
	}
	in := must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t)
	s := must.Get(New(in, Short(), nil, 1, nil))(t)
	s.Run(20_000, math.Inf(-1)) // long at the optimum
	optimum, tolerance := s.BestCost(), s.improver.Tolerance()
	if tolerance <= 0 {
		t.Fatalf("tolerance %v of costs that are no integers", tolerance)
	}
	s.bestCost = optimum + tolerance/2
	ended := make(chan struct{})
	go func() {
		s.Run(200_000, optimum+tolerance/4)
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Fatal("the search goes on for ever")
	}
	if s.BestCost() > optimum+tolerance/4 {
		t.Errorf("cost %v after %d steps, want the optimum %v", s.BestCost(), s.Steps(), optimum)
	}
}
