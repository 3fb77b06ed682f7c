package graphpairs

import (
	"fmt"
	"strconv"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/internal/cli/report"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// MethodAlign is the value of --method for alignment by structure.
const MethodAlign = "align"

// Aligned is what is known of an alignment. docs/CLI_JSON.md says what each field means.
type Aligned struct {
	Why             string  `json:"why"`
	SharedEdges     int     `json:"shared_edges"`
	SharedBound     int     `json:"shared_edges_bound"`
	EdgeCorrectness float64 `json:"edge_correctness"`
	S3              float64 `json:"s3"`
	SureMatches     int     `json:"sure_matches"`
	Witnesses       []int   `json:"witnesses"`
	Margins         []int   `json:"margins"`
	Sure            []bool  `json:"sure"`
	Groups          [][]int `json:"groups"`
}

// NewAlignedAnswer returns the answer of two graphs that were aligned, and why they were.
func NewAlignedAnswer(name, why string, g1, g2 *graphs.Graph, p *graphs.Alignment, r align.Result, seed uint64, took time.Duration) Answer {
	a := Answer{
		Answer: report.Answer{Record: portfolio.Record{
			Instance: name, N1: g1.Nodes, N2: g2.Nodes, Sense: qap.Maximize.String(), Objective: r.Objective,
			Matched: r.Matching.Size(), Matching: r.Matching, Method: MethodAlign, FoundBy: r.FoundBy,
			Rollouts: 1, Steps: r.Steps, Seconds: report.RoundSeconds(took.Seconds()), Status: r.Status, Seed: seed,
		}},
		Compared: Compared{
			Edges: graphs.Joins{Rule: graphs.JoinGiven}.String(), Edges1: p.A.Edges(), Edges2: p.B.Edges(), Kernel: string(graphs.KernelBinary),
			About: p.About, Names1: g1.Names, Names2: g2.Names, Unused: graphs.WithNotices(p.Unused, g1, g2),
		},
		warnings: ambiguous(g1, g2),
	}
	if g1.Weights != nil && g2.Weights != nil {
		a.Kernel = string(graphs.KernelWeight)
	}
	found := align.Assess(&p.Problem, r.Matching)
	if p.Counts() {
		most := float64(found.Bound)
		a.Bound = &most
	}
	a.Aligned = &Aligned{
		Why: why, SharedEdges: found.Shared, SharedBound: found.Bound, EdgeCorrectness: found.EdgeCorrectness, S3: found.S3,
		SureMatches: found.Sure, Groups: append([][]int{}, found.Groups...),
		Witnesses: make([]int, g1.Nodes), Margins: make([]int, g1.Nodes), Sure: make([]bool, g1.Nodes),
	}
	for i, m := range found.Matches {
		a.Witnesses[i], a.Margins[i], a.Aligned.Sure[i] = m.Witnesses, m.Margin, m.Sure
	}
	return a
}

// columns are those of Aligned in tables of pairs.
var columns = []string{"witnesses", "margin", "sure", "group"}

// cells returns the columns of a node of graph 1; groups are numbered from 1.
func (a *Aligned) cells(i int, group map[int]int) []string {
	number := ""
	if g := group[i]; g > 0 {
		number = strconv.Itoa(g)
	}
	return []string{strconv.Itoa(a.Witnesses[i]), strconv.Itoa(a.Margins[i]), strconv.FormatBool(a.Sure[i]), number}
}

// groupOf returns the number of the group of every node that is in one.
func (a *Aligned) groupOf() map[int]int {
	of := map[int]int{}
	for k, group := range a.Groups {
		for _, i := range group {
			of[i] = k + 1
		}
	}
	return of
}

// summary says in a line how good an alignment is.
func (a *Aligned) summary(matched int) string {
	return fmt.Sprintf("%d shared edges of at most %d (edge correctness %.1f %%, S3 %.3f); %d of %d matches are sure; groups of nodes that could be exchanged: %d",
		a.SharedEdges, a.SharedBound, 100*a.EdgeCorrectness, a.S3, a.SureMatches, matched, len(a.Groups))
}
