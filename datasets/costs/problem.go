package costs

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap/edit"
)

// Table is what edits of nodes cost, or of edges, by their labels.
type Table struct {
	Delete     []float64 // by label of graph 1
	Insert     []float64 // by label of graph 2
	Substitute []float64 // [label of graph 1, label of graph 2]; +Inf forbids it
}

// Problem is the problem of package edit for two graphs and floating-point costs.
type Problem struct {
	edit.Problem
	Unit         float64 // what 1 costs there
	Exact        bool    // all costs are whole numbers of units; else they were rounded
	nodes, edges *Table
	common       int64 // Unit is common/grid
	grid         float64
}

// NewProblem returns the problem of two graphs whose labels are places in the tables.
func NewProblem(g1, g2 *edit.Graph, nodes, edges *Table) (*Problem, error) {
	for _, t := range []struct {
		table *Table
		of    string
	}{{nodes, "nodes"}, {edges, "edges"}} {
		if err := t.table.check(); err != nil {
			return nil, fmt.Errorf("costs of %s: %w", t.of, err)
		}
	}
	p := &Problem{Problem: edit.Problem{Graph1: g1, Graph2: g2}, nodes: nodes, edges: edges}
	p.common, p.grid, p.Exact = unitOf(g1, g2, nodes, edges)
	p.Unit = float64(p.common) / p.grid
	p.Nodes, p.Edges = nodes.whole(p.Unit), edges.whole(p.Unit)
	return p, nil
}

func (t *Table) check() error {
	if len(t.Substitute) != len(t.Delete)*len(t.Insert) {
		return fmt.Errorf("%d substitutions of %d × %d labels", len(t.Substitute), len(t.Delete), len(t.Insert))
	}
	for _, list := range [][]float64{t.Delete, t.Insert} {
		for k, cost := range list {
			if !(cost >= 0) || math.IsInf(cost, 0) {
				return fmt.Errorf("deleting or inserting label %d costs %v: want a number of at least 0", k, cost)
			}
		}
	}
	for k, cost := range t.Substitute {
		if !(cost >= 0) {
			return fmt.Errorf("substituting label %d by %d costs %v: want a number of at least 0", k/len(t.Insert), k%len(t.Insert), cost)
		}
	}
	return nil
}

// whole returns the costs in units, rounded.
func (t *Table) whole(unit float64) *edit.Costs {
	in := func(list []float64) []int32 {
		all := make([]int32, len(list))
		for k, cost := range list {
			all[k] = int32(min(math.Round(cost/unit), math.MaxInt32/4))
		}
		return all
	}
	return &edit.Costs{Delete: in(t.Delete), Insert: in(t.Insert), Substitute: in(t.Substitute)}
}

// all is what deleting graph 1 and inserting graph 2 costs.
func all(g1, g2 *edit.Graph, nodes, edges *Table) float64 {
	sum := 0.0
	for _, l := range g1.Nodes {
		sum += nodes.Delete[l]
	}
	for _, l := range g2.Nodes {
		sum += nodes.Insert[l]
	}
	for _, e := range g1.Edges {
		sum += edges.Delete[e.Label]
	}
	for _, e := range g2.Edges {
		sum += edges.Insert[e.Label]
	}
	return sum
}

// Grids on which costs are looked for: 1/10^k, and where rounded values are the same to about this.
const (
	mostDigits = 6
	same       = 1e-9
	rounded    = 0.999 // of what costs may be together, where they are rounded: so that they stay below
)

// unitOf returns the largest number, common/grid, that all costs are whole multiples of, as far as decimals say, or else
// a small part of the whole.
func unitOf(g1, g2 *edit.Graph, tables ...*Table) (common int64, grid float64, exact bool) {
	total := all(g1, g2, tables[0], tables[1])
	if !(total > 0) {
		total = 1
	}
	grid = 1
	for range mostDigits + 1 {
		if common := commonOf(grid, tables); common > 0 && total*grid/float64(common) <= edit.MostCost {
			return common, grid, true
		}
		grid *= 10
	}
	if unit := realUnit(tables); unit > 0 && total/unit <= edit.MostCost {
		return 1, 1 / unit, true
	}
	return 1, edit.MostCost * rounded / total, false
}

