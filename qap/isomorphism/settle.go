package isomorphism

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rgm-go/rgm/internal/splitmix"
)

// Settle tries one node of each of the largest orbits, up to mostTried where the graph is small.
const mostTried, smallGraph = 8, 5000

// Settle returns up to most nodes of a graph of which to ask who they are: each is of one of the largest orbits that those
// before it leave, the one that leaves the least entropy. Once the partners of all are known, those of the nodes that no
// automorphism moves any more are, too; if there are fewer than most, those of all nodes. group is that of the graph.
// Options bound the work for each node that is tried.
func Settle(ctx context.Context, g *Graph, group Group, most int, o Options) []int {
	told := *g
	told.colours = make([]uint64, g.Nodes())
	copy(told.colours, g.colours)
	var nodes []int
	for group.Order != nil && len(group.Alike) > 0 && len(nodes) < most {
		tried := slices.Clone(group.Alike)
		slices.SortStableFunc(tried, func(x, y []int32) int { return cmp.Compare(len(y), len(x)) })
		if tried = tried[:min(len(tried), mostTried)]; g.Nodes() > smallGraph {
			tried = tried[:1]
		}
		best, left := tried[0][0], Group{}
		if len(tried) > 1 || len(nodes)+1 < most {
			for _, orbit := range tried {
				i := orbit[0]
				before := told.colours[i]
				told.colours[i] = splitmix.Mix(before + uint64(len(nodes)+1))
				next := Automorphisms(ctx, &told, o)
				told.colours[i] = before
				if next.Order != nil && (left.Order == nil || next.Entropy() < left.Entropy()) {
					best, left = i, next
				}
			}
		}
		nodes = append(nodes, int(best))
		told.colours[best] = splitmix.Mix(told.colours[best] + uint64(len(nodes)))
		group = left
	}
	return nodes
}

// Entropy returns the sum over all nodes of the logarithm of how many nodes they may be taken to: how much the orbits leave open.
func (g *Group) Entropy() (sum float64) {
	for _, orbit := range g.Alike {
		sum += float64(len(orbit)) * math.Log(float64(len(orbit)))
	}
	return sum
}
