package graphs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// ReadNodeLink reads a graph as networkx.node_link_data gives it and as D3 takes it: an
// object with lists nodes and links, or edges. Ends of links are ids of nodes, or their
// numbers from 0 where nodes have no ids. Attributes are those of ReadGraphML; lists and
// objects within a node or link are left out. Nodes that all have a place, and no links, are
// points without edges.
func ReadNodeLink(r io.Reader) (Graph, error) { return exported(readNodeLink(r)) }

func readNodeLink(r io.Reader) (Graph, int, error) {
	lines := &lineCounter{r: r}
	g := nodeLink{builder: newBuilder(), in: json.NewDecoder(lines)}
	g.in.UseNumber()
	lines.done = g.in.InputOffset
	err := g.read()
	if err == nil {
		err = g.join()
	}
	if err != nil {
		return g.graph, lines.at(g.in.InputOffset()), plainJSON(err)
	}
	if g.byPlace {
		g.graph.Names = nil
	}
	whole, err := g.finish()
	if len(whole.Edges) == 0 && whole.Points != nil {
		whole.Edges = nil // points alone: edges are chosen
	}
	return whole, 0, err
}

// lineCounter says in which line a byte is that its reader has not yet done with.
type lineCounter struct {
	r      io.Reader
	done   func() int64 // how many bytes
	read   int64
	before int     // lines that end before ends
	ends   []int64 // of the lines after that
}

func (l *lineCounter) Read(p []byte) (int, error) {
	gone, _ := slices.BinarySearch(l.ends, l.done())
	l.before, l.ends = l.before+gone, slices.Delete(l.ends, 0, gone)
	n, err := l.r.Read(p)
	for k, c := range p[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.read+int64(k))
		}
	}
	l.read += int64(n)
	return n, err
}

// at returns the line of an offset, from 1.
func (l *lineCounter) at(offset int64) int {
	after, _ := slices.BinarySearch(l.ends, offset)
	return l.before + after + 1
}

// plainJSON says what is wrong with a text that is no JSON.
func plainJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends before its JSON does")
	}
	return err
}

// nodeLink is a file that is being read.
type nodeLink struct {
	*builder
	in      *json.Decoder
	ends    [][2]string // of the links: their nodes may come after them
	byPlace bool        // nodes have no ids
}

// deepestJSON is how many lists and objects may be within each other.
const deepestJSON = 32

// delimiter reads one of the characters [ ] { }.
func (g *nodeLink) delimiter(want json.Delim, where string) error {
	token, err := g.in.Token()
	if err == nil && token != want {
		err = fmt.Errorf("%s: want %v, have %.40s", where, want, fmt.Sprint(token))
	}
	return err
}

// fields calls take with the keys of the object that begins here.
func (g *nodeLink) fields(where string, take func(key string) error) error {
	if err := g.delimiter('{', where); err != nil {
		return err
	}
	for g.in.More() {
		token, err := g.in.Token()
		key, isText := token.(string)
		switch {
		case err != nil:
			return err
		case !isText:
			return fmt.Errorf("%s: want a key, have %.40s", where, fmt.Sprint(token))
		}
		if err := take(key); err != nil {
			return err
		}
	}
	return g.delimiter('}', where)
}

// read reads the file.
func (g *nodeLink) read() error {
	found := map[string]bool{}
	err := g.fields("the file", func(key string) error {
		if key == "edges" {
			key = "links"
		}
		if (key == "nodes" || key == "links") && found[key] {
			return fmt.Errorf("a second list of %s", key)
		}
		found[key] = true
		switch key {
		case "nodes":
			return g.list(key, g.readNode)
		case "links":
			g.graph.Edges = []Edge{}
			return g.list(key, g.readLink)
		case "directed":
			value, err := g.in.Token()
			if delim, open := value.(json.Delim); open {
				return fmt.Errorf("directed: want true or false, have %v", delim)
			}
			g.graph.Directed = value == true
			return err
		}
		return g.skip()
	})
	switch {
	case err != nil:
		return err
	case !found["nodes"] || !found["links"]:
		return errors.New("want an object with the lists nodes and links, or edges, as networkx.node_link_data gives it")
	}
	if _, err := g.in.Token(); err != io.EOF {
		return errors.New("something follows after the graph: want the end of the file")
	}
	return nil
}

