package graphs

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ReadGEXF reads a graph as Gephi and networkx.write_gexf write it. Nodes are called by
// their labels where each has one of its own, and else by their ids. Attributes are those
// of ReadGraphML, edges weigh what they say; places of nodes in a picture are left out,
// as are dates.
//
// Format: https://gexf.net/schema.html
func ReadGEXF(r io.Reader) (Graph, error) { return exported(readGEXF(r)) }

func readGEXF(r io.Reader) (Graph, int, error) {
	g := gexf{builder: newBuilder(), elements: elements{decoder: xml.NewDecoder(r)}, keys: map[string]*attributeKey{}}
	if line, err := g.read(&g); err != nil {
		return g.graph, line, err
	}
	if g.graphs == 0 {
		return g.graph, 1, errors.New("the file holds no graph element: want GEXF")
	}
	whole, err := g.finish()
	return whole, 0, err
}

// gexf is a file that is being read.
type gexf struct {
	*builder
	elements
	keys   map[string]*attributeKey // by class and id
	graphs int
	owner  int           // the open node or edge
	class  string        // of the open list of attributes
	key    *attributeKey // of the open attribute
	preset []byte
}

// open reads the beginning of an element.
func (g *gexf) open(e xml.StartElement) error {
	switch e.Name.Local {
	case "graph":
		if g.graphs++; g.graphs > 1 {
			return errors.New("a second graph: want one a file")
		}
		g.graph.Directed = attribute(e, "defaultedgetype") == "directed"
	case "attributes":
		g.class = attribute(e, "class")
	case "attribute":
		return g.openTitle(e)
	case "node":
		return g.openNode(e)
	case "edge":
		return g.openEdge(e)
	case "attvalue":
		return g.setValue(e)
	case "position":
		g.leaveOut("places in a picture are not compared")
	}
	return nil
}

func (g *gexf) openTitle(e xml.StartElement) error {
	id := g.class + " " + attribute(e, "id")
	g.key, g.preset = g.newKey(g.class, attribute(e, "title"), attribute(e, "type")), nil
	if g.key != nil && (g.keys[id] != nil || g.key.name == "") {
		return fmt.Errorf("attribute %.40q: want an id of its own and a title", attribute(e, "id"))
	}
	g.keys[id] = g.key
	return nil
}

func (g *gexf) openNode(e xml.StartElement) (err error) {
	if slices.Contains(g.path, "node") {
		return errors.New("a node within a node: want a graph without levels")
	}
	g.owner, err = g.addLabelled(attribute(e, "id"), attribute(e, "label"))
	return err
}

func (g *gexf) openEdge(e xml.StartElement) (err error) {
	if kind := attribute(e, "type"); kind == "directed" != g.graph.Directed && (kind == "directed" || kind == "undirected") {
		return fmt.Errorf("an edge that is %s, where the graph says otherwise: want all of one type", kind)
	}
	if g.owner, err = g.addEdge(attribute(e, "source"), attribute(e, "target")); err != nil {
		return err
	}
	// The format has weight 1 where an edge says none.
	if weight := attribute(e, WeightName); weight != "" {
		g.edge.of(WeightName).preset = "1"
		if _, err := parseNumber(weight); err != nil {
			return fmt.Errorf("the weight %.20q: %w", weight, err)
		}
		return g.edge.set(WeightName, g.owner, weight)
	}
	return nil
}

// setValue reads the value of an attribute of the open node or edge.
func (g *gexf) setValue(e xml.StartElement) error {
	class := "node"
	if slices.Contains(g.path, "edge") {
		class = "edge"
	}
	key := g.keys[class+" "+attribute(e, "for")]
	if key == nil || !slices.Contains(g.path, class) {
		return fmt.Errorf("a value for %.40q: want an attribute that is there", attribute(e, "for"))
	}
	return key.set(g.owner, attribute(e, "value"))
}

// close reads the end of an element.
func (g *gexf) close(name string) error {
	switch {
	case name == "attribute":
		g.key = nil
	case name == "default" && g.key != nil:
		return g.key.setPreset(string(g.preset))
	}
	return nil
}

// characters reads text within an element.
func (g *gexf) characters(text []byte) {
	if g.key != nil && g.within("default") {
		g.preset = append(g.preset, text...)
	}
}
