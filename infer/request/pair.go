package request

import (
	"cmp"
	"context"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
)

// Pair is two graphs to match, and what is compared of them.
type Pair struct {
	Pointer string // to them in the request
	Name    string
	Graphs  [2]graphs.Graph
	Design  graphs.Design
}

// DesignOf returns what is compared; the fields are of the table.
func DesignOf(kernel, scale string) graphs.Design {
	return graphs.Design{
		Kernel: graphs.Kernel(cmp.Or(kernel, string(graphs.KernelAuto))), Scale: graphs.Scale(cmp.Or(scale, string(graphs.ScaleAuto))),
	}
}

// Aligned is two graphs that are aligned by their structure.
type Aligned struct {
	graphs.Alignment
	Name, Why string
	Complete  bool
}

// Subject returns what is searched for two graphs: affinities, or an alignment where rgm match
// would choose that.
func (p *Pair) Subject(ctx context.Context, limits Limits, o *SolveOptions) (*Subject, error) {
	g1, g2 := &p.Graphs[0], &p.Graphs[1]
	if err := limits.checkWork(p.Pointer, "features or points of so many numbers take", comparisons(g1, g2)); err != nil {
		return nil, err
	}
	p.Design.MostPairs = float64(limits.EdgePairs)
	why, own := "", p.ofAffinities(o)
	switch {
	case o.Method == alignment.Method && own != "":
		return nil, Invalid(own, "an alignment has no affinities: leave it out, or choose another method")
	case o.Method == alignment.Method:
		why = "the method " + alignment.Method
	case own == "" && cmp.Or(o.Method, portfolio.MethodAuto) == portfolio.MethodAuto:
		why = p.Design.Aligns(g1, g2)
	}
	if why != "" {
		return p.align(ctx, limits, why, o)
	}
	if pairs := mostEdges(g1, g2) * mostEdges(g2, g1); limits.EdgePairs > 0 && pairs > limits.EdgePairs {
		return nil, TooLarge(p.Pointer, "the graphs have up to %d pairs of edges: the limit is %d", pairs, limits.EdgePairs)
	}
	problem, err := p.Design.Problem(ctx, *g1, *g2)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, Invalid(p.Pointer, "%s", WithoutPackage(err))
	}
	problem.Instance.Name = p.Name
	compared := problem.Compared(g1, g2)
	return &Subject{Instance: problem.Instance, Compared: &compared}, nil
}

// align returns the alignment of the graphs, and why they are aligned.
func (p *Pair) align(ctx context.Context, limits Limits, why string, o *SolveOptions) (*Subject, error) {
	g1, g2 := &p.Graphs[0], &p.Graphs[1]
	for _, g := range p.Graphs {
		if err := limits.checkWork(p.Pointer, g.Name+" has so many edges that its nodes take", steps(&g)); err != nil {
			return nil, err
		}
	}
	goal, err := o.goal(g1.Nodes, g2.Nodes)
	if err != nil {
		return nil, err
	}
	var known []graphs.Pair
	for i, j := range goal.Fixed {
		if j != qap.Unmatched {
			known = append(known, graphs.Pair{I: i, J: j})
		}
	}
	if g1.Edges == nil || g2.Edges == nil { // which only who asks for it gets
		return nil, Invalid("/options/method", "%s goes by edges, and a graph has none: choose another method", alignment.Method)
	}
	a, err := p.Design.Alignment(qap.WithTimeLimit(ctx, time.Duration(o.TimeLimit)), *g1, *g2, known)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		err = a.Check()
	}
	if err != nil {
		return nil, Invalid(p.Pointer, "%s", WithoutPackage(err))
	}
	compared := a.Compared(g1, g2)
	return &Subject{Aligned: &Aligned{a, p.Name, why, o.Complete}, Compared: &compared}, nil
}

// steps returns how many ways of two edges a graph has: an alignment looks at each.
func steps(g *graphs.Graph) (ways float64) {
	degrees := make([]float64, g.Nodes)
	for _, e := range g.Edges {
		degrees[e.I]++
		degrees[e.J]++
	}
	for _, d := range degrees {
		ways += d * d
	}
	return ways
}

// ofAffinities returns the pointer to the first field that asks for what only affinities have, "" for
// none.
func (p *Pair) ofAffinities(o *SolveOptions) string {
	for _, field := range []struct {
		pointer string
		set     bool
	}{
		{p.Pointer + "/kernel", p.Design.Kernel != graphs.KernelAuto}, {p.Pointer + "/scale", p.Design.Scale != graphs.ScaleAuto},
		{"/options/model", o.Model != ""}, {"/options/rollouts", o.Rollouts > 0}, {"/options/inliers", o.Inliers > 0},
		{"/options/affinity", cmp.Or(o.Affinity, portfolio.AffinityGiven) != portfolio.AffinityGiven},
		{"/options/regularize", cmp.Or(o.Regularize, "none") != "none"}, {"/options/initial", o.Initial != nil},
	} {
		if field.set {
			return field.pointer
		}
	}
	return ""
}

// Subject is what is searched.
type Subject struct {
	Instance *qap.Instance    // nil where graphs are aligned
	Aligned  *Aligned         // nil where they are not
	Compared *graphs.Compared // of two graphs
}

// Size returns the nodes of both graphs.
func (s *Subject) Size() (n1, n2 int) {
	if s.Aligned != nil {
		return s.Aligned.A.Nodes(), s.Aligned.B.Nodes()
	}
	return s.Instance.Size()
}
