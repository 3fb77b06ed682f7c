package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// byName makes two graphs comparable column by column: what both have, by its name, in the
// order of graph 1. What has no names is left as it is, and paired by its place. It returns
// what is not used, in words; that both have columns and none of the same name is an error.
func byName(g1, g2 *graphs.Graph) (left unused, err error) {
	var s unused
	s.oneSided(g1, g2)
	if g1.Points != nil && g2.Points != nil && g1.PointNames != nil && g2.PointNames != nil {
		if g1.Points, g2.Points, err = s.columns(g1, g2, "coordinates", g1.PointNames, g2.PointNames, g1.Points, g2.Points); err != nil {
			return nil, err
		}
	}
	own1, own2 := g1.NodeWords, g2.NodeWords
	g1.NodeWords, g2.NodeWords = wordsBeside(g1, own2), wordsBeside(g2, own1)
	if err := s.nodeAttributes(g1, g2); err != nil {
		return nil, err
	}
	g1.EdgeWords, g2.EdgeWords = both(&s, g1, g2, "the edges'", "words", g1.EdgeWords, g2.EdgeWords)
	complete1, complete2 := s.complete(g1), s.complete(g2)
	g1.EdgeNumbers, g2.EdgeNumbers = both(&s, g1, g2, "the edges'", "numbers", complete1, complete2)
	for _, g := range []*graphs.Graph{g1, g2} {
		s.leave(g, "the nodes'", unusedIdentifiers(g), "each node has another, as a name")
	}
	return s, nil
}

// nodeAttributes pairs the features of nodes, and their words.
func (s *unused) nodeAttributes(g1, g2 *graphs.Graph) (err error) {
	named1, named2 := slices.Concat(g1.FeatureNames, graphs.NamesOf(g1.NodeWords)), slices.Concat(g2.FeatureNames, graphs.NamesOf(g2.NodeWords))
	var names []string
	for _, name := range g1.FeatureNames {
		if slices.Contains(g2.FeatureNames, name) {
			names = append(names, name)
		}
	}
	for _, a := range g1.NodeWords {
		if graphs.ValuesOf(g2.NodeWords, a.Name) != nil {
			names = append(names, a.Name)
		}
	}
	has := func(g *graphs.Graph) bool {
		return g.Features != nil || slices.ContainsFunc(g.NodeWords, func(a graphs.Attribute[string]) bool { return !graphs.IsNameColumn(a.Name) })
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

func noShared(kind string, g1, g2 *graphs.Graph, names1, names2 []string) error {
	return fmt.Errorf("graphs: the %s are %s in %s and %s in %s: give what shall be compared the same name in both, or leave the columns of one out",
		kind, strings.Join(names1, ", "), cmp.Or(g1.Name, "graph 1"), strings.Join(names2, ", "), cmp.Or(g2.Name, "graph 2"))
}

// columns returns the columns that both graphs have, in the order of graph 1. kind names
// what may not be without a shared one, "" what may.
func (s *unused) columns(g1, g2 *graphs.Graph, kind string, names1, names2 []string, vectors1, vectors2 [][]float64) (_, _ [][]float64, err error) {
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
	return len(names) <= len(graphs.Axes) && slices.Equal(names, graphs.Axes[:len(names)])
}

// picked returns some columns of vectors, nil of none.
func picked(vectors [][]float64, columns []int) [][]float64 {
	if len(columns) == 0 {
		return nil
	}
	inOrder := len(columns) == graphs.Width(vectors) && slices.IsSorted(columns)
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
func both[T any](s *unused, g1, g2 *graphs.Graph, whose, kind string, all1, all2 []graphs.Attribute[T]) (both1, both2 []graphs.Attribute[T]) {
	var only1, only2 []string
	for _, a := range all1 {
		values := graphs.ValuesOf(all2, a.Name)
		if values == nil {
			only1 = append(only1, a.Name)
			continue
		}
		both1, both2 = append(both1, a), append(both2, graphs.Attribute[T]{Name: a.Name, Values: values})
	}
	for _, a := range all2 {
		if graphs.ValuesOf(all1, a.Name) == nil {
			only2 = append(only2, a.Name)
		}
	}
	s.leave(g1, whose, only1, hasNone(g2, kind))
	s.leave(g2, whose, only2, hasNone(g1, kind))
	return both1, both2
}
