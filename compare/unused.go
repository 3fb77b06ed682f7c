package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// unused is what two graphs have and is not compared, with the reasons, in words.
type unused []string

// leave takes note of attributes of one graph.
func (u *unused) leave(g *graphs.Graph, kind string, names []string, why string) {
	if len(names) > 0 {
		*u = append(*u, fmt.Sprintf("%s %s of %s (%s)", kind, strings.Join(names, ", "), cmp.Or(g.Name, "a graph"), why))
	}
}

// leaveBoth takes note of what both graphs have.
func (u *unused) leaveBoth(what, why string) { *u = append(*u, fmt.Sprintf("%s (%s)", what, why)) }

// hasNone is the reason where only the other graph has something.
func hasNone(g *graphs.Graph, what string) string {
	return fmt.Sprintf("%s has no such %s", cmp.Or(g.Name, "the other graph"), what)
}

// edgeNames are the numbers of edges that name them where all differ.
var edgeNames = []string{"id", "key"}

// complete returns the numbers that all edges of a graph have, but for those that name them.
func (u *unused) complete(g *graphs.Graph) (kept []graphs.Attribute[float64]) {
	for _, a := range g.EdgeNumbers {
		why := ""
		if missing := slices.IndexFunc(a.Values, math.IsNaN); missing >= 0 {
			e := g.Edges[missing]
			why = fmt.Sprintf("the edge of %s and %s has none", g.NodeName(e.I), g.NodeName(e.J))
		} else if slices.Contains(edgeNames, strings.ToLower(a.Name)) && graphs.AllDiffer(a.Values) {
			why = "each edge has another, as a name"
		}
		if why == "" {
			kept = append(kept, a)
		} else {
			u.leave(g, "the edges'", []string{a.Name}, why)
		}
	}
	return kept
}

// oneSided takes note of what has no name and only one of two graphs has.
func (u *unused) oneSided(g1, g2 *graphs.Graph) {
	for _, part := range []struct {
		name string
		of   func(g *graphs.Graph) bool
	}{
		{"coordinates", func(g *graphs.Graph) bool { return g.Points != nil }},
		{"features of nodes", func(g *graphs.Graph) bool { return g.Features != nil && g.FeatureNames == nil }},
		{"edges", func(g *graphs.Graph) bool { return g.Edges != nil }},
		{"features of edges", func(g *graphs.Graph) bool { return g.Relation != nil }},
		{"weights of edges", func(g *graphs.Graph) bool { return g.Weights != nil }},
	} {
		switch has1, has2 := part.of(g1), part.of(g2); {
		case has1 && !has2:
			u.leaveBoth(part.name+" of "+cmp.Or(g1.Name, "a graph"), cmp.Or(g2.Name, "the other graph")+" has none")
		case has2 && !has1:
			u.leaveBoth(part.name+" of "+cmp.Or(g2.Name, "a graph"), cmp.Or(g1.Name, "the other graph")+" has none")
		}
	}
}

// edges takes note of what the edges of both graphs have besides what a kernel compares.
func (u *unused) edges(g1, g2 *graphs.Graph, k Kernel) {
	why := "the kernel is " + string(k)
	if k != KernelFeatures {
		for _, name := range slices.Concat(graphs.NamesOf(g1.EdgeWords), graphs.NamesOf(g1.EdgeNumbers)) {
			u.leaveBoth("the edges' "+name, why)
		}
		if g1.Relation != nil && g2.Relation != nil {
			u.leaveBoth("features of edges", why)
		}
	}
	if g1.Weights != nil && g2.Weights != nil && k != KernelWeight && k != KernelFeatures {
		u.leaveBoth("weights of edges", why)
	}
}

// constant takes note of quantities that were left out since they are the same for all, or unknown of all nodes of a graph.
func (u *unused) constant(whose string, all, kept quantities) {
	for _, q := range all {
		if !slices.ContainsFunc(kept, func(k quantity) bool { return k.name == q.name }) {
			why := "the same for all"
			if len(known(q.of1)) == 0 || len(known(q.of2)) == 0 {
				why = "unknown of all nodes of a graph"
			}
			u.leaveBoth(whose+" "+q.name, why)
		}
	}
}
