package graphs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ReadCSV reads points, a node a line, separated by commas, semicolons or tabs.
//
// The first line may name the columns. Then columns x, y and z, if there is an x, are
// the place of the node; one of the names name, id, node or label is what the node is
// called; all others are features. Without such names all columns are coordinates, but
// for a first one that is no number, which is what the node is called. Lines that begin
// with # are left out.
func ReadCSV(r io.Reader) (Graph, error) { return exported(readCSV(',')(r)) }

// nameColumns are the names of a column that names nodes.
var nameColumns = []string{"name", "id", "node", "label"}

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
			case err == io.EOF:
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
)

// table is a set of points that is being read.
type table struct {
	columns []column // nil before the first line
	graph   Graph
}

// add reads a line.
func (t *table) add(row []string) error {
	for k := range row {
		row[k] = strings.TrimSpace(row[k])
	}
	if t.columns == nil {
		row[0] = strings.TrimPrefix(row[0], "\ufeff") // a byte order mark
		t.columns = make([]column, len(row))
		if isHeader(row) {
			return t.readHeader(row)
		}
	}
	if len(row) != len(t.columns) {
		return fmt.Errorf("%d columns, where the lines before have %d", len(row), len(t.columns))
	}
	if t.graph.Nodes == 0 && len(row) > 1 && !slices.Contains(t.columns, nodeName) && !isNumber(row[0]) {
		t.columns[0] = nodeName
	}
	return t.addNode(row)
}

func (t *table) addNode(row []string) error {
	if t.graph.Nodes == maxNodes {
		return fmt.Errorf("more than %d nodes", maxNodes)
	}
	var place, features []float64
	for k, text := range row {
		if t.columns[k] == nodeName {
			t.graph.Names = append(t.graph.Names, text)
			continue
		}
		v, err := parseNumber(text)
		if err != nil {
			return fmt.Errorf("%.20q in column %d: %w", text, k+1, err)
		}
		if t.columns[k] == coordinate {
			place = append(place, v)
		} else {
			features = append(features, v)
		}
	}
	t.graph.Nodes++
	if place == nil && features == nil {
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

// isHeader tells whether a line has something else than numbers behind its first cell,
// or a word alone.
func isHeader(row []string) bool {
	if len(row) > 1 {
		row = row[1:]
	}
	return slices.ContainsFunc(row, func(text string) bool { return !isNumber(text) })
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// readHeader takes over the names of columns.
func (t *table) readHeader(row []string) error {
	named := slices.ContainsFunc(row, func(text string) bool { return strings.EqualFold(text, "x") })
	for k, text := range row {
		switch text := strings.ToLower(text); {
		case slices.Contains(nameColumns, text):
			if slices.Contains(t.columns, nodeName) {
				return fmt.Errorf("column %d, %q, is a second one of names", k+1, text)
			}
			t.columns[k] = nodeName
		case named && !slices.Contains([]string{"x", "y", "z"}, text):
			t.columns[k] = feature
		}
	}
	return nil
}
