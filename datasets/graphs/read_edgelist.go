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
	const longest = 1 << 16 // characters of a line
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
		return line + 1, fmt.Errorf("a line of more than %d characters: want an edge a line", longest)
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

// isGap reports whether a character separates the words of a line.
func isGap(c byte) bool { return c == ' ' || c == '\t' || c == ',' || c == ';' }

// nextWord returns the first word of a line, which quotes may hold together, and the rest.
func nextWord(line []byte) (word, rest []byte) {
	for len(line) > 0 && isGap(line[0]) {
		line = line[1:]
	}
	if len(line) > 1 && line[0] == '"' {
		if end := bytes.IndexByte(line[1:], '"'); end > 0 {
			return line[1 : 1+end], line[end+2:]
		}
	}
	end := 0
	for end < len(line) && !isGap(line[end]) {
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
	source, rest := nextWord(text)
	target, rest := nextWord(rest)
	rest = bytes.TrimSpace(rest)
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
	if len(rest) == 0 {
		return l.checkWeights(edge, text)
	}
	if rest[0] == '{' {
		return errors.Join(l.addDictionary(edge, rest), l.checkWeights(edge, text))
	}
	weight, more := nextWord(rest)
	if len(bytes.TrimSpace(more)) > 0 {
		l.leaveOut("what follows the third column is left out")
	}
	if len(weight) == 0 {
		return l.checkWeights(edge, text)
	}
	v, err := parseNumber(string(weight))
	if err != nil {
		return fmt.Errorf("the weight %.20q: %w", weight, err)
	}
	return errors.Join(l.edge.setNumber(weightName, edge, v), l.checkWeights(edge, text))
}

// isEdgeHeader reports whether two words name the columns of an edge list.
func isEdgeHeader(source, target string) bool {
	return slices.Contains(edgeColumns, [2]string{strings.ToLower(source), strings.ToLower(target)})
}

// checkWeights returns an error unless all edges so far have a weight, or none.
func (l *edgeList) checkWeights(edge int, text []byte) error {
	if c := l.edge.byName[weightName]; c != nil && c.count != edge+1 {
		return fmt.Errorf("%.40q: some edges have weights and others none", text)
	}
	return nil
}

// addDictionary reads the entries of a Python dictionary as attributes of an edge.
func (l *edgeList) addDictionary(edge int, text []byte) error {
	for _, entry := range dictionaryEntry.FindAllSubmatch(text, -1) {
		name, value := string(entry[1]), strings.Trim(string(entry[2]), `'"`)
		var err error
		switch {
		case name == weightName:
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
