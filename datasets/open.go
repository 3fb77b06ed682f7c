package datasets

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// Options tell how to read what a file does not say. The zero value reads
// row-major affinities of two graphs of equal size, to be maximised over
// matchings of any size.
type Options struct {
	// N1 and N2 are the numbers of nodes of an affinity array's graphs; 0 is
	// the square root of its number of vertices.
	N1, N2 int
	// Order of the vertices of an affinity array (RowMajor).
	Order Order
	// Sense of an affinity array (qap.Maximize). The formats .dat and .dd are
	// always minimised.
	Sense qap.Sense
	// Complete leaves only matchings of min(n1, n2) nodes as solutions. It is
	// always so for .dat.
	Complete bool
	// Member is the only array to read of an .npz file; empty is all of them.
	Member string
	// Topology, if set, makes the files hold flows (FlowFormats) between facilities that go
	// to its places.
	Topology *qap.Topology
	// Notice, if set, is called with what a user should know of an instance that
	// is about to be returned.
	Notice func(instance, message string)
}

// Order says which vertex of the association graph an index of an affinity
// array stands for.
type Order int8

const (
	RowMajor    Order = iota // index i·n2+a: node i of graph 1 with node a of graph 2
	ColumnMajor              // index a·n1+i, as pygmtools writes it
)

// ParseOrder reads "row" or "col".
func ParseOrder(text string) (Order, error) {
	switch text {
	case "row":
		return RowMajor, nil
	case "col":
		return ColumnMajor, nil
	}
	return 0, fmt.Errorf("datasets: order %q: want row or col", text)
}

// Formats returns the extensions of the files that hold instances.
func Formats() []string { return []string{".dat", ".npy", ".npz", ".dd", ".mtx"} }

// readers by extension. Each yields all instances of a source.
var readers = map[string]func(source, Options, yieldFunc){
	".dat": func(s source, _ Options, yield yieldFunc) { yield(readDAT(s)) },
	".npy": readNPY,
	".npz": readNPZ,
	".dd":  readDD,
	".mtx": func(s source, o Options, yield yieldFunc) { yield(readMTXInstance(s, o)) },
	".txt": readDD, // files of several .dd problems are called so
}

// Open returns the instances of a file; its extension names the format. An
// instance is called like the file without extension: nug12. Those of a stack, of
// an archive, or of a file of several problems are called stack#0, stack#1, …,
// or archive#member. An error comes in place of the instance that could not be
// read, wraps *Error, and does not end the sequence where more can be read.
func Open(path string, o Options) iter.Seq2[*qap.Instance, error] {
	return func(yield func(*qap.Instance, error) bool) {
		s, file, err := openSource(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		read(s, extension(path), o, yield)
	}
}

// Read returns the instances that r holds in size bytes, as Open does for a file
// of that name with the extension format (".dat").
func Read(name, format string, r io.ReaderAt, size int64, o Options) iter.Seq2[*qap.Instance, error] {
	return func(yield func(*qap.Instance, error) bool) {
		read(source{file: name, name: instanceName(name), r: r, size: size}, format, o, yield)
	}
}

func read(s source, format string, o Options, yield yieldFunc) {
	if o.Topology != nil {
		yield(readFlows(s, format, o))
		return
	}
	reader, ok := readers[format]
	if !ok && slices.Contains(FlowFormats(), format) {
		yield(nil, s.errorf(0, "a graph alone: give the places of its nodes (--topology), such as %s", qap.TopologyForms))
		return
	}
	if !ok {
		yield(nil, s.errorf(0, "unknown format %q: want %s", format, strings.Join(Formats(), ", ")))
		return
	}
	reader(s, o, yield)
}

// openSource opens a regular file, since only its length tells how much a
// reader may allocate.
func openSource(path string) (source, *os.File, error) {
	s := source{file: path, name: instanceName(path)}
	info, err := os.Stat(path)
	if err != nil {
		return s, nil, &Error{Instance: s.name, Err: err}
	}
	if !info.Mode().IsRegular() {
		return s, nil, s.errorf(0, "not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return s, nil, &Error{Instance: s.name, Err: err}
	}
	s.r, s.size = file, info.Size()
	return s, file, nil
}

func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }
