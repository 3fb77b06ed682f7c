package auto

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// someTurn chooses at random, so that all components have turns.
type someTurn struct{ rng *rand.Rand }

func (c someTurn) Next(*State) Component { return Component(c.rng.IntN(Components)) }

// TestReplayIsTheSearch: at the end of every turn a replay is in the very state of the
// search that it stands for, whatever the chooser.
func TestReplayIsTheSearch(t *testing.T) {
	for _, family := range []string{"grid", "neighbours", "typing"} {
		in := generated(t, family, 20)
		o := qap.Options{Seed: 7}
		trace, err := Record(context.Background(), in, 60*time.Millisecond, o)
		if err != nil {
			t.Fatal(err)
		}
		choosers := func() []Chooser {
			return []Chooser{Rule(), RoundRobin(), Fixed(Trajectory), Fixed(Restarts), someTurn{rand.New(rand.NewPCG(1, 2))}}
		}
		for k, chooser := range choosers() {
			real, err := newSearch(in, describe(in), chooser, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			replay := &search{chooser: choosers()[k], target: math.Inf(-1), begin: func(k Component, _ *search) searcher { return &curve{points: trace.Curves[k]} }}
			replay.open(trace.Features, real.state.Budget, &curve{points: trace.Curves[trace.Opening]})
			replay.state.Features = real.state.Features // what the opening tells, the replay knows from the start
			for range 20 {
				turn := real.end - real.parts[real.state.Last].Steps()
				real.run(real.state.Steps + turn)
				replay.run(replay.state.Steps + turn)
				if replay.state.Features = trace.Features; replay.state != real.state {
					t.Fatalf("%s, chooser %d: the replay is at %+v, the search at %+v", family, k, replay.state, real.state)
				}
			}
			if got := -in.Score(real.best()); got != real.state.BestCost {
				t.Errorf("%s, chooser %d: cost %v, the best matching has %v", family, k, real.state.BestCost, got)
			}
		}
	}
}

// TestReplayTakesItsTime: all of it, and no more.
func TestReplayTakesItsTime(t *testing.T) {
	in := generated(t, "blocks", 30)
	const d = 20 * time.Millisecond
	trace, err := Record(context.Background(), in, d, qap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, chooser := range []Chooser{Rule(), RoundRobin(), Fixed(ShortPopulation), Fixed(LongPopulation)} {
		s, work := trace.Replay(chooser, d), 0.0
		for k := range Component(Components) {
			work += Work(k, 30) * float64(s.Parts[k].Steps)
		}
		if have := float64(SwapsIn(d, 30)); work > have || work < have-Work(ShortPopulation, 30) {
			t.Errorf("chooser %d: work of %v swaps, want %v", k, work, have)
		}
		if s.BestCost < trace.Best() {
			t.Errorf("chooser %d: cost %v, less than was recorded", k, s.BestCost)
		}
	}
	target := qap.Limits{Target: 1e9, HasTarget: true}
	if trace, err = Record(context.Background(), in, time.Hour, qap.Options{Limits: target}); err != nil || len(trace.Curves[Trajectory]) != 1 {
		t.Errorf("recorded beyond the target: %v, error %v", trace, err)
	}
}

// TestLuby compares with the beginning of the sequence as it is printed.
func TestLuby(t *testing.T) {
	var got []int
	for i := range 15 {
		got = append(got, luby(i+1))
	}
	if want := []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRestartsKeepTheBest of all trajectories, with the step it was found at.
func TestRestartsKeepTheBest(t *testing.T) {
	in := generated(t, "uniform", 15)
	r, err := newRestarts(in, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	best, at := math.Inf(1), 0
	for steps := 100; steps <= 40*restartUnit*15; steps += 100 {
		r.Run(steps, math.Inf(-1))
		if r.Steps() != steps {
			t.Fatalf("%d steps, want %d", r.Steps(), steps)
		}
		if r.BestCost() < best {
			best, at = r.BestCost(), r.BestStep()
			if at > steps || at <= steps-100 && steps > 100 {
				t.Errorf("after %d steps: best at %d", steps, at)
			}
		}
	}
	if r.runs < 10 || -in.Score(r.Best()) != best {
		t.Errorf("%d runs, best cost %v of a matching of %v", r.runs, best, -in.Score(r.Best()))
	}
}
