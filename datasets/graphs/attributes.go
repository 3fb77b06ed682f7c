package graphs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Attribute is a named attribute of nodes or of edges: a value each, in their order.
type Attribute[T any] struct {
	Name   string
	Values []T
}

// weightName is the attribute of edges that is their weight, unless Weigh names another.
const weightName = "weight"

// Weigh makes an attribute of the edges, which must be of numbers, their weight. What was their
// weight is another number of theirs then.
func (g *Graph) Weigh(by string) error {
	if by == weightName && g.Weights != nil {
		return nil
	}
	for c, a := range g.EdgeNumbers {
		if a.Name != by {
			continue
		}
		for k, v := range a.Values {
			if math.IsNaN(v) {
				return fmt.Errorf("graphs: %s: the edge of %s and %s has no %s, which others have", g.Name, g.NodeName(g.Edges[k].I), g.NodeName(g.Edges[k].J), by)
			}
		}
		others := slices.Delete(slices.Clone(g.EdgeNumbers), c, c+1)
		if g.Weights != nil {
			others = append(others, Attribute[float64]{weightName, g.Weights})
		}
		g.Weights, g.EdgeNumbers = slices.Clone(a.Values), others
		return nil
	}
	known := namesOf(g.EdgeNumbers)
	if g.Weights != nil {
		known = append(known, weightName)
	}
	has := "edges have no numbers"
	if len(known) > 0 {
		has = "edges have " + strings.Join(known, ", ")
	}
	return fmt.Errorf("graphs: %s: no edge has a number %q: %s%s", cmp.Or(g.Name, "a graph"), by, has, suggest.Meant(by, known))
}

func namesOf[T any](all []Attribute[T]) []string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names
}

// find returns the values of a name, nil where no attribute has it.
func find[T any](all []Attribute[T], name string) []T {
	for _, a := range all {
		if a.Name == name {
			return a.Values
		}
	}
	return nil
}

// checkAttributes returns an error unless attributes have a value for each owner, and
// numbers are finite or, where an edge has none, NaN.
func (g *Graph) checkAttributes() error {
	counts := map[string][2]int{} // of values and of owners
	for _, a := range g.NodeWords {
		counts["of nodes "+a.Name] = [2]int{len(a.Values), g.Nodes}
	}
	for _, a := range g.EdgeWords {
		counts["of edges "+a.Name] = [2]int{len(a.Values), len(g.Edges)}
	}
	for _, a := range g.EdgeNumbers {
		counts["of edges "+a.Name] = [2]int{len(a.Values), len(g.Edges)}
		for k, v := range a.Values {
			if err := checkNumber(v); err != nil && !math.IsNaN(v) {
				return fmt.Errorf("%s of edge %d is %v: %w", a.Name, k, v, err)
			}
		}
	}
	for name, n := range counts {
		if n[0] != n[1] {
			return fmt.Errorf("the attribute %s has %d values, of %d", name, n[0], n[1])
		}
	}
	for _, named := range []struct {
		names   []string
		vectors [][]float64
	}{{g.PointNames, g.Points}, {g.FeatureNames, g.Features}} {
		if named.names != nil && len(named.names) != length(named.vectors) {
			return fmt.Errorf("%d names of columns, of %d", len(named.names), length(named.vectors))
		}
	}
	return nil
}

// byName makes two graphs comparable column by column: what both have, by its name, in the
// order of graph 1. What has no names is left as it is, and paired by its place. It returns
// what is not used, in words; that both have columns and none of the same name is an error.
func byName(g1, g2 *Graph) (left unused, err error) {
	var s unused
	s.oneSided(g1, g2)
	if g1.Points != nil && g2.Points != nil && g1.PointNames != nil && g2.PointNames != nil {
		if g1.Points, g2.Points, err = s.columns(g1, g2, "coordinates", g1.PointNames, g2.PointNames, g1.Points, g2.Points); err != nil {
			return nil, err
		}
	}
	own1, own2 := g1.NodeWords, g2.NodeWords
	g1.NodeWords, g2.NodeWords = g1.wordsBeside(own2), g2.wordsBeside(own1)
	if err := s.nodeAttributes(g1, g2); err != nil {
		return nil, err
	}
	g1.EdgeWords, g2.EdgeWords = both(&s, g1, g2, "the edges'", "words", g1.EdgeWords, g2.EdgeWords)
	complete1, complete2 := s.complete(g1), s.complete(g2)
	g1.EdgeNumbers, g2.EdgeNumbers = both(&s, g1, g2, "the edges'", "numbers", complete1, complete2)
	for _, g := range []*Graph{g1, g2} {
		s.leave(g, "the nodes'", g.unusedIdentifiers(), "each node has another, as a name")
	}
	return s, nil
}

