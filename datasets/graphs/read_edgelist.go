package graphs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// ReadEdgeList reads an edge list: a line has the names of two nodes, separated by blanks,
// tabs, commas or semicolons, and then nothing, a weight, or, as networkx.write_edgelist
// writes it, a Python dictionary, whose 'weight' is the weight and whose other entries are
// attributes. What follows a weight is left out, as are lines that begin with # or % and a
// first line of the words source and target, or from and to. Edges have no direction.
// Names that are the numbers 0 to n−1 are these nodes; other nodes are numbered as they
// come.
func ReadEdgeList(r io.Reader) (Graph, error) { return exported(readEdgeList(r)) }

// dictionaryEntry matches an entry of a Python dictionary.
var dictionaryEntry = regexp.MustCompile(`['"]([^'"]+)['"]\s*:\s*('[^']*'|"[^"]*"|[^,}\s]+)`)

func readEdgeList(r io.Reader) (Graph, int, error) {
	list := edgeList{builder: newBuilder()}
	line, err := eachLine(r, func(line int, text []byte) error { return list.add(line, text) })
	if err != nil {
		return list.graph, line, err
	}
	g, err := list.finish()
	return g, 0, err
}

// eachLine calls read with every line that is not empty, without the blanks around it, and
// returns where that failed.
func eachLine(r io.Reader, read func(line int, text []byte) error) (line int, err error) {
	const longest = 1 << 24 // characters of a line
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		line++
		text := bytes.TrimSpace(lines.Bytes())
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff")) // a byte order mark
		}
		if len(text) == 0 {
			continue
		}
		if err := read(line, text); err != nil {
			return line, err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return line + 1, fmt.Errorf("a line of more than %d characters", longest)
	}
	if lines.Err() != nil {
		return line + 1, lines.Err()
	}
	return line, nil
}

// edgeList is a file that is being read.
type edgeList struct {
	*builder
	sized bool // a line with the size of a matrix follows the comments
}

// gaps are characters that separate the words of a line.
type gaps [256]bool

var (
	blanks   = gaps{' ': true, '\t': true}
	listGaps = gaps{' ': true, '\t': true, ',': true, ';': true}
)

// nextWord returns the first word of a line, which quotes may hold together, and the rest.
func nextWord(line []byte, gaps *gaps) (word, rest []byte) {
	for len(line) > 0 && gaps[line[0]] {
		line = line[1:]
	}
	if len(line) > 1 && line[0] == '"' {
		if end := bytes.IndexByte(line[1:], '"'); end > 0 {
			return line[1 : 1+end], line[end+2:]
		}
	}
	end := 0
	for end < len(line) && !gaps[line[end]] {
		end++
	}
	return line[:end], line[end:]
}

// add reads a line.
func (l *edgeList) add(line int, text []byte) error {
	if text[0] == '#' || text[0] == '%' {
		l.sized = l.sized || bytes.HasPrefix(text, []byte("%%MatrixMarket"))
		return nil
	}
	if l.sized { // rows, columns, entries
		l.sized = false
		return nil
	}
	source, rest := nextWord(text, &listGaps)
	target, rest := nextWord(rest, &listGaps)
	if len(target) == 0 || target[0] == '{' {
		return fmt.Errorf("%.40q: want the names of two nodes, and then nothing, a weight, or a dictionary", text)
	}
	if l.graph.Nodes == 0 && isEdgeHeader(string(source), string(target)) {
		return nil
	}
	i, err := l.nodeOf(source)
	if err != nil {
		return err
	}
	j, err := l.nodeOf(target)
	if err != nil {
		return err
	}
	edge := len(l.graph.Edges)
	l.graph.Edges = append(l.graph.Edges, Edge{i, j})
	if err := l.addData(edge, rest); err != nil {
		return err
	}
	if c := l.edge.byName[WeightName]; c != nil && c.count != edge+1 {
		return fmt.Errorf("%.40q: some edges have weights and others none", text)
	}
	return nil
}

// addData reads what follows the nodes of an edge.
func (l *edgeList) addData(edge int, rest []byte) error {
	weight, more := nextWord(rest, &listGaps)
	switch {
	case len(weight) == 0:
		return nil
	case weight[0] == '{':
		return l.addDictionary(edge, rest)
	case len(bytes.TrimSpace(more)) > 0:
		l.leaveOut("what follows the third column is left out")
	}
	v, err := parseNumber(string(weight))
	if err != nil {
		return fmt.Errorf("the weight %.20q: %w", weight, err)
	}
	return l.edge.setNumber(WeightName, edge, v)
}

// isEdgeHeader reports whether two words name the columns of an edge list.
func isEdgeHeader(source, target string) bool {
	return slices.Contains(edgeColumns, [2]string{strings.ToLower(source), strings.ToLower(target)})
}

// addDictionary reads the entries of a Python dictionary as attributes of an edge.
func (l *edgeList) addDictionary(edge int, text []byte) error {
	for _, entry := range dictionaryEntry.FindAllSubmatch(text, -1) {
		name, value := string(entry[1]), strings.Trim(string(entry[2]), `'"`)
		var err error
		switch {
		case name == WeightName:
			v, wrong := parseNumber(value)
			if wrong != nil {
				return fmt.Errorf("the weight %.20q: %w", value, wrong)
			}
			err = l.edge.setNumber(name, edge, v)
		case value == "None":
		default:
			err = l.edge.set(name, edge, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAdjacencyList reads a node and its neighbours a line, separated by blanks, as
// networkx.write_adjlist writes them (.adjlist). What follows # is left out.
func readAdjacencyList(r io.Reader) (Graph, int, error) {
	b := newBuilder()
	b.graph.Edges = []Edge{}
	line, err := eachLine(r, func(_ int, text []byte) error {
		text, _, _ = bytes.Cut(text, []byte("#"))
		first := -1
		for word, rest := nextWord(text, &blanks); len(word) > 0; word, rest = nextWord(rest, &blanks) {
			node, err := b.nodeOf(word)
			switch {
			case err != nil:
				return err
			case first < 0:
				first = node
			default:
				b.graph.Edges = append(b.graph.Edges, Edge{first, node})
			}
		}
		return nil
	})
	if err != nil {
		return b.graph, line, err
	}
	g, err := b.finish()
	return g, 0, err
}
