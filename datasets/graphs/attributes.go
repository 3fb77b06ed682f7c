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

// Weigh makes an attribute of the edges, which must be of numbers, their weight.
func (g *Graph) Weigh(by string) error {
	if by == weightName && g.Weights != nil {
		return nil
	}
	for _, a := range g.EdgeNumbers {
		if a.Name != by {
			continue
		}
		for k, v := range a.Values {
			if math.IsNaN(v) {
				return fmt.Errorf("graphs: %s: the edge of %s and %s has no %s, which others have", g.Name, g.NodeName(g.Edges[k].I), g.NodeName(g.Edges[k].J), by)
			}
		}
		g.Weights = slices.Clone(a.Values)
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

// shared is what two graphs have of the same name, and what only one of them has.
type shared struct{ unused []string }

// only takes note of what one graph has and the other has not.
func (s *shared) only(g *Graph, kind string, names []string) {
	if len(names) > 0 {
		s.unused = append(s.unused, fmt.Sprintf("%s %s of %s", kind, strings.Join(names, ", "), cmp.Or(g.Name, "a graph")))
	}
}

// byName makes two graphs comparable column by column: what both have, by its name, in the
// order of graph 1. What has no names is left as it is, and paired by its place. It returns
// what is not used, in words; that both have columns and none of the same name is an error.
func byName(g1, g2 *Graph) (unused []string, err error) {
	var s shared
	if g1.Points != nil && g2.Points != nil && g1.PointNames != nil && g2.PointNames != nil {
		if g1.Points, g2.Points, err = s.columns(g1, g2, "coordinates", g1.PointNames, g2.PointNames, g1.Points, g2.Points); err != nil {
			return nil, err
		}
	}
	if err := s.nodeAttributes(g1, g2); err != nil {
		return nil, err
	}
	g1.EdgeWords, g2.EdgeWords = words(&s, g1, g2, "the edges'", g1.EdgeWords, g2.EdgeWords)
	return s.unused, nil
}

// nodeAttributes pairs the features of nodes, and their words.
func (s *shared) nodeAttributes(g1, g2 *Graph) (err error) {
	named1, named2 := slices.Concat(g1.FeatureNames, namesOf(g1.NodeWords)), slices.Concat(g2.FeatureNames, namesOf(g2.NodeWords))
	var both []string
	for _, name := range g1.FeatureNames {
		if slices.Contains(g2.FeatureNames, name) {
			both = append(both, name)
		}
	}
	for _, a := range g1.NodeWords {
		if find(g2.NodeWords, a.Name) != nil {
			both = append(both, a.Name)
		}
	}
	has1, has2 := g1.Features != nil || g1.NodeWords != nil, g2.Features != nil || g2.NodeWords != nil
	byPlace := g1.Features != nil && g2.Features != nil && (g1.FeatureNames == nil || g2.FeatureNames == nil)
	if has1 && has2 && len(both) == 0 && !byPlace {
		return noShared("features of nodes", g1, g2, named1, named2)
	}
	if !byPlace {
		g1.Features, g2.Features, err = s.columns(g1, g2, "", g1.FeatureNames, g2.FeatureNames, g1.Features, g2.Features)
		names := slices.DeleteFunc(slices.Clone(g1.FeatureNames), func(name string) bool { return !slices.Contains(g2.FeatureNames, name) })
		g1.FeatureNames, g2.FeatureNames = names, names
	}
	g1.NodeWords, g2.NodeWords = words(s, g1, g2, "the nodes'", g1.NodeWords, g2.NodeWords)
	return err
}

func noShared(kind string, g1, g2 *Graph, names1, names2 []string) error {
	return fmt.Errorf("graphs: the %s are %s in %s and %s in %s: give what shall be compared the same name in both, or leave the columns of one out",
		kind, strings.Join(names1, ", "), cmp.Or(g1.Name, "graph 1"), strings.Join(names2, ", "), cmp.Or(g2.Name, "graph 2"))
}

// columns returns the columns that both graphs have, in the order of graph 1. kind names
// what may not be without a shared one, "" what may.
func (s *shared) columns(g1, g2 *Graph, kind string, names1, names2 []string, vectors1, vectors2 [][]float64) (_, _ [][]float64, err error) {
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
	s.only(g1, cmp.Or(kind, "the nodes'"), only1)
	s.only(g2, cmp.Or(kind, "the nodes'"), only2)
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

// words returns the attributes of words that both graphs have.
func words(s *shared, g1, g2 *Graph, whose string, words1, words2 []Attribute[string]) (both1, both2 []Attribute[string]) {
	var only1, only2 []string
	for _, a := range words1 {
		values := find(words2, a.Name)
		if values == nil {
			only1 = append(only1, a.Name)
			continue
		}
		both1, both2 = append(both1, a), append(both2, Attribute[string]{a.Name, values})
	}
	for _, a := range words2 {
		if find(words1, a.Name) == nil {
			only2 = append(only2, a.Name)
		}
	}
	s.only(g1, whose, only1)
	s.only(g2, whose, only2)
	return both1, both2
}

// unusedEdges says which attributes of edges a kernel does not compare.
func unusedEdges(g1, g2 *Graph, k Kernel) []string {
	var s shared
	for _, g := range []*Graph{g1, g2} {
		var names []string
		if k != KernelFeatures {
			names = namesOf(g.EdgeWords)
		}
		if g.Weights != nil && k != KernelWeight && (k != KernelFeatures || g.EdgeWords == nil) {
			names = append(names, weightName)
		}
		for _, a := range g.EdgeNumbers {
			if !slices.Equal(a.Values, g.Weights) {
				names = append(names, a.Name)
			}
		}
		s.only(g, "the edges'", names)
	}
	return s.unused
}
