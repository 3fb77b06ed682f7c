package rgm

import (
	"cmp"
	"context"
	"time"

	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/edit"
)

// DistanceOptions say what edits cost, and how long to search for the cheapest. The zero value is ready for use. The tags
// are read as those of Options.
type DistanceOptions struct {
	Costs     string        `json:"costs,omitempty" default:"uniform" choices:"costs" doc:"what edits cost: the name of a model (uniform: 1 each, nothing where labels are equal)"`
	Within    *float64      `json:"within,omitempty" minimum:"0" doc:"whether the distance is at most this: the search ends once that is known (none)"`
	Path      bool          `json:"path,omitempty" doc:"the edits, one by one"`
	TimeLimit time.Duration `json:"time_limit,omitempty" doc:"wall clock of the call (none: the search ends once the distance is proved)"`
	MaxSteps  int           `json:"max_steps,omitempty" minimum:"0" doc:"steps of the search (none)"`
	Seed      uint64        `json:"seed,omitempty" doc:"every random choice comes from it (0)"`
	Matchings int           `json:"matchings,omitempty" minimum:"0" doc:"so many matchings at most that cost no more than the distance, once it is proved (none)"`

	Name   string                        `json:"-"` // what the result calls the two graphs
	Model  *costs.Model                  `json:"-"` // in place of Costs
	OnBest func(distance, lower float64) `json:"-"` // told of each better distance and bound by the goroutine that searches
}

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

// An Edit is one of the edits that turn graph 1 into graph 2. Ends has one name of a node, two of an edge.
type Edit struct {
	Do     string   `json:"do"` // keep, substitute, delete or insert
	Of     string   `json:"of"` // node or edge
	First  []string `json:"first,omitempty"`
	Second []string `json:"second,omitempty"`
	Cost   float64  `json:"cost"`
}

// Distance finds the least cost of edits that turn one graph into another: nodes and edges deleted, inserted and
// substituted. Reaching a limit is a status: the result has the best edits so far, and a lower bound. Edges from a node to
// itself count where the graphs have them.
func Distance(ctx context.Context, g1, g2 *graphs.Graph, o DistanceOptions) (DistanceResult, error) {
	began := time.Now()
	if ctx == nil {
		return DistanceResult{}, infer.ErrNoContext
	}
	model, err := o.model()
	if err != nil {
		return DistanceResult{}, err
	}
	c, err := model.Collect(g1, g2)
	if err != nil {
		return DistanceResult{}, err
	}
	p, err := c.Problem(0, 1)
	if err != nil {
		return DistanceResult{}, err
	}
	r, image, err := distanceOf(ctx, p, o, began)
	if err != nil {
		return r, err
	}
	r.Instance, r.Costs = cmp.Or(o.Name, g1.Name+"-"+g2.Name), model.Name
	if o.Path {
		r.Path = editsOf(p, image, g1, g2)
	}
	r.Seconds = seconds(time.Since(began))
	return r, nil
}

// DistanceOf is Distance where tables say what edits cost. Its edits call nodes by their numbers.
func DistanceOf(ctx context.Context, p *costs.Problem, o DistanceOptions) (DistanceResult, error) {
	began := time.Now()
	r, image, err := distanceOf(ctx, p, o, began)
	if err != nil {
		return r, err
	}
	r.Instance, r.Costs = o.Name, "tables"
	if o.Path {
		r.Path = editsOf(p, image, plain(p.Graph1), plain(p.Graph2))
	}
	r.Seconds = seconds(time.Since(began))
	return r, nil
}

// plain returns the nodes and edges of a graph, in their order.
func plain(of *edit.Graph) *graphs.Graph {
	g := &graphs.Graph{Nodes: len(of.Nodes)}
	for _, e := range of.Edges {
		g.Edges = append(g.Edges, graphs.Edge{I: int(e.From), J: int(e.To)})
	}
	return g
}

func distanceOf(ctx context.Context, p *costs.Problem, o DistanceOptions, began time.Time) (r DistanceResult, image []int, err error) {
	if o.Within != nil && !(*o.Within >= 0) {
		return r, nil, optionError("Within", "%v: want a number of at least 0", *o.Within)
	}
	options := edit.Options{MaxSteps: o.MaxSteps, Seed: o.Seed, Images: o.Matchings}
	if o.TimeLimit > 0 {
		options.TimeLimit = max(o.TimeLimit-time.Since(began), 1)
	}
	if o.Within != nil {
		options.HasWithin, options.Within = true, p.Units(*o.Within)
	}
	if o.OnBest != nil {
		options.OnBest = func(cost, lower int) { o.OnBest(p.Of(cost), p.Lower(lower)) }
	}
	found, err := edit.Solve(ctx, &p.Problem, options)
	if err != nil {
		return r, nil, err
	}
	r = DistanceResult{
		N1: len(p.Graph1.Nodes), N2: len(p.Graph2.Nodes), Distance: p.Of(found.Cost),
		Lower: p.Lower(found.Lower), Similarity: 1, Matching: found.Image, Steps: found.Steps, Status: found.Status, Seed: o.Seed,
	}
	if most := p.Most(); most > 0 {
		r.Similarity = max(0, 1-r.Distance/most)
	}
	if is := found.Cost <= options.Within; o.Within != nil && (is || found.Lower > options.Within) {
		r.Within = &is
	}
	for _, image := range found.Images {
		r.Matchings = append(r.Matchings, image)
	}
	return r, found.Image, nil
}

func (o *DistanceOptions) model() (costs.Model, error) {
	if o.Model != nil {
		m := *o.Model
		m.Name = cmp.Or(m.Name, "own")
		return m, nil
	}
	m, err := costs.Named(o.Costs)
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
		named := Edit{Of: "node", Cost: e.Cost, First: endsOf(g1, e.Edge, e.First), Second: endsOf(g2, e.Edge, e.Second)}
		if e.Edge {
			named.Of = "edge"
		}
		switch {
		case e.Second == edit.None:
			named.Do = "delete"
		case e.First == edit.None:
			named.Do = "insert"
		case e.Cost == 0:
			named.Do = "keep"
		default:
			named.Do = "substitute"
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