// realUnit returns a number that all costs are whole multiples of, as far as floating-point numbers say, such as π/7 of
// costs that were multiplied by it; 0 where there is none.
func realUnit(tables []*Table) float64 {
	unit, most := 0.0, 0.0
	each := func(do func(cost float64) bool) bool {
		for _, t := range tables {
			for _, list := range [][]float64{t.Delete, t.Insert, t.Substitute} {
				for _, cost := range list {
					if !math.IsInf(cost, 0) && !do(cost) {
						return false
					}
				}
			}
		}
		return true
	}
	each(func(cost float64) bool { most = max(most, cost); return true })
	each(func(cost float64) bool {
		for cost > same*most {
			unit, cost = cost, math.Mod(unit, cost)
			if unit-cost < same*most { // a multiple, but for rounding
				cost = 0
			}
		}
		return true
	})
	if !(unit > same*most) {
		return 0
	}
	unit = most / math.Round(most/unit)
	if !each(func(cost float64) bool { return math.Abs(math.Round(cost/unit)-cost/unit) <= same*max(1, cost/unit) }) {
		return 0
	}
	return unit
}

// commonOf returns the greatest common divisor of all costs times grid, 0 where they are not whole.
func commonOf(grid float64, tables []*Table) int64 {
	common := int64(0)
	for _, t := range tables {
		for _, list := range [][]float64{t.Delete, t.Insert, t.Substitute} {
			for _, cost := range list {
				if math.IsInf(cost, 0) {
					continue
				}
				whole := math.Round(cost * grid)
				if math.Abs(whole-cost*grid) > same*max(1, whole) || whole > 1<<53 {
					return 0
				}
				common = divisor(common, int64(whole))
			}
		}
	}
	return max(common, 1)
}

func divisor(x, y int64) int64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

// An Edit is one of a path, with what it costs.
type Edit struct {
	edit.Change
	Cost float64
}

// Edits returns the edits that a map of nodes stands for, and their cost, which they add up to.
func (p *Problem) Edits(image []int) (edits []Edit, cost float64) {
	path, _ := p.Path(image)
	for _, c := range path {
		t := p.nodes
		var x, y int32
		if c.Edge {
			t = p.edges
			if c.First != edit.None {
				x = p.Graph1.Edges[c.First].Label
			}
			if c.Second != edit.None {
				y = p.Graph2.Edges[c.Second].Label
			}
		} else {
			if c.First != edit.None {
				x = p.Graph1.Nodes[c.First]
			}
			if c.Second != edit.None {
				y = p.Graph2.Nodes[c.Second]
			}
		}
		e := Edit{Change: c}
		switch {
		case c.Second == edit.None:
			e.Cost = t.Delete[x]
		case c.First == edit.None:
			e.Cost = t.Insert[y]
		default:
			e.Cost = t.Substitute[int(x)*len(t.Insert)+int(y)]
		}
		edits = append(edits, e)
		cost += e.Cost
	}
	return edits, cost
}

// Of returns what so many units cost.
func (p *Problem) Of(units int) float64 { return float64(units*int(p.common)) / p.grid }

// Units returns a cost in units, rounded down but for the error of a division.
func (p *Problem) Units(cost float64) int {
	const tiny = 1e-9
	return int(min(math.Floor(cost/p.Unit+tiny), edit.MostCost))
}

// Lower returns a bound in units as a cost that no edits have less than: where costs were rounded, less what that may
// have added.
func (p *Problem) Lower(units int) float64 {
	if p.Exact {
		return p.Of(units)
	}
	return max(0, (float64(units)-float64(p.Rounding())/2)*p.Unit)
}

// Rounding is how many units edits that cost the same may differ by, since their costs were rounded.
func (p *Problem) Rounding() int {
	if p.Exact {
		return 0
	}
	return len(p.Graph1.Nodes) + len(p.Graph2.Nodes) + len(p.Graph1.Edges) + len(p.Graph2.Edges)
}

// Most returns what deleting graph 1 and inserting graph 2 costs: no distance is more.
func (p *Problem) Most() float64 { return all(p.Graph1, p.Graph2, p.nodes, p.edges) }
