package compare

import (
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// wordsBeside returns the words of nodes that may be compared with those of another graph: an
// attribute that tells all nodes of this graph apart is one of them where its values repeat in the
// other graph, as beside a small piece of a large graph.
func wordsBeside(g *graphs.Graph, others []graphs.Attribute[string]) []graphs.Attribute[string] {
	words := slices.Clip(g.NodeWords)
	for _, a := range g.Identifiers {
		if theirs := graphs.ValuesOf(others, a.Name); theirs != nil && graphs.ValuesOf(words, a.Name) == nil && shareValue(a.Values, theirs) {
			words = append(words, a)
		}
	}
	return words
}

// shareValue reports whether two lists have a value in common.
func shareValue(values1, values2 []string) bool {
	seen := make(map[string]struct{}, len(values1))
	for _, v := range values1 {
		seen[v] = struct{}{}
	}
	return slices.ContainsFunc(values2, func(v string) bool {
		_, both := seen[v]
		return both && v != ""
	})
}

// unusedIdentifiers returns the attributes that tell all nodes of a graph apart and are neither their
// names nor compared.
func unusedIdentifiers(g *graphs.Graph) (names []string) {
	for _, a := range g.Identifiers {
		if a.Name != g.NamedBy && graphs.ValuesOf(g.NodeWords, a.Name) == nil {
			names = append(names, a.Name)
		}
	}
	return names
}
