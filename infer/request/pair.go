package request

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// Pair is two graphs to match, and what the request says of them besides the options.
type Pair struct {
	Name          string
	Graphs        [2]graphs.Graph
	Kernel, Scale string
	Similar       []graphs.Similar
	files         bool
}

// pointer returns where the graphs are in the request.
func (p *Pair) pointer() string {
	if p.files {
		return ""
	}
	return "/instance"
}

// Problem returns what is searched for two graphs.
func (p *Pair) Problem(ctx context.Context, s *rgm.Solver, o rgm.Options) (*rgm.Problem, error) {
	o.Name, o.Similar = p.Name, p.Similar
	own := map[string]bool{}
	for name, of := range map[string]struct {
		here string
		to   *string
	}{"kernel": {p.Kernel, &o.Kernel}, "scale": {p.Scale, &o.Scale}} {
		if of.here != "" && *of.to != "" && *of.to != of.here {
			return nil, Invalid("/options/"+name, "%q, but the instance says %q: want one of them", *of.to, of.here)
		}
		own["/options/"+name] = *of.to == ""
		*of.to = cmp.Or(*of.to, of.here)
	}
	problem, err := s.PrepareMatch(ctx, &p.Graphs[0], &p.Graphs[1], o)
	err = AsError(err, p.pointer())
	if wrong, is := err.(*Error); is && own[wrong.Pointer] {
		wrong.Pointer = p.pointer() + strings.TrimPrefix(wrong.Pointer, "/options")
	}
	if err != nil {
		return nil, err
	}
	return problem, nil
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

	Attributes []Attribute `json:"attributes,omitempty" doc:"of the nodes"`
}

// Attribute is what a graph says of its nodes.
type Attribute struct {
	Name   string   `json:"name"`
	Values []string `json:"values" doc:"one a node, empty where it has none"`
}

// Pair returns the graphs of a request.
func (r *Request) Pair(limits rgm.Limits) (*Pair, error) {
	_, both, err := r.read(limits)
	switch {
	case err != nil:
		return nil, err
	case both == nil:
		return nil, Invalid("/instance", "want two graphs")
	}
	return both, nil
}

// Drawing returns the drawing of the graphs of a request, for pictures.
func (r *Request) Drawing(limits rgm.Limits) (d Drawing, err error) {
	both, err := r.Pair(limits)
	if err != nil {
		return d, err
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
	for _, words := range append(slices.Clone(g.Identifiers), g.NodeWords...) {
		if words.Name != g.NamedBy {
			d.Attributes = append(d.Attributes, Attribute{words.Name, words.Values})
		}
	}
	d.Attributes = append(d.Attributes, namedColumns(g.PointNames, g.Points)...)
	d.Attributes = append(d.Attributes, namedColumns(g.FeatureNames, g.Features)...)
	return d
}

// namedColumns returns the columns of numbers that have names.
func namedColumns(names []string, rows [][]float64) (columns []Attribute) {
	for k, name := range names {
		column := Attribute{Name: name}
		for _, row := range rows {
			column.Values = append(column.Values, strconv.FormatFloat(row[k], 'g', 6, 64))
		}
		columns = append(columns, column)
	}
	return columns
}
