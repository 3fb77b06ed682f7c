package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
)

// graphFile is a file of a graph: its name, and how many bytes of the body it has.
type graphFile struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
}

// graphParts are the parts of a form that are files of graphs.
var graphParts = [2]string{"a", "b"}

// pair is two graphs to match, and what is compared of them.
type pair struct {
	pointer string // to them in the request
	name    string
	graphs  [2]graphs.Graph
	design  graphs.Design
}

// designOf returns what is compared; the fields are of the table.
func designOf(kernel, scale string) graphs.Design {
	return graphs.Design{
		Kernel: graphs.Kernel(cmp.Or(kernel, string(graphs.KernelAuto))), Scale: graphs.Scale(cmp.Or(scale, string(graphs.ScaleAuto))),
		MostPairs: maxEdgePairs,
	}
}

// pair reads the two graphs of files.
func (r *Request) pair(limits limits) (*pair, error) {
	both := &pair{name: shortName(r.Name), design: designOf(r.Kernel, r.Scale)}
	text := r.Body
	for k, file := range r.Files {
		pointer := "/" + graphParts[k]
		if file.Length < 0 || file.Length > len(text) {
			return nil, invalid(pointer, "%d bytes, but the body has %d", file.Length, len(text))
		}
		g, err := graphs.Read(file.Name, bytes.NewReader(text[:file.Length]))
		text = text[file.Length:]
		if err == nil && r.Weight != "" {
			err = g.Weigh(r.Weight)
		}
		switch {
		case errors.Is(err, graphs.ErrFormat):
			return nil, invalid(pointer, "%s", withoutPackage(err))
		case err != nil:
			wrong := unreadable("%s", withoutPackage(err))
			wrong.Pointer = pointer
			return nil, wrong
		case g.Nodes > limits.nodes:
			return nil, tooLarge(pointer, "a graph of %d nodes: this service's limit is %d", g.Nodes, limits.nodes)
		}
		g.Name = file.Name // as in what is told of it
		both.graphs[k] = g
	}
	return both, nil
}

// aligned is two graphs that are aligned by their structure.
type aligned struct {
	graphs.Alignment
	name, why string
	complete  bool
}

// subject returns what is searched for two graphs: affinities, or an alignment where rgm match
// would choose that.
func (p *pair) subject(ctx context.Context, o *SolveOptions) (*subject, error) {
	g1, g2 := &p.graphs[0], &p.graphs[1]
	if work := comparisons(g1, g2); work > maxComparisons {
		return nil, tooLarge(p.pointer, "features or points of so many numbers take %.2g operations to compare: the limit is %.2g", work, float64(maxComparisons))
	}
	why, own := "", p.ofAffinities(o)
	switch {
	case o.Method == alignment.Method && own != "":
		return nil, invalid(own, "an alignment has no affinities: leave it out, or choose another method")
	case o.Method == alignment.Method:
		why = "the method " + alignment.Method
	case own == "" && cmp.Or(o.Method, portfolio.MethodAuto) == portfolio.MethodAuto:
		why = p.design.Aligns(g1, g2)
	}
	if why != "" {
		return p.align(ctx, why, o)
	}
	if pairs := mostEdges(g1, g2) * mostEdges(g2, g1); pairs > maxEdgePairs {
		return nil, tooLarge(p.pointer, "the graphs have up to %d pairs of edges: the limit is %d", pairs, maxEdgePairs)
	}
	problem, err := p.design.Problem(ctx, *g1, *g2)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		return nil, invalid(p.pointer, "%s", withoutPackage(err))
	}
	problem.Instance.Name = p.name
	compared := problem.Compared(g1, g2)
	return &subject{instance: problem.Instance, compared: &compared}, nil
}

// align returns the alignment of the graphs, and why they are aligned.
func (p *pair) align(ctx context.Context, why string, o *SolveOptions) (*subject, error) {
	g1, g2 := &p.graphs[0], &p.graphs[1]
	for _, g := range p.graphs {
		if work := steps(&g); work > maxComparisons {
			return nil, tooLarge(p.pointer, "%s has so many edges that its nodes take %.2g operations to compare: the limit is %.2g", g.Name, work, float64(maxComparisons))
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
		return nil, invalid("/options/method", "%s goes by edges, and a graph has none: choose another method", alignment.Method)
	}
	a, err := p.design.Alignment(*g1, *g2, known)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		err = a.Check()
	}
	if err != nil {
		return nil, invalid(p.pointer, "%s", withoutPackage(err))
	}
	compared := a.Compared(g1, g2)
	return &subject{aligned: &aligned{a, p.name, why, o.Complete}, compared: &compared}, nil
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
func (p *pair) ofAffinities(o *SolveOptions) string {
	for _, field := range []struct {
		pointer string
		set     bool
	}{
		{p.pointer + "/kernel", p.design.Kernel != graphs.KernelAuto}, {p.pointer + "/scale", p.design.Scale != graphs.ScaleAuto},
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

// subject is what is searched.
type subject struct {
	instance *qap.Instance    // nil where graphs are aligned
	aligned  *aligned         // nil where they are not
	compared *graphs.Compared // of two graphs
}

// size returns the nodes of both graphs.
func (s *subject) size() (n1, n2 int) {
	if s.aligned != nil {
		return s.aligned.A.Nodes(), s.aligned.B.Nodes()
	}
	return s.instance.Size()
}
