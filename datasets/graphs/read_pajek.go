package graphs

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readPajek reads a network of Pajek (.net), as networkx.write_pajek and igraph write it: *Vertices
// and how many, one a line with its number from 1 and its label; *Edges or, with directions, *Arcs,
// two numbers and a weight (1) a line; *Edgeslist or *Arcslist, a vertex and its neighbours. Vertices
// are called by their labels where each has one of its own. Places and what belongs to a picture
// are left out.
//
// Format: http://mrvar.fdv.uni-lj.si/pajek/pajekman.pdf
func readPajek(r io.Reader) (Graph, int, error) {
	g := pajek{builder: newBuilder()}
	line, err := eachLine(r, func(_ int, text []byte) error {
		switch {
		case text[0] == '%':
			return nil
		case text[0] == '*':
			return g.section(text[1:])
		case g.step == nil:
			return fmt.Errorf("%.40q: want *Vertices and how many", text)
		}
		return g.step(text)
	})
	if err != nil {
		return g.graph, line, err
	}
	whole, err := g.finishPajek()
	return whole, 0, err
}

// pajek is a file that is being read.
type pajek struct {
	*builder
	step     func(line []byte) error // reads a line of the open section
	claimed  int                     // vertices
	vertices bool                    // are there
}

// section reads the line that opens one.
func (g *pajek) section(line []byte) error {
	name, rest := nextWord(line, &blanks)
	kind := strings.ToLower(string(name))
	if kind != "vertices" && kind != "network" && !g.vertices {
		return fmt.Errorf("*%.40s: want *Vertices first", name)
	}
	switch kind {
	case "network":
	case "vertices":
		count, _ := nextWord(rest, &blanks)
		n, err := strconv.Atoi(string(count))
		if err != nil || n < 0 || g.vertices {
			return fmt.Errorf("*Vertices %.20q: want how many, once a file", count)
		}
		g.claimed, g.vertices, g.step = n, true, g.readVertex
		g.graph.Edges = []Edge{}
	case "edges", "arcs":
		g.step = func(line []byte) error { return g.readEdge(line, kind == "arcs") }
	case "edgeslist", "arcslist":
		g.step = func(line []byte) error { return g.readNeighbours(line, kind == "arcslist") }
	case "matrix":
		return errors.New("*Matrix: want *Edges or *Arcs")
	default:
		g.leaveOut(fmt.Sprintf("the section *%.40s is left out", strings.ToValidUTF8(kind, "?")))
		g.step = func([]byte) error { return nil }
	}
	return nil
}

// vertex returns the number in the graph of a vertex, which may be new.
func (g *pajek) vertex(word []byte) (int, error) {
	if v := plainNumber(word); v < 1 || v > g.claimed {
		return 0, fmt.Errorf("the vertex %.20q: want a number from 1 to %d", word, g.claimed)
	}
	return g.nodeOf(word)
}

func (g *pajek) readVertex(line []byte) error {
	id, rest := nextWord(line, &blanks)
	label, more := nextWord(rest, &blanks)
	before := g.graph.Nodes
	if len(more) > 0 {
		g.leaveOut("places in a picture are not compared")
	}
	number, err := g.vertex(id)
	if err == nil && number < before {
		err = fmt.Errorf("a second vertex %s", id)
	}
	if err == nil && len(label) > 0 {
		g.setLabel(number, string(label))
	}
	return err
}

func (g *pajek) readEdge(line []byte, directed bool) error {
	source, rest := nextWord(line, &blanks)
	target, rest := nextWord(rest, &blanks)
	weight, more := nextWord(rest, &blanks)
	if err := g.join(source, target, directed); err != nil || len(weight) == 0 {
		return err
	}
	if len(more) > 0 {
		g.leaveOut("what follows the weights of edges is left out")
	}
	v, err := parseNumber(string(weight))
	if err != nil {
		return fmt.Errorf("the weight %.20q: %w", weight, err)
	}
	g.edge.of(WeightName).preset = "1"
	return g.edge.setNumber(WeightName, len(g.graph.Edges)-1, v)
}

// readNeighbours reads a vertex and its neighbours.
func (g *pajek) readNeighbours(line []byte, directed bool) error {
	source, rest := nextWord(line, &blanks)
	for len(rest) > 0 {
		var target []byte
		target, rest = nextWord(rest, &blanks)
		if err := g.join(source, target, directed); err != nil {
			return err
		}
	}
	return nil
}

// join adds an edge; all are of one kind.
func (g *pajek) join(source, target []byte, directed bool) error {
	if len(g.graph.Edges) > 0 && directed != g.graph.Directed {
		return errors.New("edges and arcs: want all of one kind")
	}
	g.graph.Directed = directed
	i, err := g.vertex(source)
	if err != nil {
		return err
	}
	j, err := g.vertex(target)
	g.graph.Edges = append(g.graph.Edges, Edge{i, j})
	return err
}

// finishPajek adds the vertices that have no line of their own.
func (g *pajek) finishPajek() (Graph, error) {
	const few = 1 << 12 // without either
	if g.claimed-g.graph.Nodes > few+8*len(g.graph.Edges) {
		return g.graph, fmt.Errorf("*Vertices %d, of which %d have lines or edges: want fewer without", g.claimed, g.graph.Nodes)
	}
	for v := range g.claimed {
		if _, err := g.nodeOf(strconv.AppendInt(nil, int64(v+1), 10)); err != nil {
			return g.graph, err
		}
	}
	whole, err := g.finish()
	whole.dropOnes()
	return whole, err
}
