package rgm

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/edit"
)

// DistanceResult is how far two graphs are from each other, or what is known of it, as rgm distance prints it with --format
// json. Fields may be added, never renamed.
type DistanceResult struct {
	Instance   string       `json:"instance"`
	N1         int          `json:"n1"`
	N2         int          `json:"n2"`
	Costs      string       `json:"costs"`
	Distance   float64      `json:"distance"`         // of the cheapest edits that were found
	Lower      float64      `json:"lower_bound"`      // no edits cost less
	Similarity float64      `json:"similarity"`       // 1 - distance / (cost of deleting graph 1 and inserting graph 2)
	Within     *bool        `json:"within,omitempty"` // nil where it was not asked for, or is not known
	Matching   qap.Matching `json:"matching"`         // of the nodes that are kept or substituted
	Path       []Edit       `json:"path,omitempty"`

	Matchings []qap.Matching `json:"matchings,omitempty"` // as many as were asked for of those that cost Distance

	Steps   int        `json:"steps"`
	Seconds float64    `json:"seconds"`
	Status  qap.Status `json:"status"` // optimal where Distance is proved
	Seed    uint64     `json:"seed"`
}

// An Edit is one of the edits that turn graph 1 into graph 2: a substitution that costs nothing keeps a node or an edge. A and B
// have one name of a node, two of an edge; A is nil of an insertion, B of a deletion.
type Edit struct {
	Edit string   `json:"edit"` // substitute, delete or insert
	What string   `json:"what"` // node or edge
	A    []string `json:"a,omitempty"`
	B    []string `json:"b,omitempty"`
	Cost float64  `json:"cost"`
}

// Kept reports whether a node or an edge stays as it is.
func (e *Edit) Kept() bool { return e.Edit == "substitute" && e.Cost == 0 }

// Distance finds the least cost of edits that turn one graph into another: nodes and edges deleted, inserted and
// substituted. Reaching a limit is a status: the result has the best edits so far, and a lower bound. Edges from a node to
// itself count where the graphs have them.
func Distance(ctx context.Context, g1, g2 *graphs.Graph, o Options) (DistanceResult, error) {
	if ctx == nil {
		return DistanceResult{}, infer.ErrNoContext
	}
	began := time.Now().Add(-spent(ctx))
	ctx = o.limited(ctx)
	model, err := o.costModel()
	if err != nil {
		return DistanceResult{}, err
	}
	if err := o.Limits.CheckNodes(g1.Nodes, g2.Nodes); err != nil {
		return DistanceResult{}, err
	}
	c, err := model.Collect(g1, g2)
	if err != nil {
		return DistanceResult{}, &InputError{err}
	}
	p, err := c.Problem(0, 1)
	if err != nil {
		return DistanceResult{}, &InputError{err}
	}
	o.Name, o.Costs = cmp.Or(o.Name, g1.Name+"-"+g2.Name), model.Name
	return o.measure(ctx, began, p, g1, g2)
}

// DistanceByTables is Distance of two graphs whose labels have tables of costs, which package costs makes a problem of.
// Costs of the options is what the result calls them; the path calls nodes by their numbers.
func DistanceByTables(ctx context.Context, p *costs.Problem, o Options) (DistanceResult, error) {
	if ctx == nil {
		return DistanceResult{}, infer.ErrNoContext
	}
	unnamed := func(g *edit.Graph) *graphs.Graph {
		of := &graphs.Graph{Nodes: len(g.Nodes)}
		for _, e := range g.Edges {
			of.Edges = append(of.Edges, graphs.Edge{I: int(e.From), J: int(e.To)})
		}
		return of
	}
	o.Costs = cmp.Or(o.Costs, "tables")
	return o.measure(o.limited(ctx), time.Now().Add(-spent(ctx)), p, unnamed(p.Graph1), unnamed(p.Graph2))
}