// nodeAttributes pairs the features of nodes, and their words.
func (s *unused) nodeAttributes(g1, g2 *Graph) (err error) {
	named1, named2 := slices.Concat(g1.FeatureNames, namesOf(g1.NodeWords)), slices.Concat(g2.FeatureNames, namesOf(g2.NodeWords))
	var names []string
	for _, name := range g1.FeatureNames {
		if slices.Contains(g2.FeatureNames, name) {
			names = append(names, name)
		}
	}
	for _, a := range g1.NodeWords {
		if find(g2.NodeWords, a.Name) != nil {
			names = append(names, a.Name)
		}
	}
	has := func(g *Graph) bool {
		return g.Features != nil || slices.ContainsFunc(g.NodeWords, func(a Attribute[string]) bool { return !isNameColumn(a.Name) })
	}
	byPlace := g1.Features != nil && g2.Features != nil && (g1.FeatureNames == nil || g2.FeatureNames == nil)
	if has(g1) && has(g2) && len(names) == 0 && !byPlace {
		return noShared("features of nodes", g1, g2, named1, named2)
	}
	if !byPlace {
		g1.Features, g2.Features, err = s.columns(g1, g2, "", g1.FeatureNames, g2.FeatureNames, g1.Features, g2.Features)
		names := slices.DeleteFunc(slices.Clone(g1.FeatureNames), func(name string) bool { return !slices.Contains(g2.FeatureNames, name) })
		g1.FeatureNames, g2.FeatureNames = names, names
	}
	g1.NodeWords, g2.NodeWords = both(s, g1, g2, "the nodes'", "words", g1.NodeWords, g2.NodeWords)
	return err
}

func noShared(kind string, g1, g2 *Graph, names1, names2 []string) error {
	return fmt.Errorf("graphs: the %s are %s in %s and %s in %s: give what shall be compared the same name in both, or leave the columns of one out",
		kind, strings.Join(names1, ", "), cmp.Or(g1.Name, "graph 1"), strings.Join(names2, ", "), cmp.Or(g2.Name, "graph 2"))
}

// columns returns the columns that both graphs have, in the order of graph 1. kind names
// what may not be without a shared one, "" what may.
func (s *unused) columns(g1, g2 *Graph, kind string, names1, names2 []string, vectors1, vectors2 [][]float64) (_, _ [][]float64, err error) {
	var at1, at2 []int
	var only1 []string
	for k, name := range names1 {
		if l := slices.Index(names2, name); l >= 0 {
			at1, at2 = append(at1, k), append(at2, l)
		} else {
			only1 = append(only1, name)
		}
	}
	only2 := slices.DeleteFunc(slices.Clone(names2), func(name string) bool { return slices.Contains(names1, name) })
	if kind != "" && len(at1) == 0 {
		return nil, nil, noShared(kind, g1, g2, names1, names2)
	}
	if kind != "" && len(only1)+len(only2) > 0 && (isPlace(names1) || isPlace(names2)) {
		return vectors1, vectors2, nil // lengths in the plane are none in space: Joins refuses that
	}
	s.leave(g1, cmp.Or(kind, "the nodes'"), only1, hasNone(g2, "numbers"))
	s.leave(g2, cmp.Or(kind, "the nodes'"), only2, hasNone(g1, "numbers"))
	return picked(vectors1, at1), picked(vectors2, at2), nil
}

// isPlace reports whether coordinates are x, y and z, as far as there are so many.
func isPlace(names []string) bool {
	return len(names) <= len(axes) && slices.Equal(names, axes[:len(names)])
}

// axes are the names of coordinates, in their order.
var axes = []string{"x", "y", "z"}

// picked returns some columns of vectors, nil of none.
func picked(vectors [][]float64, columns []int) [][]float64 {
	if len(columns) == 0 {
		return nil
	}
	inOrder := len(columns) == length(vectors) && slices.IsSorted(columns)
	if inOrder {
		return vectors
	}
	all := make([][]float64, len(vectors))
	for i, v := range vectors {
		for _, k := range columns {
			all[i] = append(all[i], v[k])
		}
	}
	return all
}

// both returns the attributes that both graphs have, of words or numbers.
func both[T any](s *unused, g1, g2 *Graph, whose, kind string, all1, all2 []Attribute[T]) (both1, both2 []Attribute[T]) {
	var only1, only2 []string
	for _, a := range all1 {
		values := find(all2, a.Name)
		if values == nil {
			only1 = append(only1, a.Name)
			continue
		}
		both1, both2 = append(both1, a), append(both2, Attribute[T]{a.Name, values})
	}
	for _, a := range all2 {
		if find(all1, a.Name) == nil {
			only2 = append(only2, a.Name)
		}
	}
	s.leave(g1, whose, only1, hasNone(g2, kind))
	s.leave(g2, whose, only2, hasNone(g1, kind))
	return both1, both2
}

// length returns the length of the first vector, 0 where there is none.
func length(vectors [][]float64) int {
	if len(vectors) == 0 {
		return 0
	}
	return len(vectors[0])
}
