package graphs

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Repeats says what becomes of the weights of edges that join the same nodes.
type Repeats string

// The rules. RepeatsAuto wants repeated edges of one weight, but for weights that grow from the
// first edge to the last, or are all beyond 10⁸, as times are: edges are then joined once, and
// without weights, as in the graph of all times.
const (
	RepeatsAuto  Repeats = "auto"
	RepeatsSum   Repeats = "sum"
	RepeatsLast  Repeats = "last"
	RepeatsCount Repeats = "count" // how many they are
)

// RepeatsRules returns the names of the rules, the default first.
func RepeatsRules() []string {
	return []string{string(RepeatsAuto), string(RepeatsSum), string(RepeatsLast), string(RepeatsCount)}
}

// joinedWeights are the weights of edges while repeated ones are joined.
type joinedWeights struct {
	rule  Repeats
	of    []float64
	about string // what is done, but for edges of one weight
}

// said says what is done, with what differs besides weights.
func (w *joinedWeights) said(differ map[string]bool) string {
	text := cmp.Or(w.about, "two nodes are joined once")
	if len(differ) > 0 {
		text += fmt.Sprintf("; where their %s differ the first counts", strings.Join(slices.Sorted(maps.Keys(differ)), ", "))
	}
	return text
}

// differ takes note of the attributes, but for weights, in which two edges differ.
func (g *Graph) differ(k, l int, names map[string]bool) {
	if g.Relation != nil && !slices.Equal(g.Relation[k], g.Relation[l]) {
		names["features"] = true
	}
	for _, a := range g.EdgeWords {
		if a.Values[k] != a.Values[l] {
			names[a.Name] = true
		}
	}
	for _, a := range g.EdgeNumbers {
		if v, w := a.Values[k], a.Values[l]; v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
			names[a.Name] = true
		}
	}
}

// weightsBy returns the weights of the edges, in the order of the file.
func (g *Graph) weightsBy(rule Repeats) joinedWeights {
	w := joinedWeights{rule: rule, of: g.Weights}
	switch {
	case rule == RepeatsCount || rule == RepeatsSum && g.Weights == nil:
		w.of = make([]float64, len(g.Edges))
		for k := range w.of {
			w.of[k] = 1
		}
		w.rule, w.about = RepeatsSum, "an edge weighs how many they are"
	case rule == RepeatsAuto && areTimes(g.Weights) && g.repeats():
		w.of, w.about = nil, "their weights grow as times do, and are left out"
	case rule != RepeatsAuto:
		w.about = "an edge has the " + string(rule) + " of their weights"
	}
	return w
}

// join joins the weight of a repeated edge to that of the first.
func (w *joinedWeights) join(first, k int) error {
	switch {
	case w.of == nil:
	case w.rule == RepeatsSum:
		w.of[first] += w.of[k]
	case w.rule == RepeatsLast:
		w.of[first] = w.of[k]
	case w.of[k] != w.of[first]:
		return fmt.Errorf("edges of weights %v and %v: want one edge between two nodes, or a rule for repeated edges (repeats: sum, last or count)", w.of[first], w.of[k])
	}
	return nil
}

// areTimes reports whether weights look like times.
func areTimes(weights []float64) bool {
	const late, few = 1e8, 8 // seconds, 1973 in Unix time; edges
	if len(weights) == 0 {
		return false
	}
	return slices.Min(weights) > late || len(weights) >= few && slices.IsSorted(weights)
}

// repeats reports whether edges of different weights join the same nodes.
func (g *Graph) repeats() bool {
	order := g.edgeOrder()
	for k := 1; k < len(order); k++ {
		if x, y := order[k-1], order[k]; g.Edges[x] == g.Edges[y] && g.Weights[x] != g.Weights[y] && g.Edges[x].I != g.Edges[x].J {
			return true
		}
	}
	return false
}
