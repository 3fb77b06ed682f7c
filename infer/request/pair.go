package request

import (
	"cmp"
	"context"
	"slices"
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

// Drawing is two graphs with a place in the plane for each node.
type Drawing struct {
	Graph1 Drawn `json:"graph1"`
	Graph2 Drawn `json:"graph2"`
}

// Drawn is one of them.
type Drawn struct {
	Points [][]float64 `json:"points" doc:"their own places, or where the edges put them"`
	Edges  [][]int     `json:"edges" doc:"pairs of nodes, from 0"`
	Names  []string    `json:"names,omitempty" doc:"of the nodes"`
	Placed bool        `json:"placed" doc:"whether the graph has places of its own"`
}

// Drawing returns the drawing of the graphs of a request, for pictures.
func (r *Request) Drawing(limits Limits) (d Drawing, err error) {
	var both *Pair
	switch {
	case len(r.Files) == len(GraphParts):
		both, err = r.pair(limits)
	case r.Format == FormatJSON:
		_, both, err = ReadInstance(r.Body, limits)
	}
	switch {
	case err != nil:
		return d, err
	case both == nil:
		return d, Invalid("/instance", "want two graphs")
	}
	return Drawing{drawn(&both.Graphs[0]), drawn(&both.Graphs[1])}, nil
}

func drawn(g *graphs.Graph) Drawn {
	d := Drawn{Points: [][]float64{}, Edges: [][]int{}, Names: g.Names, Placed: g.Points != nil}
	for _, p := range g.Places() {
		d.Points = append(d.Points, []float64{p.X, p.Y})
	}
	for _, e := range g.Edges {
		d.Edges = append(d.Edges, []int{e.I, e.J})
	}
	return d
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
	Name, Why, Method string
	Assigned          bool // with edges as flows and distances
	Complete          bool
}

// Subject returns what is searched for two graphs: affinities, or an alignment where rgm match
// would choose that.
func (p *Pair) Subject(ctx context.Context, limits Limits, o *SolveOptions) (*Subject, error) {
	g1, g2 := &p.Graphs[0], &p.Graphs[1]
	if err := limits.checkWork(p.Pointer, "features or points of so many numbers take", comparisons(g1, g2)); err != nil {
		return nil, err
	}
	p.Design.MostPairs = float64(limits.EdgePairs)
	why, own, method := "", p.ofAffinities(o), cmp.Or(o.Method, portfolio.MethodAuto)
	switch {
	case own != "" && (alignsAlone(method) || alignment.NeedsFlows(method)):
		return nil, Invalid(own, "the method %s has no affinities: leave it out, or choose another method", method)
	case alignsAlone(method) || alignment.Assigns(method, own == "" && p.Design.Similar == nil && graphs.Plain(g1, g2)):
		why = "the method " + method
	case own == "" && method == portfolio.MethodAuto:
		method = alignment.Method
		why = p.Design.Aligns(g1, g2)
	}
	if why != "" {
		return p.align(ctx, limits, method, why, o)
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

// alignsAlone reports whether a method aligns two graphs and serves nothing else.
func alignsAlone(method string) bool { return slices.Contains(alignment.Methods(), method) }

// align returns the alignment of the graphs, and why they are aligned.
func (p *Pair) align(ctx context.Context, limits Limits, method, why string, o *SolveOptions) (*Subject, error) {
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
		return nil, Invalid("/options/method", "%s goes by edges, and a graph has none: choose another method", method)
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
	assigned := !alignsAlone(method)
	if err := a.Assignable(); assigned && err != nil {
		return nil, AsError(err)
	}
	compared := a.Compared(g1, g2)
	return &Subject{Aligned: &Aligned{a, p.Name, why, method, assigned, o.Complete}, Compared: &compared}, nil
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
