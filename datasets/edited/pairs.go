package edited

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets/costs"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// Pair is two graphs whose distance is known, or has a known upper bound: an object a line in files.
type Pair struct {
	ID     string  `json:"id"`
	Costs  string  `json:"cost"` // uniform, chem2 or protein
	Bin    string  `json:"bin"`  // what pairs are counted together
	Graph1 Graph   `json:"g1"`
	Graph2 Graph   `json:"g2"`
	Best   float64 `json:"best"` // cost of the best edits that are known
	Proved bool    `json:"proved"`
	Map    []int   `json:"map,omitempty"` // that costs Best: a node of Graph2 for each of Graph1, or -1
}

// mostNodes and mostEdges bound a graph of a pair, mostLine the bytes of a line.
const mostNodes, mostEdges, mostLine = 10_000, 1_000_000, 1 << 28

// Read reads pairs, one a line.
func Read(r io.Reader) ([]Pair, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, mostLine)
	var all []Pair
	number := 1
	for ; lines.Scan(); number++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		var p Pair
		err := json.Unmarshal(text, &p)
		if err == nil {
			err = p.check()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, p)
	}
	switch err := lines.Err(); {
	case err != nil:
		return nil, fmt.Errorf("line %d: %w", number, err)
	case len(all) == 0:
		return nil, errors.New("no pairs: want an object with g1 and g2 a line")
	}
	return all, nil
}

func (p *Pair) check() error {
	if !(p.Best >= 0) {
		return fmt.Errorf("best %v: want a cost of at least 0", p.Best)
	}
	for k, g := range []*Graph{&p.Graph1, &p.Graph2} {
		if err := g.check(); err != nil {
			return fmt.Errorf("g%d: %w", k+1, err)
		}
	}
	if p.Map != nil {
		if err := CheckMap(p.Map, len(p.Graph1.Nodes), len(p.Graph2.Nodes)); err != nil {
			return fmt.Errorf("map: %w", err)
		}
	}
	return nil
}

// CheckMap returns an error unless each of so many nodes goes to one of others, or to -1, no two to one.
func CheckMap(image []int, nodes, others int) error {
	if len(image) != nodes {
		return fmt.Errorf("%d entries for %d nodes", len(image), nodes)
	}
	has := make([]bool, others)
	for i, a := range image {
		if a < -1 || a >= others || a >= 0 && has[a] {
			return fmt.Errorf("node %d goes to %d: want -1, or a node below %d to which no other goes", i, a, others)
		}
		if a >= 0 {
			has[a] = true
		}
	}
	return nil
}

func (g *Graph) check() error {
	if n := len(g.Nodes); n < 1 || n > mostNodes || len(g.Edges) > mostEdges {
		return fmt.Errorf("%d nodes and %d edges: want from 1 to %d nodes and at most %d edges", n, len(g.Edges), mostNodes, mostEdges)
	}
	has := map[[2]int]bool{}
	for k, e := range g.Edges {
		ends := [2]int{e.I, e.J}
		if !g.Directed {
			ends = [2]int{min(e.I, e.J), max(e.I, e.J)}
		}
		if min(e.I, e.J) < 0 || max(e.I, e.J) >= len(g.Nodes) || e.I == e.J || has[ends] {
			return fmt.Errorf("edge %d joins %d and %d: want two nodes below %d, joined once", k, e.I, e.J, len(g.Nodes))
		}
		has[ends] = true
	}
	return nil
}

// UnmarshalJSON reads a list of two nodes and a label, a word or a number.
func (e *Edge) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) != 3 {
		return fmt.Errorf("the edge %.40s: want [node, node, label]", text)
	}
	if err := errors.Join(json.Unmarshal(parts[0], &e.I), json.Unmarshal(parts[1], &e.J)); err != nil {
		return fmt.Errorf("the edge %.40s: want numbers of nodes: %w", text, err)
	}
	if json.Unmarshal(parts[2], &e.Label) == nil {
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(parts[2], &number); err != nil {
		return fmt.Errorf("the edge %.40s: want a word or a number as its label", text)
	}
	e.Label = number.String()
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (e Edge) MarshalJSON() ([]byte, error) { return json.Marshal([]any{e.I, e.J, e.Label}) }

// Measured returns a graph as files have it, whose attributes the costs of the pair compare: protein parts the label of a
// node into type and sequence.
func (g *Graph) Measured(costs string) (*graphs.Graph, error) {
	of := &graphs.Graph{Nodes: len(g.Nodes), Directed: g.Directed, Edges: []graphs.Edge{}}
	var labels []string
	for _, e := range g.Edges {
		of.Edges = append(of.Edges, graphs.Edge{I: e.I, J: e.J})
		labels = append(labels, e.Label)
	}
	words := func(name string, values []string) []graphs.Attribute[string] {
		for _, v := range values {
			if v != "" {
				return []graphs.Attribute[string]{{Name: name, Values: values}}
			}
		}
		return nil
	}
	of.NodeWords, of.EdgeWords = words("label", g.Nodes), words("label", labels)
	if costs == "protein" {
		types, sequences := make([]string, of.Nodes), make([]string, of.Nodes)
		for i, label := range g.Nodes {
			types[i], sequences[i], _ = strings.Cut(label, ":")
		}
		of.NodeWords = append(words("type", types), words("sequence", sequences)...)
	}
	return of, of.Normalise()
}

// WriteNodeLink writes a graph as graphs.ReadNodeLink reads it, its labels as symbol of nodes and bond of edges.
func (g *Graph) WriteNodeLink(w io.Writer) error {
	type object map[string]any
	nodes, links := []object{}, []object{}
	labelled := func(o object, name, label string) object {
		if number, err := strconv.Atoi(label); err == nil {
			o[name] = number
		} else if label != "" {
			o[name] = label
		}
		return o
	}
	for i, label := range g.Nodes {
		nodes = append(nodes, labelled(object{"id": i}, "symbol", label))
	}
	for _, e := range g.Edges {
		links = append(links, labelled(object{"source": e.I, "target": e.J}, "bond", e.Label))
	}
	return json.NewEncoder(w).Encode(object{"directed": g.Directed, "nodes": nodes, "links": links})
}

// Cost returns what the edits cost that a map of the nodes stands for, by the costs of the pair.
func (p *Pair) Cost(image []int) (float64, error) {
	if err := CheckMap(image, len(p.Graph1.Nodes), len(p.Graph2.Nodes)); err != nil {
		return 0, err
	}
	model, err := costs.Named(p.Costs)
	if err != nil {
		return 0, err
	}
	g1, err1 := p.Graph1.Measured(p.Costs)
	g2, err2 := p.Graph2.Measured(p.Costs)
	if err := errors.Join(err1, err2); err != nil {
		return 0, err
	}
	c, err := model.Collect(g1, g2)
	if err != nil {
		return 0, err
	}
	problem, err := c.Problem(0, 1)
	if err != nil {
		return 0, err
	}
	_, cost := problem.Edits(image)
	return cost, nil
}
