package bench

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/internal/statistics"
)

// MatchingRow is a row of rgm-lab bench matching; lab/notes/CLI_JSON.md says what each field
// means.
type MatchingRow struct {
	Set      string `json:"set"`
	Method   string `json:"method"`
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	Affinity string `json:"affinity,omitempty"`
	Source   string `json:"source"`

	Regularize  string `json:"regularize,omitempty"`
	Inliers     int    `json:"inliers,omitempty"`
	Fix         int    `json:"fix,omitempty"`
	Irrevocable bool   `json:"irrevocable,omitempty"`
	Start       string `json:"start,omitempty"`

	Classes    map[string]matchingScores `json:"classes"`
	Average    matchingScores            `json:"average"`
	Objectives []objectiveRange          `json:"objective_ranges,omitempty"`
	Seeds      int                       `json:"seeds,omitempty"`
	About      string                    `json:"about,omitempty"`

	classes []string // the keys of Classes in the order of the set
}

// matchingScores are means over pairs. What is not known is nil.
type matchingScores struct {
	Pairs     int       `json:"pairs,omitempty"`
	F1        *float64  `json:"f1_percent,omitempty"`
	F1Error   *float64  `json:"f1_standard_error,omitempty"`
	F1ByPair  []float64 `json:"f1_by_pair,omitempty"` // of every run, in percent; rows of the same set and seeds have the same order
	Precision *float64  `json:"precision_percent,omitempty"`
	Recall    *float64  `json:"recall_percent,omitempty"`
	Objective *float64  `json:"objective,omitempty"`
	Optimal   *float64  `json:"optimal_percent,omitempty"`
	Seconds   *float64  `json:"seconds_per_pair,omitempty"`
}

// newMatchingRow sums outcomes up: by class, and as the mean over the classes.
func newMatchingRow(outcomes []pairOutcome) MatchingRow {
	row := MatchingRow{Classes: map[string]matchingScores{}}
	byClass := map[string][]pairOutcome{}
	for _, o := range outcomes {
		if byClass[o.class] == nil {
			row.classes = append(row.classes, o.class)
		}
		byClass[o.class] = append(byClass[o.class], o)
	}
	var scores []matchingScores
	for _, class := range row.classes {
		row.Classes[class] = newMatchingScores(byClass[class])
		scores = append(scores, row.Classes[class])
	}
	row.Average, row.Objectives = averageScores(scores), newObjectiveRanges(outcomes)
	return row
}

// newMatchingScores returns the means over the outcomes of a class.
func newMatchingScores(outcomes []pairOutcome) matchingScores {
	of := func(quantity func(pairOutcome) float64) *float64 {
		sum := 0.0
		for _, o := range outcomes {
			sum += quantity(o)
		}
		sum /= float64(len(outcomes))
		return &sum
	}
	s := matchingScores{Pairs: len(outcomes), Seconds: of(func(o pairOutcome) float64 { return report.RoundSeconds(o.seconds) })}
	if outcomes[0].hasTruth {
		f1 := func(o pairOutcome) float64 { return 100 * o.quality.F1 }
		s.F1, s.F1Error = of(f1), standardError(outcomes, f1)
		for _, o := range outcomes {
			s.F1ByPair = append(s.F1ByPair, math.Round(1e4*f1(o))/1e4)
		}
		s.Precision = of(func(o pairOutcome) float64 { return 100 * o.quality.Precision })
		s.Recall = of(func(o pairOutcome) float64 { return 100 * o.quality.Recall })
		s.Objective = of(func(o pairOutcome) float64 { return o.quality.Objective })
	}
	if outcomes[0].hasOptima {
		s.Optimal = of(func(o pairOutcome) float64 {
			if o.quality.Optimal {
				return 100
			}
			return 0
		})
	}
	return s
}

// standardError returns that of the mean of a quantity, nil of less than two values.
func standardError(outcomes []pairOutcome, quantity func(pairOutcome) float64) *float64 {
	var values []float64
	for _, o := range outcomes {
		values = append(values, quantity(o))
	}
	return known(statistics.ErrorOfMean(values))
}

