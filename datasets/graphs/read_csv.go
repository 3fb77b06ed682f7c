package graphs

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadCSV reads points, a node a line, separated by commas, semicolons or tabs.
//
// The first line may name the columns. Then columns x, y and z, if there is an x, are
// the place of the node, in this order wherever they stand; columns called name, label,
// id or node, or a first one of words, name the nodes: the first of them whose values all
// differ, while those whose values repeat are words. A first column without a name is what
// nodes are called. All others
// are features, or words where the first node that has something there has one. Without an x all
// columns are coordinates but for those of names and words; without names of columns, all but a
// first one that is no number, which is what the node is called. An empty cell, or nan, is unknown.
// Lines that begin with # are left out.
//
// A table with columns source and target, or from and to, is one of edges: an edge a
// line, its weight in a column weight, and other columns attributes of the edges.
func ReadCSV(r io.Reader) (Graph, error) { return exported(readCSV(',')(r)) }

// readCSV returns a reader of tables whose columns are separated by a character, or by
// semicolons where there is none in the first line.
func readCSV(separator rune) func(r io.Reader) (Graph, int, error) {
	return func(r io.Reader) (Graph, int, error) {
		rows := csv.NewReader(r)
		rows.Comma, rows.Comment, rows.FieldsPerRecord = separator, '#', -1
		rows.TrimLeadingSpace, rows.ReuseRecord = separator != '\t', true
		t := table{}
		for {
			row, err := rows.Read()
			var malformed *csv.ParseError
			switch {
			case err == io.EOF && t.edges != nil:
				g, err := t.edges.finish()
				return g, 0, err
			case err == io.EOF:
				t.graph.nameBy(t.named)
				return t.graph, 0, nil
			case errors.As(err, &malformed):
				return t.graph, malformed.Line, malformed.Err
			case err != nil:
				return t.graph, 0, err
			}
			line, _ := rows.FieldPos(0)
			if t.columns == nil && len(row) == 1 && strings.Contains(row[0], ";") {
				rows.Comma = ';'
				row = strings.Split(row[0], ";")
			}
			if err := t.add(row); err != nil {
				return t.graph, line, err
			}
		}
	}
}

// What the columns of a table hold.
type column int8

const (
	coordinate column = iota
	feature
	nodeName
	mayName // a name, or a word where the values repeat
	word
)

// names reports whether a column says what nodes are called.
func (c column) names() bool { return c == nodeName || c == mayName }

// table is a set of points that is being read.
type table struct {
	columns []column            // nil before the first line
	names   []string            // of the columns, nil where the file has none
	order   []int               // of the columns: coordinates come as x, y and z
	named   []Attribute[string] // the columns that may name nodes
	graph   Graph
	open    []int // columns of numbers of which no node has had one yet: they may be words

	edges      *builder // of a table of edges, nil of one of nodes
	start, end int      // its columns of nodes
}

// add reads a line.
func (t *table) add(row []string) error {
	for k := range row {
		row[k] = strings.TrimSpace(row[k])
	}
	if t.columns == nil {
		row[0] = strings.TrimPrefix(row[0], "\ufeff") // a byte order mark
		t.columns, t.order = make([]column, len(row)), make([]int, len(row))
		for k := range t.order {
			t.order[k] = k
		}
		if isHeader(row) {
			return t.readHeader(row)
		}
	}
	if len(row) != len(t.columns) {
		return fmt.Errorf("%d columns, where the lines before have %d", len(row), len(t.columns))
	}
	if t.edges != nil {
		return t.addEdge(row)
	}
	if t.graph.Nodes == 0 && len(row) > 1 && !isNumber(row[0]) && !slices.ContainsFunc(t.columns, column.names) {
		t.columns[0] = nodeName
		if t.names != nil {
			t.columns[0] = mayName
		}
	}
	if t.graph.Nodes == 0 {
		t.settle(row)
	}
	t.close(row)
	return t.addNode(row)
}

// settle takes note, at the first node, of what the named columns are: those with a word
// there are words.
func (t *table) settle(row []string) {
	if t.names == nil {
		return
	}
	for _, k := range t.order {
		switch {
		case t.columns[k] == nodeName:
		case t.columns[k] == mayName:
			t.named = append(t.named, Attribute[string]{Name: t.names[k]})
		case row[k] != "" && !isNumber(row[k]):
			t.columns[k] = word
			t.graph.NodeWords = append(t.graph.NodeWords, Attribute[string]{Name: t.names[k]})
		case t.columns[k] == coordinate:
			t.graph.PointNames, t.open = append(t.graph.PointNames, t.names[k]), append(t.open, k)
		default:
			t.graph.FeatureNames, t.open = append(t.graph.FeatureNames, t.names[k]), append(t.open, k)
		}
	}
}

// close takes note of the columns whose first value a line has: those with a word there are words after all.
func (t *table) close(row []string) {
	t.open = slices.DeleteFunc(t.open, func(k int) bool {
		if !isUnknown(row[k]) && !isNumber(row[k]) && !slices.Contains(Axes, t.names[k]) {
			t.becomeWords(k)
		}
		return !isUnknown(row[k])
	})
}

