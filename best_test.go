package rgm_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/qap"
)

// checkBest checks what is true of every list of best matchings.
func checkBest(t *testing.T, p *rgm.Problem, r *rgm.Result, k int) {
	t.Helper()
	if len(r.Matchings) == 0 || len(r.Matchings) > k || math.Abs(r.Matchings[0].Objective-r.Objective) > 1e-9*math.Abs(r.Objective) {
		t.Fatalf("%d matchings, the first of %v, of %v", len(r.Matchings), r.Matchings, r.Objective)
	}
	for x, one := range r.Matchings {
		e := must.Get(p.Evaluate(one.Matching))(t)
		if e.Objective == nil || math.Abs(*e.Objective-one.Objective) > 1e-6*max(1, math.Abs(one.Objective)) || e.Matched != one.Matched {
			t.Errorf("matching %d: %+v, evaluated %+v", x, one, e)
		}
		for _, before := range r.Matchings[:x] {
			if slices.Equal(before.Matching, one.Matching) || r.Sense == "max" && before.Objective < one.Objective || r.Sense == "min" && before.Objective > one.Objective {
				t.Errorf("matching %d: %v after %v", x, one, before)
			}
		}
	}
}

// ranked prepares, searches and checks.
func ranked(t *testing.T, solver *rgm.Solver, g1, g2 *graphs.Graph, o rgm.Options) rgm.Result {
	t.Helper()
	o.Threads = 1
	p := must.Get(solver.PrepareMatch(t.Context(), g1, g2, o))(t)
	r := must.Get(p.Search(t.Context()))(t)
	checkBest(t, p, &r, o.Best)
	return r
}

func ringOf(n int) *graphs.Graph {
	g := &graphs.Graph{Nodes: n, Name: "ring"}
	for i := range n {
		g.Edges = append(g.Edges, graphs.Edge{I: i, J: (i + 1) % n})
	}
	must1(g.Normalise())
	return g
}

func must1(err error) {
	if err != nil {
		panic(err)
	}
}

// TestBestOfRings: the twelve isomorphisms of two rings of six nodes are one, and what comes next is worse.
func TestBestOfRings(t *testing.T) {
	r := ranked(t, rgmtest.Open(t), ringOf(6), ringOf(6), rgm.Options{Best: 3})
	if r.MatchingsAre != rgm.MatchingsProved || len(r.Matchings) != 3 || r.Matchings[0].Objective != 6 || r.Matchings[1].Objective >= 6 {
		t.Errorf("%s: %v", r.MatchingsAre, r.Matchings)
	}
}

// TestBestOfAttributes: of graphs with kinds that must agree, and of affinities, the objectives are those of all matchings
// that nothing could be added to or left out of, tried one by one.
func TestBestOfAttributes(t *testing.T) {
	solver := rgmtest.Open(t)
	zero := 0.0
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 12))
		g1, g2 := kindred(4, rng), kindred(5, rng)
		for _, o := range []rgm.Options{
			{Best: 5, Method: rgm.MethodAlign}, {Best: 5, Method: rgm.MethodAlign, NodeWeight: &zero, MustAgree: []string{"bond", "kind"}},
			{Best: 5, Method: rgm.MethodRegrow}, {Best: 4, Method: rgm.MethodRegrow, MustAgree: []string{"kind"}}, {Best: 3, Complete: true, Method: rgm.MethodRegrow},
		} {
			r := ranked(t, solver, g1, g2, o)
			if r.MatchingsAre != rgm.MatchingsProved {
				t.Fatalf("seed %d, %+v: %s", seed, o, r.MatchingsAre)
			}
			p := must.Get(solver.PrepareMatch(t.Context(), g1, g2, o))(t)
			value := func(m qap.Matching) float64 { return *must.Get(p.Evaluate(m))(t).Objective }
			a := agreement{g1, g2, slices.Contains(o.MustAgree, "kind"), slices.Contains(o.MustAgree, "bond")}
			var all []qap.Matching
			var values []float64
			a.each(func(m qap.Matching) { all, values = append(all, m.Clone()), append(values, value(m)) })
			var want []float64
			for k, m := range all {
				if o.Complete && m.Size() == 4 || !o.Complete && isClosed(m, all, values[k], values) {
					want = append(want, values[k])
				}
			}
			slices.SortFunc(want, func(x, y float64) int { return cmp.Compare(y, x) })
			for x, one := range r.Matchings { // a symmetry may leave out some of those that are equal
				if x == 0 && math.Abs(one.Objective-want[0]) > 1e-6 || !slices.ContainsFunc(want, func(v float64) bool { return math.Abs(v-one.Objective) < 1e-6 }) {
					t.Errorf("seed %d, %+v: matching %d: %v, want of %v", seed, o, x, one.Objective, want[:min(8, len(want))])
				}
			}
			distinct := slices.CompactFunc(want, func(x, y float64) bool { return math.Abs(x-y) < 1e-6 })
			for x, v := range distinct[:min(len(distinct), o.Best)] {
				last := r.Matchings[len(r.Matchings)-1].Objective
				if v > last+1e-6 && !slices.ContainsFunc(r.Matchings, func(s rgm.Size) bool { return math.Abs(s.Objective-v) < 1e-6 }) {
					t.Errorf("seed %d, %+v: none of objective %v, the %d-th: %v", seed, o, v, x, r.Matchings)
				}
			}
		}
	}
}

