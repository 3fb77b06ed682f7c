package compare

import (
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// Compared is what was compared of two graphs, as it is printed. docs/CLI_JSON.md says what each
// field means.
type Compared struct {
	Edges  string   `json:"edges"`
	Edges1 int      `json:"edges1"`
	Edges2 int      `json:"edges2"`
	Kernel string   `json:"kernel"`
	Scale  string   `json:"scale,omitempty"`
	About  string   `json:"about"`
	Names1 []string `json:"names1,omitempty"`
	Names2 []string `json:"names2,omitempty"`
	Unused []string `json:"unused,omitempty"`
}

// Compared returns what is compared of two graphs.
func (p *Problem) Compared(g1, g2 *graphs.Graph) Compared {
	return Compared{
		Edges: p.Design.Joins.String(), Edges1: len(p.Edges1), Edges2: len(p.Edges2), Kernel: string(p.Design.Kernel), Scale: string(p.Design.Scale), About: p.About,
		Names1: g1.Names, Names2: g2.Names, Unused: WithNotices(p.Unused, g1, g2),
	}
}

// WithNotices adds what the readers of two files left out.
func WithNotices(unused []string, g1, g2 *graphs.Graph) []string {
	all := slices.Clone(unused)
	for _, g := range []*graphs.Graph{g1, g2} {
		for _, notice := range g.Notices {
			all = append(all, g.Name+": "+notice)
		}
	}
	return all
}
