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
// an attribute label or name where each has one of its own, and else by their ids. Of the attributes that are numbers, x, y and z of the nodes are their
// places and their others features, sorted by name; weight of the edges is their weight,
// and their others can be (Graph.Weigh). Attributes that are words or truth values are
// compared as equal or not. A place that some nodes have and others not, without a
// default, is an error.
//
// Document types, and with them entities, are refused; what the file claims to hold
// (parse.nodes) is not looked at.
//
// Format: http://graphml.graphdrawing.org/specification.html
func ReadGraphML(r io.Reader) (Graph, error) { return exported(readGraphML(r)) }

func readGraphML(r io.Reader) (Graph, int, error) {
	g := graphML{builder: newBuilder(), elements: elements{decoder: xml.NewDecoder(r)}, keys: map[string]*graphMLKey{}}
	if line, err := g.read(&g); err != nil {
		return g.graph, line, err
	}
	if g.graphs == 0 {
		return g.graph, 1, errors.New("the file holds no graph element: want GraphML")
	}
	whole, err := g.finish()
	return whole, 0, err
}

// graphML is a file that is being read.
type graphML struct {
	*builder
	elements
	keys   map[string]*graphMLKey
	graphs int
	owner  int         // the open node or edge
	key    *graphMLKey // of the open data or key element, nil of one that does not count
	text   strings.Builder
}

// graphMLKey is an attribute.
type graphMLKey struct {
	of       *gatherings
	name     string
	isNumber bool
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
		key := g.keys[attribute(e, "key")]
		if key != nil && (g.within("node") && key.of == &g.node || g.within("edge") && key.of == &g.edge) {
			g.key = key
		}
		g.text.Reset()
	case "default":
		g.text.Reset()
	}
	return nil
}

// openKey takes note of an attribute of nodes or edges.
func (g *graphML) openKey(e xml.StartElement) {
	g.key = nil
	owner, id, kind := attribute(e, "for"), attribute(e, "id"), attribute(e, "attr.type")
	of := map[string]*gatherings{"node": &g.node, "edge": &g.edge}[owner]
	if of == nil || g.keys[id] != nil || attribute(e, "attr.name") == "" {
		return
	}
	isNumber := slices.Contains([]string{"double", "float", "int", "long", "integer"}, kind)
	g.key = &graphMLKey{of, attribute(e, "attr.name"), isNumber}
	g.keys[id] = g.key
}

func (g *graphML) openNode(id string) (err error) {
	g.owner, err = g.addNode(id)
	return err
}

func (g *graphML) openEdge(e xml.StartElement) (err error) {
	g.owner, err = g.addEdge(attribute(e, "source"), attribute(e, "target"))
	return err
}

// close reads the end of an element.
func (g *graphML) close(name string) error {
	if name == "key" {
		g.key = nil
	}
	if name != "data" && name != "default" || g.key == nil {
		return nil
	}
	key, text := g.key, strings.TrimSpace(g.text.String())
	if key.isNumber {
		if _, err := parseNumber(text); err != nil {
			return fmt.Errorf("%.20q of the attribute %s: %w", text, key.name, err)
		}
	}
	if name == "default" {
		key.of.of(key.name).preset = text
		return nil
	}
	g.key = nil
	if key.isNumber {
		return key.of.set(key.name, g.owner, text)
	}
	return key.of.setWord(key.name, g.owner, text)
}

// characters reads text within an element.
func (g *graphML) characters(text []byte) {
	if g.key != nil && (g.within("data") || g.within("default")) {
		g.text.Write(text)
	}
}
