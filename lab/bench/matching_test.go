package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestMatchingRowAveragesOverClasses: two classes of different sizes count the same.
func TestMatchingRowAveragesOverClasses(t *testing.T) {
	outcome := func(class string, f1 float64, optimal bool) pairOutcome {
		return pairOutcome{
			class: class, hasTruth: true, hasOptima: true, seconds: 1,
			quality: pairs.Quality{F1: f1, Precision: f1, Recall: f1, Objective: 2 * f1, Optimal: optimal},
		}
	}
	row := newMatchingRow([]pairOutcome{
		outcome("b", .5, true), outcome("b", .7, false), outcome("a", 1, true), outcome("a", 1, true), outcome("a", .4, true),
	})
	if !slices.Equal(row.classes, []string{"b", "a"}) {
		t.Errorf("classes %v", row.classes)
	}
	b := row.Classes["b"]
	if b.Pairs != 2 || math.Abs(*b.F1-60) > 1e-9 || math.Abs(*b.F1Error-10) > 1e-9 || *b.Optimal != 50 {
		t.Errorf("b: F1 %v ± %v, optimal %v", *b.F1, *b.F1Error, *b.Optimal)
	}
	if v := row.Average; v.Pairs != 5 || math.Abs(*v.F1-70) > 1e-9 || math.Abs(*v.Objective-1.4) > 1e-9 || *v.Optimal != 75 || *v.Seconds != 1 {
		t.Errorf("average: F1 %v, objective %v, optimal %v, %v s", *v.F1, *v.Objective, *v.Optimal, *v.Seconds)
	}
	unknown := newMatchingRow([]pairOutcome{{class: "a"}, {class: "b"}, {class: "b"}}).Average
	if unknown.Pairs != 3 || unknown.F1 != nil || unknown.F1Error != nil {
		t.Errorf("without a truth: %+v", unknown)
	}
	if want := math.Hypot(10, 20) / 2; math.Abs(*row.Average.F1Error-want) > 1e-9 {
		t.Errorf("standard error %v, want %v", *row.Average.F1Error, want)
	}
}

// TestObjectiveRanges: bounds belong to the upper range, and 1 is meant but for
// rounding.
func TestObjectiveRanges(t *testing.T) {
	var outcomes []pairOutcome
	for _, o := range []float64{0.5, 0.99, 1 - 1e-7, 1, 1 + 1e-5} {
		outcomes = append(outcomes, pairOutcome{hasTruth: true, quality: pairs.Quality{Objective: o, F1: o / 2}})
	}
	ranges := newObjectiveRanges(outcomes)
	for k, want := range []float64{20, 20, 40, 20} {
		if ranges[k].Share != want {
			t.Errorf("%s: %v %%, want %v", ranges[k].Range, ranges[k].Share, want)
		}
	}
	if f1 := *ranges[0].F1; math.Abs(f1-25) > 1e-9 {
		t.Errorf("F1 %v, want 25", f1)
	}
	if newObjectiveRanges([]pairOutcome{{}}) != nil {
		t.Error("ranges without a truth")
	}
}

// TestSeedsAreTrueAndNested: each row of more seeds has those of the row before.
func TestSeedsAreTrueAndNested(t *testing.T) {
	in := must.Get(qap.NewSparse(5, 5, nil, qap.Maximize))(t)
	p := pairs.Pair{Instance: in, Truth: qap.Matching{3, qap.Unmatched, 0, 1, qap.Unmatched}}
	before := qap.NewMatching(5)
	for count := range 4 {
		goal, err := matchingGoal{seeds: count}.of(p, rand.New(rand.NewPCG(1, 2)))
		if err != nil || goal.Fixed.Size() != count {
			t.Fatalf("%d seeds: %v, %v", count, goal.Fixed, err)
		}
		for i, a := range goal.Fixed {
			if a != qap.Unmatched && a != p.Truth[i] || before[i] != qap.Unmatched && a != before[i] {
				t.Errorf("seeds %v after %v", goal.Fixed, before)
			}
		}
		if count > 0 {
			before = goal.Fixed
		}
	}
	if _, err := (matchingGoal{seeds: 4}).of(p, rand.New(rand.NewPCG(1, 2))); err == nil {
		t.Error("4 seeds of 3 true matches")
	}
}

