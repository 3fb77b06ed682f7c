package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

func TestConformance(t *testing.T) { solvertest.Test(t, Solver{}) }

func solve(t *testing.T, in *qap.Instance, o qap.Options) qap.Result {
	t.Helper()
	return must.Get(Solver{}.Solve(context.Background(), in, o))(t)
}

// TestPortionsChangeNothing: the same number of steps gives the same, however they are
// cut up, also over the ends of rounds.
func TestPortionsChangeNothing(t *testing.T) {
	const n, steps = 40, 9000
	for name, in := range variants(t, n) {
		start := qap.RandomMatching(n, n, rand.New(rand.NewPCG(1, 1)))
		whole := must.Get(New(in, start, 4, 3000))(t)
		whole.Run(steps, math.Inf(-1))
		parts, _ := New(in, start, 4, 3000)
		for portion := 1; parts.Steps() < steps; portion = portion*3%101 + 1 {
			parts.Run(min(steps, parts.Steps()+portion), math.Inf(-1))
		}
		if whole.Steps() != steps || *parts.s != *whole.s || !slices.Equal(parts.Best(), whole.Best()) {
			t.Errorf("%s: %+v, in portions %+v", name, *whole.s, *parts.s)
		}
	}
}

// TestRunAllocatesNothing.
func TestRunAllocatesNothing(t *testing.T) {
	in := instances.Generated(t, "grid", 60, 1)
	s := must.Get(New(in, qap.RandomMatching(60, 60, rand.New(rand.NewPCG(1, 1))), 0, 1000))(t)
	if got := testing.AllocsPerRun(20, func() { s.Run(s.Steps()+100, math.Inf(-1)) }); got != 0 {
		t.Errorf("100 steps allocate %v times", got)
	}
}

// TestLimits: each ends the search and gives its status.
func TestLimits(t *testing.T) {
	in := instances.Generated(t, "grid", 40, 1)
	found := solve(t, in, qap.Options{})
	if found.Status != qap.MaxSteps || found.Steps != DefaultSteps {
		t.Errorf("without a limit: %s after %d steps", found.Status, found.Steps)
	}
	for want, limits := range map[qap.Status]qap.Limits{
		qap.MaxSteps:  {MaxSteps: 777},
		qap.Patience:  {Patience: 500},
		qap.TimeLimit: {TimeLimit: 30 * time.Millisecond},
		qap.Target:    {Target: found.Objective * 1.02, HasTarget: true},
	} {
		r := solve(t, in, qap.Options{Limits: limits})
		if r.Status != want || limits.MaxSteps > 0 && r.Steps != limits.MaxSteps {
			t.Errorf("status %s after %d steps, want %s", r.Status, r.Steps, want)
		}
	}
}

// TestTimeBesideSteps: a time limit that suffices changes nothing.
func TestTimeBesideSteps(t *testing.T) {
	in := instances.Generated(t, "mapping", 60, 1)
	want := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: 700}})
	got := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: 700, TimeLimit: 20 * time.Second}})
	if got.Status != qap.MaxSteps || !slices.Equal(got.Matching, want.Matching) {
		t.Errorf("%s with %v, without a time limit %v", got.Status, got.Objective, want.Objective)
	}
	if r := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: 1 << 40, TimeLimit: 20 * time.Millisecond}}); r.Status != qap.TimeLimit {
		t.Errorf("%s, want the time limit", r.Status)
	}
}

// TestUnits: costs of any unit, also beyond what 32 bits hold, give the same matching.
func TestUnits(t *testing.T) {
	in := instances.Generated(t, "mapping", 60, 1)
	limits := qap.Options{Limits: qap.Limits{MaxSteps: 300}}
	want := solve(t, scaled(t, in, 0x1p-1), limits)
	for _, unit := range []float64{0x1p70, 0x1p200, 0x1p-90, 0x1p-200} {
		if got := solve(t, scaled(t, in, unit), limits); !slices.Equal(got.Matching, want.Matching) {
			t.Errorf("in units of %v: %v, want %v", unit, in.Objective(in.Score(got.Matching)), in.Objective(in.Score(want.Matching)))
		}
	}
}

