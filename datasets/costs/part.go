package costs

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap/edit"
)

// A Part is graphs of a collection in rows and in columns, with what edits between them cost: all that it takes to measure the
// pairs of a row and a column elsewhere. As JSON it is the same everywhere, whatever model and attributes the costs are of.
type Part struct {
	Rows    []PartGraph `json:"rows"`
	Columns []PartGraph `json:"columns"`
	Nodes   Table       `json:"nodes"` // labels of graph 1 are those of the rows, of graph 2 those of the columns
	Edges   Table       `json:"edges"`
}

// PartGraph is a graph of a Part: labels are places in the tables.
type PartGraph struct {
	Nodes    []int32    `json:"nodes"`
	Edges    [][3]int32 `json:"edges,omitempty"` // from, to, label
	Directed bool       `json:"directed,omitempty"`
}

// Part returns the graphs in the places from first to end, as rows, and others as columns.
func (c *Collection) Part(first, end, firstColumn, endColumn int) (*Part, error) {
	p := &Part{}
	rows, columns := newLocal(), newLocal()
	for k := first; k < end; k++ {
		p.Rows = append(p.Rows, partOf(rows.graph(c.graphs[k])))
	}
	for k := firstColumn; k < endColumn; k++ {
		p.Columns = append(p.Columns, partOf(columns.graph(c.graphs[k])))
	}
	nodes, err := c.nodes.table(rows.nodes.labels, columns.nodes.labels)
	if err != nil {
		return nil, err
	}
	edges, err := c.edges.table(rows.edges.labels, columns.edges.labels)
	if err != nil {
		return nil, err
	}
	p.Nodes, p.Edges = *nodes, *edges
	return p, nil
}

func partOf(g *edit.Graph) PartGraph {
	of := PartGraph{Nodes: g.Nodes, Directed: g.Directed}
	for _, e := range g.Edges {
		of.Edges = append(of.Edges, [3]int32{e.From, e.To, e.Label})
	}
	return of
}

// Size returns how many graphs are in the rows, and in the columns.
func (p *Part) Size() (rows, columns int) { return len(p.Rows), len(p.Columns) }

// MostNodes returns how many nodes the largest graph has.
func (p *Part) MostNodes() (most int) {
	for _, side := range [][]PartGraph{p.Rows, p.Columns} {
		for k := range side {
			most = max(most, len(side[k].Nodes))
		}
	}
	return most
}

// Problems returns what makes the problem of a row and a column, or an error where the parts do not fit together.
func (p *Part) Problems() (func(row, column int) (*Problem, error), error) {
	if len(p.Rows) == 0 || len(p.Columns) == 0 {
		return nil, errors.New("a part without graphs")
	}
	largest := [2]*edit.Graph{}
	var sides [2][]*edit.Graph
	for side, of := range [][]PartGraph{p.Rows, p.Columns} {
		most := -1.0
		for k := range of {
			g, cost, err := of[k].graph(p.Nodes.alone(side), p.Edges.alone(side))
			if err != nil {
				return nil, fmt.Errorf("graph %d: %w", k, err)
			}
			if sides[side] = append(sides[side], g); cost > most {
				largest[side], most = g, cost
			}
		}
	}
	shared, err := NewProblem(largest[0], largest[1], &p.Nodes, &p.Edges)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(shared.Nodes.Check(), shared.Edges.Check()); err != nil {
		return nil, err
	}
	return func(row, column int) (*Problem, error) {
		of := *shared
		of.Graph1, of.Graph2 = sides[0][row], sides[1][column]
		return &of, nil
	}, nil
}

// alone returns the costs of what has no partner: of graph 1 (side 0), or of graph 2.
func (t *Table) alone(side int) []float64 {
	if side == 0 {
		return t.Delete
	}
	return t.Insert
}

// graph returns the graph, and what it costs without a partner; package edit checks the rest.
func (g *PartGraph) graph(nodes, edges []float64) (of *edit.Graph, cost float64, err error) {
	of = &edit.Graph{Nodes: g.Nodes, Directed: g.Directed}
	for _, l := range g.Nodes {
		if l < 0 || int(l) >= len(nodes) {
			return nil, 0, fmt.Errorf("there are no costs of nodes with label %d", l)
		}
		cost += nodes[l]
	}
	for _, e := range g.Edges {
		if l := e[2]; l < 0 || int(l) >= len(edges) {
			return nil, 0, fmt.Errorf("there are no costs of edges with label %d", l)
		}
		cost += edges[e[2]]
		of.Edges = append(of.Edges, edit.Edge{From: e[0], To: e[1], Label: e[2]})
	}
	return of, cost, nil
}

// forbids stands for an infinite cost in JSON.
const forbids = -1

type tableFields struct {
	Delete     []float64 `json:"delete"`
	Insert     []float64 `json:"insert"`
	Substitute []float64 `json:"substitute"`
}

// MarshalJSON writes an infinite cost as -1.
func (t Table) MarshalJSON() ([]byte, error) {
	finite := tableFields{t.Delete, t.Insert, make([]float64, len(t.Substitute))}
	for k, cost := range t.Substitute {
		if finite.Substitute[k] = cost; math.IsInf(cost, 1) {
			finite.Substitute[k] = forbids
		}
	}
	return json.Marshal(finite)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Table) UnmarshalJSON(text []byte) error {
	var read tableFields
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	for k, cost := range read.Substitute {
		if cost == forbids {
			read.Substitute[k] = math.Inf(1)
		}
	}
	*t = Table(read)
	return nil
}