// isClosed reports whether a match less is worse, and one or two more are no better.
func isClosed(m qap.Matching, all []qap.Matching, own float64, values []float64) bool {
	for k, other := range all {
		more, less := 0, 0
		for i, a := range m {
			switch b := other[i]; {
			case a == b:
			case a == qap.Unmatched:
				more++
			case b == qap.Unmatched:
				less++
			default:
				more = 9
			}
		}
		if less == 0 && more >= 1 && more <= 2 && values[k] > own+1e-7 || more == 0 && less == 1 && values[k] >= own-1e-7 {
			return false
		}
	}
	return true
}

// TestBestOfAssignments: of flows and distances the five cheapest permutations are those of all.
func TestBestOfAssignments(t *testing.T) {
	solver := rgmtest.Open(t)
	const n = 6
	rng := rand.New(rand.NewPCG(4, 4))
	a, b := make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = float64(rng.IntN(90)), float64(rng.IntN(90))
	}
	in := must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t)
	p := must.Get(solver.Prepare(in, rgm.Options{Best: 5, Threads: 1}))(t)
	r := must.Get(p.Search(t.Context()))(t)
	checkBest(t, p, &r, 5)
	var want []float64
	every := agreement{g1: &graphs.Graph{Nodes: n}, g2: &graphs.Graph{Nodes: n}}
	every.each(func(m qap.Matching) {
		if m.Size() == n {
			want = append(want, in.Objective(in.Score(m)))
		}
	})
	slices.Sort(want)
	for x, one := range r.Matchings {
		if one.Objective != want[x] {
			t.Errorf("%d: %v, want %v", x, one.Objective, want[x])
		}
	}
	if len(r.Matchings) != 5 || r.MatchingsAre != rgm.MatchingsProved || r.Status != qap.Optimal {
		t.Errorf("%d matchings, %s, %s", len(r.Matchings), r.MatchingsAre, r.Status)
	}
}

// TestBestFound: of larger problems the matchings are those that searches came to.
func TestBestFound(t *testing.T) {
	solver := rgmtest.Open(t)
	rng := rand.New(rand.NewPCG(8, 8))
	g1, g2 := kindred(20, rng), kindred(21, rng)
	for _, o := range []rgm.Options{{Best: 4, Method: rgm.MethodAlign, MaxSteps: 20000}, {Best: 4, Method: rgm.MethodRegrow, MaxSteps: 200, MustAgree: []string{"kind"}}, {Best: 4, Inliers: 12, MaxSteps: 200}} {
		if r := ranked(t, solver, g1, g2, o); r.MatchingsAre != rgm.MatchingsFound || len(r.Matchings) != 4 {
			t.Errorf("%+v: %d, %s", o, len(r.Matchings), r.MatchingsAre)
		}
	}
	placed := &graphs.Graph{Nodes: 60}
	for range placed.Nodes {
		placed.Points = append(placed.Points, []float64{rng.Float64(), rng.Float64()})
	}
	if r := ranked(t, solver, placed, placed, rgm.Options{Best: 3}); r.Method != rgm.MethodPlaces || len(r.Matchings) != 1 {
		t.Errorf("points: %s, %d matchings", r.Method, len(r.Matchings))
	}
	if _, err := solver.Match(t.Context(), g1, g2, rgm.Options{Best: 2, Regularize: "mean"}); err == nil || !strings.Contains(err.Error(), "leave one") {
		t.Error(err)
	}
}
