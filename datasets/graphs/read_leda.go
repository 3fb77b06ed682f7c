package graphs

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadLEDA reads a graph in LEDA's format (.gw, .lgr), in which networks of proteins are
// kept. Nodes are called by their texts |{…}| where each has one of its own. What edges
// carry is their weight where it is a number, and not the same of all, and else words.
//
// Format: https://www.algorithmic-solutions.info/leda_guide/graphs/leda_native_graph_fileformat.html
func ReadLEDA(r io.Reader) (Graph, error) { return exported(readLEDA(r)) }

func readLEDA(r io.Reader) (Graph, int, error) {
	g := leda{builder: newBuilder()}
	line, err := eachLine(r, func(_ int, text []byte) error {
		if text[0] == '#' {
			return nil
		}
		return g.take(string(text))
	})
	if err == nil && !g.ended {
		err = errors.New("the file ends before all of its nodes and edges: want LEDA.GRAPH, the types of nodes and edges, -1 or -2, the number of nodes, these, the number of edges, these")
	}
	if err != nil {
		return g.graph, max(line, 1), err
	}
	whole, err := g.finishLEDA()
	return whole, 0, err
}

// leda is a file that is being read, line by line.
type leda struct {
	*builder
	step  func(text string) error // reads the next line
	left  int                     // nodes or edges that are still to come
	edges string                  // their type
	ended bool
}

// take reads a line.
func (g *leda) take(text string) error {
	if g.step == nil {
		g.step = g.head
	}
	return g.step(text)
}

func (g *leda) head(text string) error {
	if text != "LEDA.GRAPH" {
		return fmt.Errorf("%.40q: want LEDA.GRAPH", text)
	}
	g.step = func(string) error { // the type of nodes
		g.step = func(text string) error {
			g.edges = text
			g.step = g.direction
			return nil
		}
		return nil
	}
	return nil
}

// direction reads -1 or -2; old files have the number of nodes there.
func (g *leda) direction(text string) error {
	g.step = g.nodeCount
	switch text {
	case "-1":
		g.graph.Directed = true
		return nil
	case "-2":
		return nil
	}
	g.graph.Directed = true
	return g.nodeCount(text)
}

func (g *leda) count(text, of string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("%.40q: want the number of %s", text, of)
	}
	g.left = n
	return nil
}

func (g *leda) nodeCount(text string) error {
	g.step = g.readNode
	err := g.count(text, "nodes")
	if g.left == 0 {
		g.step = g.edgeCount
	}
	return err
}

func (g *leda) readNode(text string) error {
	label, err := unwrapped(text)
	if err != nil {
		return err
	}
	if _, err := g.addLabelled(strconv.Itoa(g.graph.Nodes+1), label); err != nil {
		return err
	}
	if g.left--; g.left == 0 {
		g.step = g.edgeCount
	}
	return nil
}

func (g *leda) edgeCount(text string) error {
	g.graph.Edges = []Edge{}
	g.step = g.readEdge
	err := g.count(text, "edges")
	g.ended = g.left == 0
	return err
}

func (g *leda) readEdge(text string) error {
	if g.left == 0 {
		return nil // what follows the edges, such as places in a window
	}
	source, rest, _ := strings.Cut(text, " ")
	target, rest, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	_, rest, labelled := strings.Cut(strings.TrimLeft(rest, " "), " ") // after the number of the edge in the other direction
	number, err := g.addEdge(source, target)
	if err != nil {
		return fmt.Errorf("an edge %.40q: want the numbers of two nodes from 1 to %d, 0 and |{…}|", text, g.graph.Nodes)
	}
	if labelled {
		label, err := unwrapped(strings.TrimSpace(rest))
		if err != nil {
			return err
		}
		if label != "" {
			if err := g.edge.set(ledaLabel, number, label); err != nil {
				return err
			}
		}
	}
	g.left--
	g.ended = g.left == 0
	return nil
}

// ledaLabel is what edges carry, which has no name in the file.
const ledaLabel = "label"

// unwrapped returns what stands between |{ and }|.
func unwrapped(text string) (string, error) {
	inner, opened := strings.CutPrefix(text, "|{")
	inner, closed := strings.CutSuffix(inner, "}|")
	if !opened || !closed {
		return "", fmt.Errorf("%.40q: want |{ … }|", text)
	}
	return strings.TrimSpace(inner), nil
}

// finishLEDA returns the graph; numbers of edges that differ are weights.
func (g *leda) finishLEDA() (Graph, error) {
	whole, err := g.finish()
	if err != nil {
		return whole, err
	}
	for _, a := range whole.EdgeNumbers {
		differ := slices.ContainsFunc(a.Values, func(v float64) bool { return v != a.Values[0] })
		if differ && !slices.ContainsFunc(a.Values, math.IsNaN) {
			whole.Weights = a.Values
		}
	}
	whole.EdgeNumbers = nil
	return whole, nil
}
