package graphs

import (
	"encoding/xml"
	"errors"
	"io"
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
	g := graphML{builder: newBuilder(), elements: elements{decoder: xml.NewDecoder(r)}, keys: map[string]*attributeKey{}}
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
	keys   map[string]*attributeKey
	graphs int
	owner  int           // the open node or edge
	key    *attributeKey // of the open data or key element, nil of one that does not count
	text   strings.Builder
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
	id, name := attribute(e, "id"), attribute(e, "attr.name")
	if g.keys[id] == nil && name != "" {
		g.key = g.newKey(attribute(e, "for"), name, attribute(e, "attr.type"))
		g.keys[id] = g.key
	}
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
	if name == "default" {
		return key.setPreset(text)
	}
	g.key = nil
	return key.set(g.owner, text)
}

// characters reads text within an element.
func (g *graphML) characters(text []byte) {
	if g.key != nil && (g.within("data") || g.within("default")) {
		g.text.Write(text)
	}
}
