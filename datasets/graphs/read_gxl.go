package graphs

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReadGXL reads a graph of the Graph eXchange Language, as the benchmarks of edit distances have it. Nodes are called by
// their ids. Attributes of type int or float are numbers, those of type string, bool and enum words, without blanks
// around them; they are used as those of ReadGraphML are. The document type that such files name is not looked at, and
// none with entities is read. A graph is directed unless its edgemode says undirected.
//
// Format: Winter, Kullbach, Riediger, doi:10.1007/3-540-45875-1_25; collections of it: Riesen, Bunke,
// doi:10.1007/978-3-540-89689-0_33
func ReadGXL(r io.Reader) (Graph, error) { return exported(readGXL(r)) }

func readGXL(r io.Reader) (Graph, int, error) {
	g := gxl{builder: newBuilder(), elements: elements{decoder: xml.NewDecoder(r), namesType: true}, keys: map[string]*attributeKey{}}
	if line, err := g.read(&g); err != nil {
		return g.graph, line, err
	}
	if g.graphs == 0 {
		return g.graph, 1, errors.New("the file holds no graph element: want GXL")
	}
	whole, err := g.finish()
	return whole, 0, err
}

// gxl is a file that is being read.
type gxl struct {
	*builder
	elements
	keys   map[string]*attributeKey // by class, name and whether it is a number
	graphs int
	owner  int           // the open node or edge
	name   string        // of the open attribute
	key    *attributeKey // of the open value
	text   strings.Builder
}

// gxlTypes are those of values that are read.
var gxlTypes = []string{"int", "float", "string", "bool", "enum"}

// open reads the beginning of an element.
func (g *gxl) open(e xml.StartElement) error {
	switch kind := e.Name.Local; {
	case kind == "graph":
		if g.graphs++; g.graphs > 1 {
			return errors.New("a second graph: want one a file, without levels")
		}
		mode := attribute(e, "edgemode")
		g.graph.Directed = mode == "" || strings.HasSuffix(mode, "directed") && mode != "undirected" && mode != "defaultundirected"
	case kind == "rel":
		return errors.New("a relation: want edges of two nodes")
	case kind == "node":
		return g.openNode(e)
	case kind == "edge":
		return g.openEdge(e)
	case kind == "attr":
		g.name = attribute(e, "name")
	case slices.Contains(gxlTypes, kind) && g.within("attr"):
		return g.openValue(kind)
	}
	return nil
}

func (g *gxl) openNode(e xml.StartElement) (err error) {
	if slices.Contains(g.path, "node") {
		return errors.New("a node within a node: want a graph without levels")
	}
	g.owner, err = g.addNode(attribute(e, "id"))
	return err
}

func (g *gxl) openEdge(e xml.StartElement) (err error) {
	g.owner, err = g.addEdge(attribute(e, "from"), attribute(e, "to"))
	return err
}

// openValue begins the value of an attribute of a node or an edge; those of graphs are not read.
func (g *gxl) openValue(kind string) error {
	g.key = nil
	if len(g.path) < 2 {
		return nil
	}
	class := g.path[len(g.path)-2]
	if class != "node" && class != "edge" {
		return nil
	}
	if g.name == "" {
		return fmt.Errorf("an attribute of the %s has no name", class)
	}
	id := class + " " + kind + " " + g.name
	if g.keys[id] == nil {
		g.keys[id] = g.newKey(class, g.name, kind)
	}
	g.key = g.keys[id]
	g.text.Reset()
	return nil
}

// close reads the end of an element.
func (g *gxl) close(name string) error {
	if g.key == nil || !slices.Contains(gxlTypes, name) {
		return nil
	}
	key := g.key
	g.key = nil
	return key.set(g.owner, strings.TrimSpace(g.text.String()))
}

// characters reads text within an element.
func (g *gxl) characters(text []byte) {
	if g.key != nil {
		g.text.Write(text)
	}
}
