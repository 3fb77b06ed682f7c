package graphs

import (
	"errors"
	"fmt"
	"io"
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
		".csv", ".tsv", ".npy", ".npz", ".mtx", ".graphml", ".gxl", ".gexf", ".gml", ".gw", ".lgr", ".net", ".json", ".edgelist", ".edges", ".el", ".txt",
		".adjlist", ".g6", ".mol", ".sdf",
	}
}

// Open reads a graph or a set of points; the extension of the file names the format:
//
//   - .csv, .tsv: points, a node a line, or edges where the columns say so (see ReadCSV).
//   - .npy: points (n, d), or an adjacency matrix (n, n) with a diagonal of zeros.
//   - .npz: arrays points (n, d), edges (e, 2), features (n, c) of nodes, weights (e) and
//     edge_features (e, c), or an adjacency matrix as scipy.sparse.save_npz writes it.
//   - .mtx: an adjacency matrix of MatrixMarket.
//   - .graphml: GraphML as networkx writes it (see ReadGraphML).
//   - .gxl: GXL, as benchmarks of edit distances have it (see ReadGXL).
//   - .gexf: GEXF as Gephi writes it (see ReadGEXF).
//   - .gml: the Graph Modelling Language (see ReadGML).
//   - .gw, .lgr: LEDA's format (see ReadLEDA).
//   - .net: Pajek's format: *Vertices, then *Edges or *Arcs, or lists of neighbours.
//   - .json: nodes and links, as networkx and D3 have them (see ReadNodeLink).
//   - .edgelist, .edges, .el, .txt: an edge list (see ReadEdgeList).
//   - .adjlist: a node and its neighbours a line, as networkx.write_adjlist writes them.
//   - .g6: graph6, as nauty writes it.
//   - .mol, .sdf: a molecule (see ReadMol).
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
	if err := checkFormat(path); err != nil {
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

// mostText bounds a file of text, whose lines, or elements, are held while they are read.
const mostText int64 = 1 << 31

func checkFormat(name string) error {
	if format := strings.ToLower(filepath.Ext(name)); !slices.Contains(Extensions(), format) {
		return fmt.Errorf("%w %q of a graph: want %s", ErrFormat, format, suggest.OneOf(Extensions()...))
	}
	return nil
}

// read returns the graph of a file, or the line of an error where it is known.
func read(name string, r io.ReaderAt, size int64) (g Graph, line int, err error) {
	if err := checkFormat(name); err != nil {
		return g, 0, err
	}
	switch format := strings.ToLower(filepath.Ext(name)); {
	case format == ".npy":
		g, err = readArray(io.NewSectionReader(r, 0, size), size)
	case format == ".npz":
		g, err = readArrays(name, r, size)
	case format == ".mtx":
		g, err = readAdjacency(name, r, size)
	case size > mostText:
		err = fmt.Errorf("%d bytes of text: want at most %d; .npz and .mtx hold larger graphs", size, mostText)
	default:
		return texts[format](io.NewSectionReader(r, 0, size))
	}
	return g, 0, err
}

// texts are the readers of the formats of text.
var texts = map[string]func(io.Reader) (Graph, int, error){
	".csv": readCSV(','), ".tsv": readCSV('\t'), ".graphml": readGraphML, ".gxl": readGXL, ".gexf": readGEXF, ".gml": readGML,
	".gw": readLEDA, ".lgr": readLEDA, ".net": readPajek, ".json": readNodeLink,
	".edgelist": readEdgeList, ".edges": readEdgeList, ".el": readEdgeList, ".txt": readEdgeList,
	".adjlist": readAdjacencyList, ".g6": readGraph6, ".mol": readMol, ".sdf": readMol,
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