// averageScores returns the mean over classes of what all of them have.
func averageScores(classes []matchingScores) matchingScores {
	of := func(quantity func(matchingScores) *float64) *float64 {
		sum := 0.0
		for _, c := range classes {
			v := quantity(c)
			if v == nil {
				return nil
			}
			sum += *v / float64(len(classes))
		}
		return &sum
	}
	average := matchingScores{
		F1:        of(func(c matchingScores) *float64 { return c.F1 }),
		Precision: of(func(c matchingScores) *float64 { return c.Precision }),
		Recall:    of(func(c matchingScores) *float64 { return c.Recall }),
		Objective: of(func(c matchingScores) *float64 { return c.Objective }),
		Optimal:   of(func(c matchingScores) *float64 { return c.Optimal }),
		Seconds:   of(func(c matchingScores) *float64 { return c.Seconds }),
	}
	for _, c := range classes {
		average.Pairs += c.Pairs
	}
	sum := 0.0
	for _, c := range classes {
		if c.F1Error == nil {
			return average
		}
		sum += *c.F1Error * *c.F1Error
	}
	standard := math.Sqrt(sum) / float64(len(classes))
	average.F1Error = &standard
	return average
}

// Ahead returns by how much the mean F1 of rows, in percent, is above that of others, and the standard error of
// that over the pairs. All were measured on the same pairs, and of several rows each pair has their mean: it is
// false where they do not say what each pair had.
func Ahead(rows, others []MatchingRow) (difference, deviation float64, paired bool) {
	if len(rows) == 0 || len(others) == 0 {
		return 0, 0, false
	}
	of := rows[0].Classes
	for class := range of {
		pairs := len(of[class].F1ByPair)
		for _, r := range slices.Concat(rows, others) {
			if r.Set != rows[0].Set || len(r.Classes) != len(of) || pairs < 2 || len(r.Classes[class].F1ByPair) != pairs {
				return 0, 0, false
			}
		}
		differences := make([]float64, pairs)
		for k := range differences {
			for _, r := range rows {
				differences[k] += r.Classes[class].F1ByPair[k] / float64(len(rows))
			}
			for _, r := range others {
				differences[k] -= r.Classes[class].F1ByPair[k] / float64(len(others))
			}
		}
		difference += statistics.Mean(differences) / float64(len(of))
		deviation = math.Hypot(deviation, statistics.ErrorOfMean(differences)/float64(len(of)))
	}
	return difference, deviation, len(of) > 0
}

// matchingReference is what others print of a set: F1 in percent. The rows of
// source "paper" are those of Liu, Jiang, Wang, Huang, Lu, Yan, ICLR 2023,
// arXiv:2012.08950, tables of Willow Object, over test pairs and affinities of
// learned features that are not public. The rows of source "pygmtools" were
// measured with pygmtools 0.6.0 (NumPy) by the protocols of lab/notes/MATCHING_RESULTS.md.
//
//go:embed matching_reference.json
var matchingReference []byte

// reference is a row of matching_reference.json. What a source prints for a count of
// inliers is the mean over the classes only.
type reference struct {
	Set, Edges, Method, Source string
	F1                         map[string]float64
	Inliers                    int
	Mean                       struct{ F1, Objective *float64 }
}

// ReferenceRows returns the rows that others print of the set, those of a count where
// this is one of several that are measured.
func (m *Matching) ReferenceRows() []MatchingRow {
	s, counts := m.settings, map[int]bool{}
	for _, goal := range m.goals {
		counts[goal.inliers] = true
	}
	var references []reference
	if err := json.Unmarshal(matchingReference, &references); err != nil {
		panic(fmt.Errorf("matching_reference.json: %w", err)) // part of the program
	}
	set, _ := findMatchingSet(s.Set)
	edges := set.affinity.Edges.String()
	if s.Edges != "" {
		edges = s.Edges
	}
	var rows []MatchingRow
	for _, r := range references {
		if r.Set != s.Set || r.Edges != "" && r.Edges != edges || r.Inliers > 0 && (len(counts) == 1 || !counts[r.Inliers]) {
			continue
		}
		row := MatchingRow{Set: r.Set, Method: r.Method, Source: r.Source, Inliers: r.Inliers, Classes: map[string]matchingScores{}}
		row.Average.F1, row.Average.Objective = r.Mean.F1, r.Mean.Objective
		average := 0.0
		for _, class := range slices.Sorted(maps.Keys(r.F1)) { // sums must not depend on chance
			f1 := r.F1[class]
			row.Classes[class] = matchingScores{F1: &f1}
			average += f1 / float64(len(r.F1))
		}
		if len(r.F1) > 0 {
			row.Average.F1 = &average
		}
		rows = append(rows, row)
	}
	return rows
}

// classesOf returns the classes of measured rows in their order.
func classesOf(rows []MatchingRow) []string {
	var classes []string
	for _, row := range rows {
		for _, class := range row.classes {
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	return classes
}
