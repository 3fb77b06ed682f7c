package regrow

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// bestValue returns the best value of a solution, by enumeration.
func bestValue(in *qap.Instance, goal qap.Goal) float64 {
	least, most := goal.Sizes(in)
	best := math.Inf(-1)
	for size, score := range solvertest.BestScores(in, goal.Fixed) {
		if size >= least && size <= most && !math.IsInf(score, -1) {
			best = max(best, goal.Value(in, score, size))
		}
	}
	return best
}

func TestExactOnSmallInstances(t *testing.T) {
	for _, in := range solvertest.Small(t) {
		n1, n2 := in.Size()
		seeds := qap.NewMatching(n1)
		seeds[n1-1] = n2 / 2
		for _, fixed := range []qap.Matching{nil, seeds} {
			for _, goal := range []qap.Goal{
				{}, {Inliers: min(n1, n2)}, {Inliers: (min(n1, n2) + 1) / 2}, {Regularizer: qap.RegularizeF1},
				{Regularizer: qap.RegularizeMean(1)}, {Regularizer: qap.RegularizeMean(1.6)}, {Regularizer: qap.RegularizeF3},
			} {
				goal.Fixed = fixed
				if goal.Check(in) != nil {
					continue // a complete instance with fewer inliers
				}
				r := must.Get(Solver{Goal: goal}.Solve(context.Background(), in, qap.Options{Seed: 3, Limits: qap.Limits{MaxSteps: 4000}}))(t)
				checkSolution(t, in, goal, r)
				want := bestValue(in, goal)
				if got := goal.Value(in, r.Score, r.Matching.Size()); math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, %+v: value %v of %v, best is %v", in.Name, goal, got, r.Matching, want)
				}
			}
		}
	}
}

// checkSolution fails unless the matching is a solution with its score and the seeds.
func checkSolution(t *testing.T, in *qap.Instance, goal qap.Goal, r qap.Result) {
	t.Helper()
	least, most := goal.Sizes(in)
	if err := in.CheckMatching(r.Matching); err != nil || r.Matching.Size() < least || r.Matching.Size() > most {
		t.Fatalf("%s, %+v: %v is no solution: %v", in.Name, goal, r.Matching, err)
	}
	if r.Score != in.Score(r.Matching) {
		t.Fatalf("%s: score %v, recomputed %v", in.Name, r.Score, in.Score(r.Matching))
	}
	for i, a := range goal.Fixed {
		if a != qap.Unmatched && r.Matching[i] != a {
			t.Fatalf("%s: %v has not the seeds %v", in.Name, r.Matching, goal.Fixed)
		}
	}
}

func TestSeedDecidesTheResult(t *testing.T) {
	in := solvertest.Pair(t, 20, false)
	solve := func(seed uint64) qap.Result {
		return must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Seed: seed}))(t)
	}
	if !reflect.DeepEqual(solve(4), solve(4)) {
		t.Error("the same seed gives another result")
	}
}

// TestFormsAgree: the same problem by pairs of edges, sparse and dense has the same
// best score.
func TestFormsAgree(t *testing.T) {
	pairs := solvertest.Pair(t, 12, false)
	k := make([]float64, 144*144)
	var entries []qap.Entry
	for p := range 144 {
		row := k[p*144 : (p+1)*144]
		pairs.Affinity.Row(row, p)
		for q, v := range row {
			entries = append(entries, qap.Entry{P: p, Q: q, Value: v})
		}
	}
	sparse := must.Get(qap.NewSparse(12, 12, entries, qap.Maximize))(t)
	dense := must.Get(qap.NewDense(12, 12, k, qap.Maximize))(t)
	var scores []float64
	for _, in := range []*qap.Instance{pairs, sparse, dense} {
		r := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{}))(t)
		checkSolution(t, in, qap.Goal{}, r)
		scores = append(scores, r.Score)
	}
	if math.Abs(scores[0]-scores[1]) > 1e-9 || math.Abs(scores[0]-scores[2]) > 1e-9 {
		t.Errorf("scores %v: want the same", scores)
	}
}

func TestLimits(t *testing.T) {
	in := solvertest.Pair(t, 30, false)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		limits qap.Limits
		want   qap.Status
	}{
		{context.Background(), qap.Limits{}, qap.MaxSteps},
		{context.Background(), qap.Limits{MaxSteps: 50}, qap.MaxSteps},
		{context.Background(), qap.Limits{Patience: 50}, qap.Patience},
		{context.Background(), qap.Limits{TimeLimit: 20 * time.Millisecond}, qap.TimeLimit},
		{context.Background(), qap.Limits{Target: 1, HasTarget: true}, qap.Target},
		{cancelled, qap.Limits{}, qap.Cancelled},
	} {
		for _, complete := range []bool{false, true} {
			one := *in
			one.Complete = complete
			r, err := Solver{}.Solve(c.ctx, &one, qap.Options{Limits: c.limits})
			if err != nil || r.Status != c.want {
				t.Errorf("%+v: %s, %v; want %s", c.limits, r.Status, err, c.want)
			}
			checkSolution(t, &one, qap.Goal{}, r)
		}
	}
}

