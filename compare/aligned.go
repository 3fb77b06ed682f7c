package compare

import (
	"context"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// Aligned is what is known of an alignment, as it is printed. docs/CLI_JSON.md says what each field
// means.
type Aligned struct {
	Why             string  `json:"why"`
	SharedEdges     int     `json:"shared_edges"`
	SharedBound     int     `json:"shared_edges_bound"`
	EdgeCorrectness float64 `json:"edge_correctness"`
	S3              float64 `json:"s3"`
	Witnesses       []int   `json:"witnesses"`
	Margins         []int   `json:"margins"`
	Groups          [][]int `json:"groups"`

	// What every result has, of graphs that were aligned or not.
	Confidence []float64 `json:"-"` // nil where there was no time to look
	Ask        []int     `json:"-"`

	// Automorphisms is the number of symmetries where the graphs are the same, as text since it may have
	// any number of digits.
	Automorphisms string `json:"automorphisms,omitempty"`
}

// Assess returns what is known of a matching of two graphs that were aligned, and why they were. Where leave is true
// matches whose nodes more likely have no partner are left out, and the matching of the others is returned with how
// many are.
func (a *Alignment) Assess(ctx context.Context, why string, m qap.Matching, leave bool) (Aligned, qap.Matching, int) {
	found, all := align.Assess(ctx, &a.Problem, m), m
	if leave {
		m = found.LeaveOut(&a.Problem, m)
	}
	known := Aligned{
		Why: why, SharedEdges: found.Shared, SharedBound: found.Bound, EdgeCorrectness: found.EdgeCorrectness, S3: found.S3,
		Groups: append([][]int{}, found.Groups...), Witnesses: make([]int, len(m)), Margins: make([]int, len(m)),
		Ask: found.Questions(ctx, &a.Problem, m),
	}
	if found.Looked {
		known.Confidence = make([]float64, len(m))
	}
	if found.Automorphisms != nil {
		known.Automorphisms = align.SymmetriesText(found.Automorphisms)
	}
	for i, match := range found.Matches {
		known.Witnesses[i], known.Margins[i] = match.Witnesses, match.Margin
		switch {
		case known.Confidence == nil:
		case m[i] != all[i]:
			known.Confidence[i] = match.Alone
		default:
			known.Confidence[i] = match.Right
		}
	}
	return known, m, all.Size() - m.Size()
}

// Compared returns what is compared of two graphs that are aligned.
func (a *Alignment) Compared(g1, g2 *graphs.Graph) Compared {
	kernel := KernelBinary
	switch {
	case a.Kinds:
		kernel = KernelFeatures
	case g1.Weights != nil && g2.Weights != nil:
		kernel = KernelWeight
	}
	return Compared{
		Edges: Joins{Rule: JoinGiven}.String(), Edges1: a.A.Edges(), Edges2: a.B.Edges(), Kernel: string(kernel),
		About: a.About, Names1: g1.Names, Names2: g2.Names, Unused: WithNotices(a.Unused, g1, g2),
	}
}
