package graphs

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReadGraphML reads a graph as networkx.write_graphml writes it. Nodes are called by
// their ids. Of the attributes that are numbers, x, y and z of the nodes are their
// places, their others are features, sorted by name, and weight of the edges
// is their weight; other attributes of edges are left out. An attribute that some nodes
// have and others not, without a default, is an error.
//
// Document types, and with them entities, are refused; what the file claims to hold
// (parse.nodes) is not looked at.
//
// Format: http://graphml.graphdrawing.org/specification.html
func ReadGraphML(r io.Reader) (Graph, error) { return exported(readGraphML(r)) }

func readGraphML(r io.Reader) (Graph, int, error) {
	g := graphML{decoder: xml.NewDecoder(r), nodes: map[string]int{}, keys: map[string]*graphMLKey{}}
	if err := g.read(); err != nil {
		line, _ := g.decoder.InputPos()
		var malformed *xml.SyntaxError
		if errors.As(err, &malformed) {
			line, err = malformed.Line, errors.New(malformed.Msg)
		}
		return g.graph, line, err
	}
	if err := g.collect(); err != nil {
		return g.graph, 0, err
	}
	g.graph.byNumber()
	return g.graph, 0, nil
}

// graphML is a file that is being read.
type graphML struct {
	decoder *xml.Decoder
	graph   Graph
	nodes   map[string]int
	keys    map[string]*graphMLKey
	order   []*graphMLKey

	graphs int
	path   []string    // of the open elements
	owner  int         // the open node or edge
	key    *graphMLKey // of the open data or key element, nil of one that does not count
	text   strings.Builder
}

// graphMLKey is an attribute that is a number.
type graphMLKey struct {
	name   string
	ofEdge bool
	values map[int]float64 // of nodes or edges
	preset *float64        // the default
}

