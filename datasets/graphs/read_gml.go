package graphs

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
)

// ReadGML reads a graph in the Graph Modelling Language, as networkx.write_gml, igraph
// and Gephi write it. Nodes are called by their labels where each has one of its own, and
// else by their ids; their numbers are features, words are equal or not. Of the edges
// weight is the weight, and other numbers can be (Graph.Weigh). Lists within a node or an
// edge, such as graphics, are left out.
//
// Format: https://en.wikipedia.org/wiki/Graph_Modelling_Language
func ReadGML(r io.Reader) (Graph, error) { return exported(readGML(r)) }

func readGML(r io.Reader) (Graph, int, error) {
	g := gml{builder: newBuilder(), in: bufio.NewReaderSize(r, 1<<16), line: 1}
	if err := g.read(); err != nil {
		return g.graph, g.line, err
	}
	whole, err := g.finish()
	return whole, 0, err
}

// gml is a file that is being read.
type gml struct {
	*builder
	in   *bufio.Reader
	line int
	word []byte
}

// mostGMLText is the longest word or text of a GML file.
const mostGMLText = 1 << 20

// gmlToken is a word, a text, a bracket, or the end of the file.
type gmlToken struct {
	kind byte // 'w', 't', '[', ']', or 0
	text string
}

// next returns the next token.
func (g *gml) next() (gmlToken, error) {
	for {
		c, err := g.in.ReadByte()
		switch {
		case err == io.EOF:
			return gmlToken{}, nil
		case err != nil:
			return gmlToken{}, err
		case c == '\n':
			g.line++
		case c == ' ' || c == '\t' || c == '\r':
		case c == '#':
			if _, err := g.until(func(c byte) bool { return c == '\n' }, false); err != nil {
				return gmlToken{}, err
			}
		case c == '[' || c == ']':
			return gmlToken{kind: c}, nil
		case c == '"':
			text, err := g.until(func(c byte) bool { return c == '"' }, true)
			return gmlToken{'t', html.UnescapeString(text)}, err
		default:
			g.in.UnreadByte()
			text, err := g.until(func(c byte) bool { return strings.IndexByte(" \t\r\n[]\"", c) >= 0 }, false)
			return gmlToken{'w', text}, err
		}
	}
}

// until returns what stands before a character; ended says that this must be there.
func (g *gml) until(end func(c byte) bool, ended bool) (string, error) {
	g.word = g.word[:0]
	for {
		c, err := g.in.ReadByte()
		switch {
		case err == io.EOF && !ended:
			return string(g.word), nil
		case err == io.EOF:
			return "", errors.New("the file ends within a text")
		case err != nil:
			return "", err
		case end(c):
			if !ended {
				return string(g.word), g.in.UnreadByte()
			}
			return string(g.word), nil
		case len(g.word) == mostGMLText:
			return "", fmt.Errorf("a text of more than %d characters", mostGMLText)
		case c == '\n':
			g.line++
		}
		g.word = append(g.word, c)
	}
}

// read reads the file: keys and values; the list graph counts.
func (g *gml) read() error {
	found := false
	err := g.entries(0, func(key string, value gmlToken) error {
		switch {
		case value.kind != '[':
			return nil
		case key != "graph":
			return g.skip()
		case found:
			return errors.New("a second graph: want one a file")
		}
		found = true
		return g.readGraph()
	})
	if err == nil && !found {
		err = errors.New("the file holds no graph: want GML, graph [ … ]")
	}
	return err
}

// entries calls take with keys and values up to an end: the bracket of the open list, or 0 of the
// file. A list as a value is taken whole by it.
func (g *gml) entries(end byte, take func(key string, value gmlToken) error) error {
	for {
		key, err := g.next()
		switch {
		case err != nil:
			return err
		case key.kind == end:
			return nil
		case key.kind == 0:
			return errors.New("the file ends within a list: want ]")
		case key.kind != 'w':
			return fmt.Errorf("%s: want a key, such as graph", shown(key))
		}
		value, err := g.next()
		if err == nil && (value.kind == 0 || value.kind == ']') {
			err = fmt.Errorf("the key %.40q has no value", key.text)
		}
		if err == nil {
			err = take(key.text, value)
		}
		if err != nil {
			return err
		}
	}
}

// skip reads the rest of the open list.
func (g *gml) skip() error {
	for depth := 1; depth > 0; {
		token, err := g.next()
		switch {
		case err != nil:
			return err
		case token.kind == 0:
			return errors.New("the file ends within a list: want ]")
		case token.kind == '[':
			depth++
		case token.kind == ']':
			depth--
		}
	}
	return nil
}

// shown is a token as errors show it.
func shown(t gmlToken) string {
	if t.kind == '[' || t.kind == ']' {
		return string(t.kind)
	}
	return fmt.Sprintf("%.40q", t.text)
}

// readGraph reads nodes and edges.
func (g *gml) readGraph() error {
	return g.entries(']', func(key string, value gmlToken) error {
		switch {
		case key == "node" && value.kind == '[':
			return g.readNode()
		case key == "edge" && value.kind == '[':
			return g.readEdge()
		case key == "directed":
			g.graph.Directed = value.text == "1"
		case value.kind == '[':
			return g.skip()
		}
		return nil
	})
}

// pair is an attribute of a node or edge.
type pair struct {
	name  string
	value gmlToken
}

// attributes reads those of the open list; the named ones it puts where they belong.
func (g *gml) attributes(named map[string]*string) ([]pair, error) {
	var others []pair
	err := g.entries(']', func(key string, value gmlToken) error {
		at, known := named[key]
		switch {
		case value.kind == '[':
			g.leaveOut("lists within nodes or edges are left out: " + strings.ToValidUTF8(fmt.Sprintf("%.40s", key), "?"))
			return g.skip()
		case known && *at != "":
			return fmt.Errorf("a second %s", key)
		case known:
			*at = value.text
		default:
			others = append(others, pair{key, value})
		}
		return nil
	})
	return others, err
}

// set takes over attributes.
func (a *attributes) setPairs(owner int, pairs []pair) error {
	for _, p := range pairs {
		set := a.set
		if p.value.kind == 't' {
			set = a.setWord
		}
		if err := set(p.name, owner, p.value.text); err != nil {
			return err
		}
	}
	return nil
}

func (g *gml) readNode() error {
	var id, label string
	others, err := g.attributes(map[string]*string{"id": &id, "label": &label})
	if err != nil {
		return err
	}
	number, err := g.addLabelled(id, label)
	if err != nil {
		return err
	}
	return g.node.setPairs(number, others)
}

func (g *gml) readEdge() error {
	var source, target string
	others, err := g.attributes(map[string]*string{"source": &source, "target": &target})
	if err != nil {
		return err
	}
	number, err := g.addEdge(source, target)
	if err != nil {
		return err
	}
	return g.edge.setPairs(number, others)
}