// TestReferenceRows: the numbers of the paper's Table 2 and of the peers, by the
// affinity that is measured.
func TestReferenceRows(t *testing.T) {
	rowOf := func(s MatchingSettings, method, source string) (found []MatchingRow) {
		m := Matching{settings: &s, goals: []matchingGoal{{}, {inliers: 9}}}
		for _, r := range m.ReferenceRows() {
			if r.Inliers > 0 && r.Inliers != 9 {
				t.Errorf("a row of %d matches, which are not measured", r.Inliers)
			}
			if r.Inliers == 0 && r.Method == method && r.Source == source {
				found = append(found, r)
			}
		}
		return found
	}
	for _, c := range []struct {
		settings       MatchingSettings
		method, source string
		class          string
		f1, average    float64
	}{
		{MatchingSettings{Set: "willow-outliers"}, "RGM + AR + IC", "paper", "Duck", 66.57, 77.57},
		{MatchingSettings{Set: "willow-outliers"}, "rrwm", "pygmtools", "Face", 84.26, 63.55},
		{MatchingSettings{Set: "willow-outliers", Edges: "delaunay"}, "rrwm", "pygmtools", "Face", 84.17, 61.56},
		{MatchingSettings{Set: "willow-keypoints"}, "RGM + IC", "paper", "k=6", 64.27, 74.05},
		{MatchingSettings{Set: "synthetic"}, "rrwm", "pygmtools", "δ=0.1 k=3", 69.35, 65.59},
		{MatchingSettings{Set: "willow"}, "rrwm", "pygmtools", "Car", 96.8, 96},
	} {
		rows := rowOf(c.settings, c.method, c.source)
		if len(rows) != 1 {
			t.Errorf("%s: %d rows of %s", c.settings.Set, len(rows), c.method)
			continue
		}
		if have := *rows[0].Classes[c.class].F1; have != c.f1 {
			t.Errorf("%s: %s on %s: %v, want %v", c.settings.Set, c.method, c.class, have, c.f1)
		}
		if have := *rows[0].Average.F1; math.Abs(have-c.average) > 0.01 {
			t.Errorf("%s: %s: average %v, want %v", c.settings.Set, c.method, have, c.average)
		}
	}
}

// TestGeneralityIsOfManyKinds: every class has a name of its own and pairs that can be
// drawn; a fifth of them at least is of kinds that nothing was trained on.
func TestGeneralityIsOfManyKinds(t *testing.T) {
	names, heldOut := map[string]bool{}, 0
	for _, class := range generality {
		if names[class.name] = true; class.heldOut {
			heldOut++
		}
	}
	if len(names) != len(generality) || len(names) < 20 || heldOut < len(names)/6 {
		t.Errorf("%d classes of %d names, %d held out", len(generality), len(names), heldOut)
	}
	for _, open := range []func(*MatchingSettings, string, affinities.Geometric) ([]pairs.Set, error){openGenerality, openValidation} {
		sets := must.Get(open(&MatchingSettings{Pairs: 2}, "", affinities.Geometric{}))(t)
		for _, set := range sets {
			all, err := set.All()
			if err != nil || len(all) != 2 || all[0].Truth == nil || all[0].Class != all[1].Class {
				t.Errorf("%d pairs, error %v", len(all), err)
			}
		}
	}
	for _, class := range validation { // which chooses models, and decides nothing about others
		if slices.ContainsFunc(generality, func(g generalClass) bool { return g.kind == class.kind }) {
			t.Errorf("%s is in the set generality", class.name)
		}
	}
}
