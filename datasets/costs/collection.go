package costs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap/edit"
)

// Collection is graphs under a model.
type Collection struct {
	model        Model
	graphs       []*edit.Graph
	nodes, edges labels
	shared       *Problem // tables of all labels, nil where there are too many
}

// labels are the different nodes of all graphs, or edges.
type labels struct {
	element  *Element
	values   [][]value
	number   map[string]int32
	measured map[string]bool // names of numbers that have fractions, in any graph
}

func newLabels(e *Element) labels {
	return labels{element: e, number: map[string]int32{}, measured: map[string]bool{}}
}

// mostShared is up to how many labels of nodes and edges one table serves all pairs.
const mostShared = 512

// Collect returns graphs under a model.
func (m Model) Collect(gs ...*graphs.Graph) (*Collection, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	c := &Collection{model: m}
	c.nodes, c.edges = newLabels(&c.model.Nodes), newLabels(&c.model.Edges)
	for _, g := range gs {
		nodes, edges := nodesOf(g), edgesOf(g)
		nodes.noteMeasured(c.nodes.measured)
		edges.noteMeasured(c.edges.measured)
	}
	for k, g := range gs {
		if err := c.add(g); err != nil {
			name := g.Name
			if name == "" {
				name = fmt.Sprintf("graph %d", k+1)
			}
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, c.share()
}

// Len returns how many graphs there are.
func (c *Collection) Len() int { return len(c.graphs) }

// Graph returns a graph with numbers for labels.
func (c *Collection) Graph(k int) *edit.Graph { return c.graphs[k] }

func (c *Collection) add(g *graphs.Graph) error {
	of := &edit.Graph{Directed: g.Directed}
	nodes, edges := nodesOf(g), edgesOf(g)
	var err error
	if of.Nodes, err = c.nodes.of(&nodes); err != nil {
		return err
	}
	numbers, err := c.edges.of(&edges)
	if err != nil {
		return err
	}
	for k, e := range g.Edges {
		of.Edges = append(of.Edges, edit.Edge{From: int32(e.I), To: int32(e.J), Label: numbers[k]})
	}
	c.graphs = append(c.graphs, of)
	return nil
}

// of returns the number of each element's label.
func (l *labels) of(s *source) ([]int32, error) {
	columns, err := l.element.columns(s, l.measured)
	if err != nil {
		return nil, err
	}
	numbers := make([]int32, s.count)
	var key strings.Builder
	for k := range numbers {
		key.Reset()
		values := make([]value, len(columns))
		for c, column := range columns {
			values[c] = column(k)
			fmt.Fprintf(&key, "%v%q", values[c].given, values[c].word)
		}
		number, known := l.number[key.String()]
		if !known {
			number = int32(len(l.values))
			l.number[key.String()] = number
			l.values = append(l.values, values)
		}
		numbers[k] = number
	}
	return numbers, nil
}

// table returns the costs between labels of two graphs.
func (l *labels) table(first, second []int32) (*Table, error) {
	t := &Table{}
	for _, x := range first {
		t.Delete = append(t.Delete, l.element.alone(l.element.Delete, l.values[x]))
	}
	for _, y := range second {
		t.Insert = append(t.Insert, l.element.alone(l.element.Insert, l.values[y]))
	}
	for _, x := range first {
		for _, y := range second {
			cost, err := l.element.substitute(l.values[x], l.values[y])
			if err != nil {
				return nil, err
			}
			t.Substitute = append(t.Substitute, cost)
		}
	}
	return t, nil
}

// share makes tables for all pairs, where there are few labels.
func (c *Collection) share() error {
	if len(c.nodes.values) > mostShared || len(c.edges.values) > mostShared {
		return nil
	}
	every := func(l *labels) (*Table, error) {
		numbers := make([]int32, len(l.values))
		for k := range numbers {
			numbers[k] = int32(k)
		}
		return l.table(numbers, numbers)
	}
	nodes, err := every(&c.nodes)
	if err != nil {
		return err
	}
	edges, err := every(&c.edges)
	if err != nil {
		return err
	}
	largest, most := &edit.Graph{}, -1.0
	for _, g := range c.graphs {
		if size := all(g, g, nodes, edges); size > most {
			largest, most = g, size
		}
	}
	if c.shared, err = NewProblem(largest, largest, nodes, edges); err != nil {
		return err
	}
	return errors.Join(c.shared.Nodes.Check(), c.shared.Edges.Check())
}

// Problem returns the problem of two of the graphs.
func (c *Collection) Problem(i, j int) (*Problem, error) {
	if c.shared != nil {
		p := *c.shared
		p.Graph1, p.Graph2 = c.graphs[i], c.graphs[j]
		return &p, nil
	}
	first, second := newLocal(), newLocal()
	g1, g2 := first.graph(c.graphs[i]), second.graph(c.graphs[j])
	nodes, err := c.nodes.table(first.nodes.labels, second.nodes.labels)
	if err != nil {
		return nil, err
	}
	edges, err := c.edges.table(first.edges.labels, second.edges.labels)
	if err != nil {
		return nil, err
	}
	return NewProblem(g1, g2, nodes, edges)
}

// local gives the labels of some graphs numbers that count from 0.
type local struct{ nodes, edges numbering }

// numbering has the labels by their numbers, and the numbers by the labels.
type numbering struct {
	labels []int32
	number map[int32]int32
}

func newLocal() *local {
	return &local{numbering{number: map[int32]int32{}}, numbering{number: map[int32]int32{}}}
}

func (n *numbering) of(label int32) int32 {
	k, has := n.number[label]
	if !has {
		k = int32(len(n.labels))
		n.number[label] = k
		n.labels = append(n.labels, label)
	}
	return k
}

// graph returns a graph with the numbers for labels.
func (l *local) graph(g *edit.Graph) *edit.Graph {
	of := &edit.Graph{Directed: g.Directed}
	for _, label := range g.Nodes {
		of.Nodes = append(of.Nodes, l.nodes.of(label))
	}
	for _, e := range g.Edges {
		of.Edges = append(of.Edges, edit.Edge{From: e.From, To: e.To, Label: l.edges.of(e.Label)})
	}
	return of
}
