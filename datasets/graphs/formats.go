package graphs

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/internal/suggest"
)

// Format is a format of files that Open reads.
type Format struct {
	Extensions []string
	Doc        string // what such a file is

	text func(io.Reader) (Graph, int, error)                         // reads text, or returns the line of an error
	file func(name string, r io.ReaderAt, size int64) (Graph, error) // reads what has places of its own
}

// formats are all of them: a format more is a line, and its reader.
var formats = []Format{
	{[]string{".csv"}, "a table of points, or of edges if columns are source and target, or from and to", readCSV(','), nil},
	{[]string{".tsv"}, "the same with tabs", readCSV('\t'), nil},
	{[]string{".npy"}, "points, or an adjacency matrix", nil, readArray},
	{[]string{".npz"}, "arrays points, edges, features, weights and edge_features, or SciPy's sparse matrix", nil, readArrays},
	{[]string{".mtx"}, "a matrix of MatrixMarket", nil, readAdjacency},
	{[]string{".graphml"}, "GraphML", readGraphML, nil},
	{[]string{".gxl"}, "GXL", readGXL, nil},
	{[]string{".gexf"}, "GEXF", readGEXF, nil},
	{[]string{".gml"}, "GML", readGML, nil},
	{[]string{".gw", ".lgr"}, "LEDA", readLEDA, nil},
	{[]string{".net"}, "Pajek", readPajek, nil},
	{[]string{".json"}, "node-link JSON", readNodeLink, nil},
	{[]string{".edgelist", ".edges", ".el", ".txt"}, "a list of edges, and their weights", readEdgeList, nil},
	{[]string{".adjlist"}, "a list of neighbours", readAdjacencyList, nil},
	{[]string{".g6"}, "graph6", readGraph6, nil},
	{[]string{".mol", ".sdf"}, "a molecule, V2000", readMol, nil},
}

// Extensions returns the extensions of files that Open reads.
func Extensions() (all []string) {
	for _, f := range formats {
		all = append(all, f.Extensions...)
	}
	return all
}

// Formats lists the formats that Open reads, each with its extensions, in a line.
func Formats() string {
	var all []string
	for _, f := range formats {
		all = append(all, f.Doc+" ("+strings.Join(f.Extensions, ", ")+")")
	}
	return strings.Join(all, "; ")
}

// ErrFormat is that of a format that is not read.
var ErrFormat = errors.New("unknown format")

// formatOf returns the format that the extension of a file names.
func formatOf(name string) (*Format, error) {
	extension := strings.ToLower(filepath.Ext(name))
	for k := range formats {
		if slices.Contains(formats[k].Extensions, extension) {
			return &formats[k], nil
		}
	}
	return nil, fmt.Errorf("%w %q of a graph: want %s", ErrFormat, extension, suggest.OneOf(Extensions()...))
}

// Reads reports whether Open reads files with the extension of this one.
func Reads(name string) bool { f, _ := formatOf(name); return f != nil }

// mostText bounds a file of text, whose lines, or elements, are held while they are read.
const mostText int64 = 1 << 31

// read returns the graph of a file, or the line of an error where it is known.
func read(name string, r io.ReaderAt, size int64) (g Graph, line int, err error) {
	f, err := formatOf(name)
	switch {
	case err != nil:
	case f.file != nil:
		g, err = f.file(name, r, size)
	case size > mostText:
		err = fmt.Errorf("%d bytes of text: want at most %d; .npz and .mtx hold larger graphs", size, mostText)
	default:
		return f.text(io.NewSectionReader(r, 0, size))
	}
	return g, 0, err
}