// becomeWords makes a column of unknown numbers one of unknown words.
func (t *table) becomeWords(k int) {
	g, kind := &t.graph, t.columns[k]
	before := func(of column) (count int) {
		for _, l := range t.order[:slices.Index(t.order, k)] {
			if t.columns[l] == of {
				count++
			}
		}
		return count
	}
	vectors, names := &g.Features, &g.FeatureNames
	if kind == coordinate {
		vectors, names = &g.Points, &g.PointNames
	}
	at := before(kind)
	*names = slices.Delete(*names, at, at+1)
	for i, v := range *vectors {
		(*vectors)[i] = slices.Delete(v, at, at+1)
	}
	if len(*names) == 0 {
		*vectors, *names = nil, nil
	}
	g.NodeWords = slices.Insert(g.NodeWords, before(word), Attribute[string]{Name: t.names[k], Values: make([]string, g.Nodes)})
	t.columns[k] = word
}

func (t *table) addNode(row []string) error {
	if t.graph.Nodes == MaxNodes {
		return fmt.Errorf("more than %d nodes", MaxNodes)
	}
	var place, features []float64
	words, named := t.graph.NodeWords, t.named
	for _, k := range t.order {
		text := row[k]
		switch t.columns[k] {
		case nodeName:
			t.graph.Names = append(t.graph.Names, strings.Clone(text))
			continue
		case mayName:
			if v, err := parseNumber(text); err == nil {
				text = wordOf(v) // 7 and 7.0 are one
			}
			named[0].Values = append(named[0].Values, strings.Clone(text))
			named = named[1:]
			continue
		case word:
			if isUnknown(text) {
				text = ""
			}
			words[0].Values = append(words[0].Values, strings.Clone(text))
			words = words[1:]
			continue
		}
		v, err := parseNumber(text)
		switch {
		case isUnknown(text):
			v = math.NaN()
		case err != nil:
			return fmt.Errorf("%.20q in column %d: %w", text, k+1, err)
		}
		if t.columns[k] == coordinate {
			place = append(place, v)
		} else {
			features = append(features, v)
		}
	}
	t.graph.Nodes++
	if place == nil && features == nil && t.graph.NodeWords == nil && len(t.named) < 2 {
		return errors.New("no numbers: want coordinates of the node")
	}
	if place != nil {
		t.graph.Points = append(t.graph.Points, place)
	}
	if features != nil {
		t.graph.Features = append(t.graph.Features, features)
	}
	return nil
}

// isHeader reports whether a line has something else than numbers behind its first cell,
// or a word alone.
func isHeader(row []string) bool {
	if len(row) > 1 {
		row = row[1:]
	}
	return slices.ContainsFunc(row, func(text string) bool { return !isUnknown(text) && !isNumber(text) })
}

// isUnknown reports whether a cell says that there is no value.
func isUnknown(text string) bool { return text == "" || strings.EqualFold(text, "nan") }

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// readHeader takes over the names of columns.
func (t *table) readHeader(row []string) error {
	t.names = make([]string, len(row))
	for k, text := range row {
		t.names[k] = strings.ToLower(text)
	}
	for _, ends := range edgeColumns {
		t.start, t.end = slices.Index(t.names, ends[0]), slices.Index(t.names, ends[1])
		if t.start >= 0 && t.end >= 0 {
			t.edges = newBuilder()
			return nil
		}
	}
	named := slices.Contains(t.names, Axes[0])
	for k, text := range t.names {
		switch {
		case k == 0 && text == "":
			t.columns[k] = nodeName
		case slices.Contains(t.names[:k], text):
			return fmt.Errorf("column %d, %q, has the name of one before", k+1, text)
		case IsNameColumn(text):
			t.columns[k] = mayName
		case named && !slices.Contains(Axes, text):
			t.columns[k] = feature
		}
	}
	slices.SortStableFunc(t.order, func(k, l int) int {
		return cmp.Compare(slices.Index(Axes, t.names[k]), slices.Index(Axes, t.names[l]))
	})
	return nil
}

// edgeColumns are the names of the two columns of a table of edges.
var edgeColumns = [][2]string{{"source", "target"}, {"from", "to"}}

// addEdge reads a line of a table of edges.
func (t *table) addEdge(row []string) error {
	i, err := t.edges.nodeOf([]byte(row[t.start]))
	if err != nil {
		return err
	}
	j, err := t.edges.nodeOf([]byte(row[t.end]))
	if err != nil {
		return err
	}
	if row[t.start] == "" || row[t.end] == "" {
		return errors.New("an edge without a node: want two names")
	}
	edge := len(t.edges.graph.Edges)
	t.edges.graph.Edges = append(t.edges.graph.Edges, Edge{i, j})
	for k, text := range row {
		if k == t.start || k == t.end || text == "" {
			continue
		}
		if t.names[k] == WeightName && !isNumber(text) {
			return fmt.Errorf("the weight %.20q: want a finite number", text)
		}
		if err := t.edges.edge.set(t.names[k], edge, strings.Clone(text)); err != nil {
			return err
		}
	}
	return nil
}
