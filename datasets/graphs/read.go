package graphs

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Extensions returns the extensions of files that Open reads.
func Extensions() []string {
	return []string{
		".csv", ".tsv", ".npy", ".npz", ".mtx", ".graphml", ".gexf", ".gml", ".gw", ".lgr", ".json", ".edgelist", ".edges", ".el", ".txt",
	}
}

// Open reads a graph or a set of points; the extension of the file names the format:
//
//   - .csv, .tsv: points, a node a line, or edges where the columns say so (see ReadCSV).
//   - .npy: points (n, d).
//   - .npz: arrays points (n, d), edges (e, 2), features (n, c) of nodes, weights (e) and
//     edge_features (e, c), or an adjacency matrix as scipy.sparse.save_npz writes it.
//   - .mtx: an adjacency matrix of MatrixMarket.
//   - .graphml: GraphML as networkx writes it (see ReadGraphML).
//   - .gexf: GEXF as Gephi writes it (see ReadGEXF).
//   - .gml: the Graph Modelling Language (see ReadGML).
//   - .gw, .lgr: LEDA's format (see ReadLEDA).
//   - .json: nodes and links, as networkx and D3 have them (see ReadNodeLink).
//   - .edgelist, .edges, .el, .txt: an edge list (see ReadEdgeList).
//
// An adjacency matrix that is symmetric is a graph without directions; its entries
// are weights, unless all are 1. Errors wrap *datasets.Error. Memory grows with the
// length of the file, whatever it claims; text is read up to 2 GB.
func Open(path string) (Graph, error) {
	g, line, err := open(path)
	return graphOf(path, g, line, err)
}

// Read reads a graph from text whose format, one of Open, the extension of a file's name says;
// text has all formats but .npy, .npz and .mtx. Errors are those of Open.
func Read(path string, text io.Reader) (Graph, error) {
	read := texts[strings.ToLower(filepath.Ext(path))]
	if read == nil {
		return graphOf(path, Graph{}, 0, fmt.Errorf("%w %q of a graph: want %s", ErrFormat, filepath.Ext(path), suggest.OneOf(slices.Sorted(maps.Keys(texts))...)))
	}
	g, line, err := read(text)
	return graphOf(path, g, line, err)
}

// ErrFormat is that of a format that is not read.
var ErrFormat = errors.New("unknown format")

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
func graphOf(path string, g Graph, line int, err error) (Graph, error) {
	name := stem(path)
	if err == nil {
		g.Name = name
		if err = g.Normalise(); err == nil {
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

// mostText bounds a file of text, whose lines, or elements, are held while they are read.
const mostText int64 = 1 << 31

// open returns the graph of a file, or the line of an error where it is known.
func open(path string) (g Graph, line int, err error) {
	format := strings.ToLower(filepath.Ext(path))
	if !slices.Contains(Extensions(), format) {
		return g, 0, fmt.Errorf("%w %q of a graph: want %s", ErrFormat, format, suggest.OneOf(Extensions()...))
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return g, 0, err
	case !info.Mode().IsRegular():
		return g, 0, errors.New("not a regular file")
	}
	switch format {
	case ".npy":
		g, err = readPoints(path)
		return g, 0, err
	case ".npz":
		g, err = readArrays(path)
		return g, 0, err
	case ".mtx":
		g, err = readAdjacency(path)
		return g, 0, err
	}
	if info.Size() > mostText {
		return g, 0, fmt.Errorf("%d bytes of text: want at most %d; .npz and .mtx hold larger graphs", info.Size(), mostText)
	}
	file, err := os.Open(path)
	if err != nil {
		return g, 0, err
	}
	defer file.Close()
	return texts[format](file)
}

// texts are the readers of the formats of text.
var texts = map[string]func(io.Reader) (Graph, int, error){
	".csv": readCSV(','), ".tsv": readCSV('\t'), ".graphml": readGraphML, ".gexf": readGEXF, ".gml": readGML,
	".gw": readLEDA, ".lgr": readLEDA, ".json": readNodeLink,
	".edgelist": readEdgeList, ".edges": readEdgeList, ".el": readEdgeList, ".txt": readEdgeList,
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
