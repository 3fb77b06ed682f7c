package isomorphism

import (
	"context"
	"slices"
)

// Settle returns up to most nodes of a graph of which to ask who they are: each is of the largest orbit that those before it
// leave. Once the partners of all are known, those of the nodes that no automorphism moves any more are, too; if there
// are fewer than most, those of all nodes. group is that of the graph. Options bound the work for each node.
func Settle(ctx context.Context, g *Graph, group Group, most int, o Options) []int {
	told := *g
	told.colours = make([]uint64, g.Nodes())
	copy(told.colours, g.colours)
	var nodes []int
	for group.Order != nil && len(group.Alike) > 0 && len(nodes) < most {
		largest := slices.MaxFunc(group.Alike, func(x, y []int32) int { return len(x) - len(y) })
		i := largest[0]
		nodes = append(nodes, int(i))
		if len(nodes) < most {
			told.colours[i] = mix(told.colours[i] + uint64(len(nodes)))
			group = Automorphisms(ctx, &told, o)
		}
	}
	return nodes
}
