package compare

import (
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// Unlearned returns why learned affinities do not suit two graphs, "" where they do. Their network was
// trained on edges that have lengths or other numbers: of graphs whose edges have nothing, or words,
// they match nothing or what does not belong together.
func (d Design) Unlearned(g1, g2 *graphs.Graph) string {
	joins, err := d.Joins.chosen(g1, g2)
	if err != nil || joins.Rule != JoinGiven {
		return ""
	}
	one, two := *g1, *g2 // byName changes them
	if _, err = byName(&one, &two); err != nil {
		return ""
	}
	if d.Kernel, err = d.Kernel.chosen(&one, &two, joins); err != nil || d.Kernel == KernelLength || d.Kernel == KernelDirection {
		return ""
	}
	if slices.ContainsFunc(d.edgeQuantities(&one, &two), func(q quantity) bool { return !q.isWord && !q.repeats() }) {
		return ""
	}
	return "the network of learned affinities was trained on edges that have lengths or other numbers, and these have none that differ"
}