// limited returns a context that ends searches once the time limit has passed from when the call began.
func (o *Options) limited(ctx context.Context) context.Context {
	if o.TimeLimit <= 0 {
		return ctx
	}
	return qap.WithTimeLimit(ctx, max(o.TimeLimit-spent(ctx), 1))
}

// measure finds the distance of a problem, whose nodes the graphs name.
func (o *Options) measure(ctx context.Context, began time.Time, p *costs.Problem, g1, g2 *graphs.Graph) (DistanceResult, error) {
	if err := o.checkTable(DistanceTable()); err != nil {
		return DistanceResult{}, err
	}
	options := edit.Options{MaxSteps: o.MaxSteps, TimeLimit: o.TimeLimit, Seed: o.Seed, Images: o.Matchings, Dearer: p.Rounding()}
	if o.Within != nil {
		options.HasWithin, options.Within = true, p.Units(*o.Within)
	}
	if o.OnBest != nil {
		options.OnBest = func(cost, lower int) {
			bound := p.Lower(lower)
			o.OnBest(Incumbent{Objective: p.Of(cost), Lower: &bound, Elapsed: time.Since(began).Seconds()})
		}
	}
	found, err := edit.Solve(ctx, &p.Problem, options)
	if err != nil {
		return DistanceResult{}, &InputError{err}
	}
	r := DistanceResult{
		Instance: o.Name, N1: g1.Nodes, N2: g2.Nodes, Costs: o.Costs, Distance: p.Of(found.Cost),
		Lower: p.Lower(found.Lower), Similarity: 1, Matching: found.Image, Steps: found.Steps, Status: found.Status, Seed: o.Seed,
	}
	if !p.Exact {
		_, r.Distance = p.Edits(found.Image)
	}
	if most := p.Most(); most > 0 {
		r.Similarity = max(0, 1-r.Distance/most)
	}
	if is := found.Cost <= options.Within; o.Within != nil && (is || found.Lower > options.Within) {
		r.Within = &is
	}
	for _, image := range found.Images {
		if _, cost := p.Edits(image); cost > r.Distance+sameCost*max(1, r.Distance) {
			continue // what it seems to cost no more is rounding
		}
		r.Matchings = append(r.Matchings, image)
	}
	if o.Path {
		r.Path = editsOf(p, found.Image, g1, g2)
	}
	r.Seconds = math.Round(time.Since(began).Seconds()*1e6) / 1e6
	return r, nil
}

// sameCost is the relative difference of sums that are the same but for their order.
const sameCost = 1e-9

func (o *Options) costModel() (costs.Model, error) {
	if o.CostModel != nil {
		m := *o.CostModel
		m.Name = cmp.Or(m.Name, "own")
		return m, nil
	}
	m, err := costs.Parse(o.Costs)
	if err != nil {
		return m, optionError("Costs", "%v", err)
	}
	return m, nil
}

// editsOf returns the edits by the names of the nodes.
func editsOf(p *costs.Problem, image []int, g1, g2 *graphs.Graph) []Edit {
	edits, _ := p.Edits(image)
	all := make([]Edit, 0, len(edits))
	for _, e := range edits {
		named := Edit{Edit: "substitute", What: "node", Cost: e.Cost, A: endsOf(g1, e.Edge, e.First), B: endsOf(g2, e.Edge, e.Second)}
		if e.Edge {
			named.What = "edge"
		}
		switch {
		case e.Second == edit.None:
			named.Edit = "delete"
		case e.First == edit.None:
			named.Edit = "insert"
		}
		all = append(all, named)
	}
	return all
}

// endsOf returns those of a node, or of the ends of an edge; nil of none.
func endsOf(g *graphs.Graph, edge bool, k int) []string {
	switch {
	case k == edit.None:
		return nil
	case edge:
		return []string{g.NodeName(g.Edges[k].I), g.NodeName(g.Edges[k].J)}
	}
	return []string{g.NodeName(k)}
}