// scaled returns an instance with flows that are no integers times a unit.
func scaled(t *testing.T, in *qap.Instance, unit float64) *qap.Instance {
	t.Helper()
	n, _ := in.Size()
	kb := in.Affinity.(*qap.KoopmansBeckmann)
	a := slices.Clone(kb.A())
	for k := range a {
		a[k] *= 0.75 * unit
	}
	return must.Get(qap.NewKoopmansBeckmann(n, n, a, kb.B(), nil, in.Sense))(t)
}

// TestTellsOfBetterSolutions on the way, each better than the one before.
func TestTellsOfBetterSolutions(t *testing.T) {
	in := instances.Generated(t, "mapping", 50, 1)
	onBest, last := solvertest.OnBest(t, in)
	if r := solve(t, in, qap.Options{OnBest: onBest}); *last != r.Score {
		t.Errorf("told of %v at last, the result is %v", *last, r.Score)
	}
}

// TestTemperatures: whatever the unit of the costs, the exploration finds where a tenth
// of the uphill trials are made, and the search cools to where hardly one is.
func TestTemperatures(t *testing.T) {
	for _, family := range []string{"grid", "mapping", "clusters", "blocks", "uniform", "tree", "levels"} {
		const n, length = 100, 20_000
		in := instances.Generated(t, family, n, 1)
		s := must.Get(New(in, qap.RandomMatching(n, n, rand.New(rand.NewPCG(1, 1))), 0, length))(t)
		share := func(from, to int) float64 {
			s.Run(from, math.Inf(-1))
			worse, taken := int64(0), int64(0)
			for s.Steps() < to {
				s.nextStage()
				s.runUntil(s.stageEnd)
				s.endStage(s.part())
				worse, taken = worse+s.s.worse, taken+s.s.taken
			}
			return (float64(taken) + 0.5) / (float64(worse) + 1)
		}
		hot, cold := share(length/10, length/9), share(length-length/20, length)
		if hot < mostHotShare/4 || hot > 3*mostHotShare || cold > 20*coldShare {
			t.Errorf("%s: %v of the uphill trials are made when hot, %v when cold", family, hot, cold)
		}
	}
}

// TestHardlyAnythingChanges: between graphs so sparse that nearly every swap changes
// nothing, or every one, temperatures are numbers and the search ends.
func TestHardlyAnythingChanges(t *testing.T) {
	const n = 60
	for edges := range 2 {
		a, b := make([]float64, n*n), make([]float64, n*n)
		if edges > 0 {
			a[1], a[n], b[1], b[n] = 1, 1, 1, 1
		}
		in := must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t)
		r, err := Solver{}.Solve(t.Context(), in, qap.Options{Limits: qap.Limits{MaxSteps: 200}})
		if err != nil || r.Objective != 0 {
			t.Errorf("%d edges: objective %v, error %v", edges, r.Objective, err)
		}
	}
	if s := (schedule{explored: 0.5}); s.at(0.7) != 0 {
		t.Error("a temperature of nothing is no number")
	}
}

// TestLargeGraphs: on hundreds of nodes annealing is ahead of tabu search that looked at
// ten times as many swaps, by far where flows are few.
func TestLargeGraphs(t *testing.T) {
	for family, ahead := range map[string]float64{"grid": 1.001, "mapping": 1.2} {
		const n, steps, more = 200, 6000, 10
		in := instances.Generated(t, family, n, 1)
		annealed := solve(t, in, qap.Options{Limits: qap.Limits{MaxSteps: steps}})
		walked := must.Get(tabu.Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{MaxSteps: more * steps * n / (n * (n - 1) / 2)}}))(t)
		if walked.Objective < ahead*annealed.Objective {
			t.Errorf("%s: annealing has %v, tabu search %v", family, annealed.Objective, walked.Objective)
		}
	}
}