// list reads a list of objects.
func (g *nodeLink) list(name string, read func() error) error {
	if err := g.delimiter('[', name); err != nil {
		return err
	}
	for g.in.More() {
		if err := read(); err != nil {
			return err
		}
	}
	return g.delimiter(']', name)
}

// skip reads a value that does not count.
func (g *nodeLink) skip() error {
	for depth := 0; ; {
		token, err := g.in.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			if depth++; depth > deepestJSON {
				return fmt.Errorf("more than %d lists and objects within each other", deepestJSON)
			}
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// value reads a value that is no list and no object, as text; of those, and of null, it
// says that there is none.
func (g *nodeLink) value(key string) (text string, isWord, found bool, err error) {
	raw, err := g.in.Token()
	switch value := raw.(type) {
	case json.Delim:
		g.leaveOut(fmt.Sprintf("lists and objects within nodes or links are left out: %.40q", key))
		return "", false, false, g.skipRest()
	case string:
		return value, true, true, err
	case json.Number:
		return value.String(), false, true, err
	case bool:
		return strconv.FormatBool(value), true, true, err
	}
	return "", false, false, err
}

// skipRest reads the rest of a list or object that is open.
func (g *nodeLink) skipRest() error {
	for g.in.More() {
		if err := g.skip(); err != nil {
			return err
		}
	}
	_, err := g.in.Token()
	return err
}

// attributes reads an object; the named ones it puts where they belong, and the others it
// gives to take.
func (g *nodeLink) attributes(where string, named map[string]*string, take func(name, text string, isWord bool) error) error {
	return g.fields(where, func(key string) error {
		text, isWord, found, err := g.value(key)
		if err != nil || !found {
			return err
		}
		if at, known := named[key]; known {
			*at = text
			return nil
		}
		return take(key, text, isWord)
	})
}

// setJSON takes over an attribute.
func (a *attributes) setJSON(name string, owner int, text string, isWord bool) error {
	if isWord {
		return a.setWord(name, owner, text)
	}
	return a.set(name, owner, text)
}

func (g *nodeLink) readNode() error {
	number := g.graph.Nodes // the id may come last
	var id string
	named := map[string]*string{"id": &id}
	err := g.attributes("a node", named, func(name, text string, isWord bool) error {
		return g.node.setJSON(name, number, text, isWord)
	})
	if err != nil {
		return err
	}
	if number > 0 && g.byPlace != (id == "") {
		return errors.New("some nodes have an id and others none")
	}
	if id == "" {
		g.byPlace = true
		id = strconv.Itoa(number)
	}
	_, err = g.addNode(id)
	return err
}

func (g *nodeLink) readLink() error {
	number := len(g.ends)
	var ends [2]string
	var key string // of one of several links between two nodes
	named := map[string]*string{"source": &ends[0], "target": &ends[1], "key": &key, "id": &key}
	err := g.attributes("a link", named, func(name, text string, isWord bool) error {
		return g.edge.setJSON(name, number, text, isWord)
	})
	g.ends = append(g.ends, ends)
	return err
}

// join makes the edges, once all nodes are known.
func (g *nodeLink) join() error {
	for k, ends := range g.ends {
		i, ok1 := g.numberOf([]byte(ends[0]))
		j, ok2 := g.numberOf([]byte(ends[1]))
		if !ok1 || !ok2 {
			return fmt.Errorf("link %d joins %.40q and %.40q: want ids of nodes", k, ends[0], ends[1])
		}
		g.graph.Edges = append(g.graph.Edges, Edge{i, j})
	}
	g.ends = nil
	return nil
}
