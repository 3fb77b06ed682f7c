package graphs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rgm-go/rgm/datasets"
)

// Open reads a graph or a set of points; the extension of the file names the format, one of Formats.
//
// An adjacency matrix that is symmetric is a graph without directions; its entries
// are weights, unless all are 1. Errors wrap *datasets.Error. Memory grows with the
// length of the file, whatever it claims; text is read up to 2 GB.
func Open(path string) (Graph, error) { return OpenBy(path, RepeatsAuto) }

// OpenBy is Open with a rule for repeated edges.
func OpenBy(path string, rule Repeats) (Graph, error) {
	file, size, err := openRegular(path)
	if err != nil {
		return graphOf(path, Graph{}, rule, 0, err)
	}
	defer file.Close()
	g, line, err := read(path, file, size)
	return graphOf(path, g, rule, line, err)
}

// openRegular opens a file of graphs.
func openRegular(path string) (*os.File, int64, error) {
	if _, err := formatOf(path); err != nil {
		return nil, 0, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, errors.New("not a regular file")
	}
	file, err := os.Open(path)
	return file, info.Size(), err
}

// Read reads a graph of size bytes as Open reads it from a file of a name, whose extension says
// the format. Errors are those of Open.
func Read(name string, r io.ReaderAt, size int64) (Graph, error) {
	g, line, err := read(name, r, size)
	return graphOf(name, g, RepeatsAuto, line, err)
}

// PairName returns what two files are called together.
func PairName(a, b string) string {
	name := stem(a)
	if other := stem(b); other != name {
		name += "-" + other
	}
	return name
}

func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// graphOf returns the graph that a reader found in a file, checked, or the error with its place.
func graphOf(path string, g Graph, rule Repeats, line int, err error) (Graph, error) {
	name := stem(path)
	if err == nil {
		g.Name = name
		if err = g.NormaliseBy(rule); err == nil {
			err = errors.Unwrap(g.Check())
		}
	}
	var placed *datasets.Error
	switch {
	case err == nil:
		return g, nil
	case errors.As(err, &placed):
		return Graph{}, err
	}
	return Graph{}, &datasets.Error{Instance: name, File: path, Line: line, Err: err}
}

// lineError is an error at a line.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// exported returns the graph that a reader found, normalised and checked.
func exported(g Graph, line int, err error) (Graph, error) {
	if err == nil {
		if err = g.Normalise(); err == nil {
			return g, g.Check()
		}
	}
	if line > 0 {
		err = &lineError{line, err}
	}
	return Graph{}, fmt.Errorf("graphs: %w", err)
}
