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

// WeightName is the attribute of edges that is their weight, unless Weigh names another.
const WeightName = "weight"

// Weigh makes an attribute of the edges, which must be of numbers, their weight. What was their
// weight is another number of theirs then.
func (g *Graph) Weigh(by string) error {
	if by == WeightName && g.Weights != nil {
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
			others = append(others, Attribute[float64]{WeightName, g.Weights})
		}
		g.Weights, g.EdgeNumbers = slices.Clone(a.Values), others
		return nil
	}
	known := NamesOf(g.EdgeNumbers)
	if g.Weights != nil {
		known = append(known, WeightName)
	}
	has := "edges have no numbers"
	if len(known) > 0 {
		has = "edges have " + strings.Join(known, ", ")
	}
	return fmt.Errorf("graphs: %s: no edge has a number %q: %s%s", cmp.Or(g.Name, "a graph"), by, has, suggest.Meant(by, known))
}

// NamesOf returns the names of attributes.
func NamesOf[T any](all []Attribute[T]) []string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names
}

// ValuesOf returns the values of a name, nil where no attribute has it.
func ValuesOf[T any](all []Attribute[T], name string) []T {
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
			if err := CheckNumber(v); err != nil && !math.IsNaN(v) {
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
		if named.names != nil && len(named.names) != Width(named.vectors) {
			return fmt.Errorf("%d names of columns, of %d", len(named.names), Width(named.vectors))
		}
	}
	return nil
}

// Axes are the names of coordinates, in their order.
var Axes = []string{"x", "y", "z"}

// Width returns the length of the first vector, 0 where there is none.
func Width(vectors [][]float64) int {
	if len(vectors) == 0 {
		return 0
	}
	return len(vectors[0])
}
