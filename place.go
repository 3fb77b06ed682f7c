package rgm

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// What Match does with nodes by what each has; it cannot be asked for.
const (
	MethodPlaces  = "places"  // points that one transform takes to others
	MethodRecords = "records" // words and numbers alone
)

// transformed looks for a transform of points, within half of the time limit.
func (p *pair) transformed(ctx context.Context) string {
	known, err := p.o.fixed(p.g1.Nodes, p.g2.Nodes)
	if err != nil {
		return "" // as every other route says
	}
	if limit := p.o.TimeLimit; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, max((limit-spent(ctx))/2, 1))
		defer cancel()
	}
	places, err := p.design.Places(ctx, *p.g1, *p.g2, p.o.Seed, known)
	if err != nil || places == nil {
		return ""
	}
	p.nodes = places
	return fmt.Sprintf("one transform takes most of %d and %d points to others", p.g1.Nodes, p.g2.Nodes)
}

// tabled makes the problem of tables whose numbers no transform takes to others, with words beside them: their numbers are no places. The
// readers of tables take any numbers for coordinates where no column is x.
func (p *pair) tabled(ctx context.Context) string {
	one, two := *p.g1, *p.g2
	for _, g := range []*graphs.Graph{&one, &two} {
		if g.Points == nil || g.PointNames == nil || g.PointNames[0] == graphs.Axes[0] || g.NodeWords == nil || g.Edges != nil || g.Features != nil {
			return ""
		}
		g.Features, g.FeatureNames, g.Points, g.PointNames = g.Points, g.PointNames, nil, nil
	}
	if g := p.g1; float64(g.Nodes)*float64(p.g2.Nodes) <= compare.FewPoints && g.Dimensions() <= len(graphs.Axes) {
		return ""
	}
	whole := *p
	whole.g1, whole.g2 = &one, &two
	why := whole.recorded(ctx)
	if why != "" {
		p.g1, p.g2, p.nodes = &one, &two, whole.nodes
	}
	return why
}

// recorded makes the problem of nodes that have nothing but words and numbers.
func (p *pair) recorded(ctx context.Context) string {
	known, err := p.o.fixed(p.g1.Nodes, p.g2.Nodes)
	if err != nil {
		return "" // as every other route says
	}
	records, err := p.design.Records(ctx, *p.g1, *p.g2, known)
	if err != nil || records == nil {
		return ""
	}
	p.nodes = records
	return "nodes have words and numbers, and nothing else that can be compared"
}

// joinedNeighbours is how many nearest neighbours points are joined with where they become graphs.
const joinedNeighbours = 6

// neighbours joins the points of large sets, which no transform takes to each other, with their nearest ones.
func (p *pair) neighbours(ctx context.Context) string {
	g1, g2 := p.g1, p.g2
	if g1.Points == nil || g2.Points == nil || g1.Dimensions() != g2.Dimensions() || g1.Edges != nil && g2.Edges != nil || !compare.ManyPoints(g1, g2) ||
		g1.Check() != nil || g2.Check() != nil {
		return ""
	}
	p.g1, p.g2 = compare.Joined(ctx, g1, joinedNeighbours), compare.Joined(ctx, g2, joinedNeighbours)
	return fmt.Sprintf("no transform takes the points to others, and they are many: each is joined with its %d nearest", joinedNeighbours)
}

// place is what Match prepares of nodes that are matched by what each has.
func (p *pair) place(ctx context.Context) (*Problem, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.o.Limits.checkWork("nodes take", transforming(p.g1)+transforming(p.g2)); err != nil {
		return nil, err
	}
	compared := p.nodes.Compared(p.g1, p.g2)
	return &Problem{Nodes: p.nodes, Compared: &compared}, nil
}

// transforming returns about how many operations it takes to find the transform of points.
func transforming(g *graphs.Graph) float64 { const each = 1 << 12; return each * float64(g.Nodes) }

// place assigns nodes to each other.
func (p *Problem) place(ctx context.Context, limit time.Duration) (Result, error) {
	o, began := &p.options, time.Now()
	limited := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	m := p.Nodes.Match(limited, o.Complete)
	watch := qap.Limits{}.Watch(ctx, nil)
	method := MethodRecords
	places, placed := p.Nodes.(*compare.Places)
	if placed {
		method = MethodPlaces
	}
	status, over := watch.Expired()
	switch {
	case over:
	case limited.Err() != nil:
		status = qap.TimeLimit
	default:
		status = qap.Converged
	}
	n1, n2 := p.Size()
	objective := p.Nodes.Objective(m)
	result := Result{
		Instance: o.Name, N1: n1, N2: n2, Sense: qap.Maximize.String(), Objective: objective, Score: objective,
		Matched: m.Size(), Matching: m, Method: method, FoundBy: method,
		Rollouts: 1, Seconds: seconds(time.Since(began)), Status: status, Seed: o.Seed,
	}
	if placed {
		result.Placed = places.Placed()
	}
	if limited.Err() != nil {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(limit, time.Second)/lastLook)
		defer cancel()
	}
	result.Confidence = p.Nodes.Confidence(limited, m)
	if o.OnBest != nil {
		o.OnBest(Incumbent{Objective: objective, Elapsed: result.Seconds, FoundBy: method, Matching: m, Score: objective})
	}
	return result, nil
}