func (g *graphML) read() error {
	const deepest = 16 // elements within elements
	for {
		token, err := g.decoder.Token()
		if err == io.EOF {
			if g.graphs == 0 {
				return errors.New("the file holds no graph element: want GraphML")
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.Directive:
			return errors.New("document types and entities are not read: leave <!DOCTYPE …> out")
		case xml.StartElement:
			if len(g.path) == deepest {
				return fmt.Errorf("more than %d elements within each other", deepest)
			}
			err = g.open(token)
			g.path = append(g.path, token.Name.Local)
		case xml.CharData:
			if g.key != nil && (g.within("data") || g.within("default")) {
				g.text.Write(token)
			}
		case xml.EndElement:
			g.path = g.path[:len(g.path)-1]
			err = g.close(token.Name.Local)
		}
		if err != nil {
			return err
		}
	}
}

// within tells whether the innermost open element has a name.
func (g *graphML) within(name string) bool {
	return len(g.path) > 0 && g.path[len(g.path)-1] == name
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// open reads the beginning of an element.
func (g *graphML) open(e xml.StartElement) error {
	switch e.Name.Local {
	case "key":
		g.openKey(e)
	case "graph":
		if g.graphs++; g.graphs > 1 {
			return errors.New("a second graph: want one a file")
		}
		g.graph.Directed = attribute(e, "edgedefault") == "directed"
	case "node":
		return g.openNode(attribute(e, "id"))
	case "edge":
		return g.openEdge(e)
	case "hyperedge":
		return errors.New("a hyperedge: want edges of two nodes")
	case "data":
		g.key = nil
		if key := g.keys[attribute(e, "key")]; key != nil && (g.within("node") || g.within("edge")) && key.ofEdge == g.within("edge") {
			g.key = key
		}
		g.text.Reset()
	case "default":
		g.text.Reset()
	}
	return nil
}

// openKey takes note of an attribute of nodes or edges that is a number.
func (g *graphML) openKey(e xml.StartElement) {
	g.key = nil
	owner, id := attribute(e, "for"), attribute(e, "id")
	isNumber := slices.Contains([]string{"double", "float", "int", "long", "integer"}, attribute(e, "attr.type"))
	if !isNumber || owner != "node" && owner != "edge" || g.keys[id] != nil {
		return
	}
	g.key = &graphMLKey{name: attribute(e, "attr.name"), ofEdge: owner == "edge", values: map[int]float64{}}
	g.keys[id] = g.key
	g.order = append(g.order, g.key)
}

func (g *graphML) openNode(id string) error {
	if _, known := g.nodes[id]; known || id == "" {
		return fmt.Errorf("node %.40q: want an id that no other node has", id)
	}
	if g.graph.Nodes == maxNodes {
		return fmt.Errorf("more than %d nodes", maxNodes)
	}
	g.owner = g.graph.Nodes
	g.nodes[id] = g.owner
	g.graph.Names = append(g.graph.Names, id)
	g.graph.Nodes++
	return nil
}

func (g *graphML) openEdge(e xml.StartElement) error {
	source, target := attribute(e, "source"), attribute(e, "target")
	i, ok1 := g.nodes[source]
	j, ok2 := g.nodes[target]
	if !ok1 || !ok2 {
		return fmt.Errorf("an edge from %.40q to %.40q: want nodes that come before it", source, target)
	}
	g.owner = len(g.graph.Edges)
	g.graph.Edges = append(g.graph.Edges, Edge{i, j})
	return g.graph.checkEdge(Edge{i, j})
}

// close reads the end of an element.
func (g *graphML) close(name string) error {
	if name == "key" {
		g.key = nil
	}
	if name != "data" && name != "default" || g.key == nil {
		return nil
	}
	text := strings.TrimSpace(g.text.String())
	v, err := parseNumber(text)
	if err != nil {
		return fmt.Errorf("%.20q of the attribute %s: %w", text, g.key.name, err)
	}
	if name == "default" {
		g.key.preset = &v
	} else {
		g.key.values[g.owner] = v
		g.key = nil
	}
	return nil
}

// maxNumbers bounds the numbers of a graph: a default is one for every node.
const maxNumbers = 1 << 24

// collect makes places, features and weights of the attributes.
func (g *graphML) collect() error {
	place := func(name string) bool { return slices.Contains([]string{"x", "y", "z"}, name) }
	places := slices.DeleteFunc(slices.Clone(g.order), func(k *graphMLKey) bool { return !place(k.name) })
	slices.SortStableFunc(places, func(k, l *graphMLKey) int { return strings.Compare(k.name, l.name) })
	others := slices.DeleteFunc(g.order, func(k *graphMLKey) bool { return place(k.name) })
	slices.SortStableFunc(others, func(k, l *graphMLKey) int { return strings.Compare(k.name, l.name) })
	numbers := 0
	for _, key := range slices.Concat(places, others) {
		owners := g.graph.Nodes
		if key.ofEdge {
			owners = len(g.graph.Edges)
		}
		if len(key.values) == 0 && key.preset == nil || owners == 0 || key.ofEdge && key.name != "weight" {
			continue
		}
		if numbers += owners; numbers > maxNumbers {
			return fmt.Errorf("more than %d numbers, with those that are defaults", maxNumbers)
		}
		for k := range owners {
			v, ok := key.values[k]
			switch {
			case !ok && key.preset == nil && key.ofEdge:
				return fmt.Errorf("edge %d has no %s, which others have", k, key.name)
			case !ok && key.preset == nil:
				return fmt.Errorf("node %s has no %s, which others have", g.graph.NodeName(k), key.name)
			case !ok:
				v = *key.preset
			}
			switch {
			case key.ofEdge:
				g.graph.Weights = append(g.graph.Weights, v)
			case place(key.name) && !key.ofEdge:
				g.graph.Points = appendTo(g.graph.Points, owners, k, v)
			default:
				g.graph.Features = appendTo(g.graph.Features, owners, k, v)
			}
		}
	}
	return nil
}

// appendTo appends a number to the vector of one of so many owners.
func appendTo(vectors [][]float64, owners, k int, v float64) [][]float64 {
	if vectors == nil {
		vectors = make([][]float64, owners)
	}
	vectors[k] = append(vectors[k], v)
	return vectors
}