// TestTimeLimits: every limit from 5 ms on holds, and gives a matching in which no node
// could be added.
func TestTimeLimits(t *testing.T) {
	const slack = 2 * time.Second
	clock := solvertest.Clock()
	for name, in := range map[string]*qap.Instance{
		"sparse": solvertest.Pair(t, 100, false), "dense": solvertest.Pair(t, 30, true),
	} {
		for _, limit := range []time.Duration{5 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			begin := clock()
			r, err := Solver{}.Solve(solvertest.Clocked(), in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
			if took := clock().Sub(begin); err != nil || took > limit+slack || r.Score <= 0 {
				t.Errorf("%s, %v: took %v, score %v, %v", name, limit, took, r.Score, err)
			}
		}
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	for _, in := range []*qap.Instance{solvertest.Pair(t, 30, false), solvertest.Pair(t, 15, true)} {
		r := newRun(context.Background(), in, qap.Goal{}, qap.Options{})
		r.start(nil)
		if allocated := testing.AllocsPerRun(100, func() {
			r.step(1)
			r.keep()
		}); allocated > 0 {
			t.Errorf("%v allocations a step", allocated)
		}
	}
}

// TestStepsKeepTheState: after many steps the score and the gains are those of the
// matching.
func TestStepsKeepTheState(t *testing.T) {
	for _, in := range append(solvertest.Small(t), solvertest.Pair(t, 30, false)) {
		n1, n2 := in.Size()
		if n1*n2 < 2 {
			continue
		}
		r := newRun(context.Background(), in, qap.Goal{}, qap.Options{})
		r.start(nil)
		for range 200 {
			r.step(1)
		}
		fresh := newState(in, nil)
		fresh.Reset(r.Match)
		if math.Abs(fresh.Score-r.Score) > 1e-9 || fresh.Size != r.Size {
			t.Errorf("%s: score %v of %d matches, recomputed %v of %d", in.Name, r.Score, r.Size, fresh.Score, fresh.Size)
		}
		for v, g := range fresh.Gains {
			if math.Abs(g-r.Gains[v]) > 1e-9 {
				t.Fatalf("%s: gain %v of vertex %d, recomputed %v", in.Name, r.Gains[v], v, g)
			}
		}
	}
}

func BenchmarkSteps(b *testing.B) {
	for name, in := range map[string]*qap.Instance{
		"sparse/n=50": solvertest.Pair(b, 50, false), "sparse/n=100": solvertest.Pair(b, 100, false), "sparse/n=250": solvertest.Pair(b, 250, false),
		"dense/n=40": solvertest.Pair(b, 40, true),
	} {
		b.Run(name, func(b *testing.B) {
			r := newRun(context.Background(), in, qap.Goal{}, qap.Options{})
			r.start(nil)
			for b.Loop() {
				r.step(usualTemperature * r.meanGain() / 2)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

// TestFusionIsTheBestOfItsChoices compares fusion with all choices of parts, scored anew.
func TestFusionIsTheBestOfItsChoices(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	parts := 0
	for _, in := range append(solvertest.Small(t), solvertest.Pair(t, 15, false), solvertest.Pair(t, 10, true)) {
		n1, n2 := in.Size()
		for _, goal := range []qap.Goal{{}, {Regularizer: qap.RegularizeMean(1)}} {
			for range 20 {
				r := newRun(context.Background(), in, goal, qap.Options{})
				r.Reset(r.repaired(thinned(qap.RandomMatching(n1, n2, rng), in, rng)))
				r.keep()
				r.Reset(r.repaired(thinned(qap.RandomMatching(n1, n2, rng), in, rng)))
				f := r.parts()
				parts = max(parts, f.count)
				if f.count > fewParts {
					continue
				}
				want := math.Inf(-1)
				for k := range 1 << f.count {
					m := f.ours.Clone()
					for i, c := range f.part {
						if c >= 0 && k>>c&1 == 1 {
							m[i] = f.theirs[i]
						}
					}
					if err := in.CheckMatching(m); err != nil {
						t.Fatalf("parts conflict: %v", err)
					}
					want = max(want, r.solutionValue(in.Score(m), m.Size()))
				}
				r.take(f, r.solve(f))
				if got := goal.Value(in, in.Score(r.Match), r.Match.Size()); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Fatalf("%s, %d parts: fused %v, best choice %v", in.Name, f.count, got, want)
				}
			}
		}
	}
	if parts < 3 {
		t.Errorf("at most %d parts: nothing was tried", parts)
	}
}

// thinned drops some matches where solutions may be partial.
func thinned(m qap.Matching, in *qap.Instance, rng *rand.Rand) qap.Matching {
	for i := range m {
		if !in.Complete && rng.IntN(4) == 0 {
			m[i] = qap.Unmatched
		}
	}
	return m
}

// TestSmallestOfEqualSolutions: a match that brings nothing is left out unless the instance
// demands it, as in all searches of partial matchings (qap.Goal.Choose).
func TestSmallestOfEqualSolutions(t *testing.T) {
	zero, one := make([]float64, 16*16), make([]float64, 16*16)
	one[5], one[5*16] = 1, 1 // between node 0 with 0 and node 1 with 1
	for _, c := range []struct {
		k        []float64
		complete bool
		size     int
	}{{zero, false, 0}, {zero, true, 4}, {one, false, 2}, {one, true, 4}} {
		in := must.Get(qap.NewDense(4, 4, c.k, qap.Maximize))(t)
		in.Complete = c.complete
		result := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{}))(t)
		if m := result.Matching.Size(); m != c.size {
			t.Errorf("%d matches of score %v, complete %t; want %d", m, result.Score, c.complete, c.size)
		}
	}
}
