package graphpairs

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/suggest"
	"github.com/rgm-go/rgm/qap"
)

// Known is two graphs of which it is known which nodes belong together.
type Known struct {
	Name           string
	Files          [2]string
	Graph1, Graph2 *graphs.Graph
	Truth          qap.Matching
}

// leastKnown is how many nodes of a pair have to belong together.
const leastKnown = 3

// endOfTables is how the names of tables of pairs end.
const endOfTables = "pairs.csv"

// tableColumns are those of such a table: two files of graphs and, where it is there, one
// of their known matches (see graphs.Pairing). Paths begin at the table's folder.
var tableColumns = []string{"first", "second", "known"}

// ReadKnown reads the pairs of graphs of a folder: those of its tables *pairs.csv, if there are some, else
// of every two files of graphs, drawn at random where they are more than most. Where no file says which nodes
// belong together, those of one name do. It also returns how many pairs of files are left out, since fewer
// than leastKnown nodes belong together.
func ReadKnown(ctx context.Context, folder string, most int, rng *rand.Rand) (all []Known, left int, err error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, 0, err
	}
	r := knownReader{ctx: ctx, folder: folder, graphs: map[string]*graphs.Graph{}}
	tables := 0
	for _, file := range files {
		if strings.HasSuffix(file.Name(), endOfTables) {
			tables++
			if err := r.table(filepath.Join(folder, file.Name()), most); err != nil {
				return nil, 0, err
			}
		}
	}
	if tables == 0 {
		if err := r.everyTwo(most, rng); err != nil {
			return nil, 0, err
		}
	}
	return r.all, r.left, nil
}

// knownReader reads the files of a folder, each once.
type knownReader struct {
	ctx    context.Context
	folder string
	graphs map[string]*graphs.Graph
	all    []Known
	left   int
}

// graph reads a file of the folder.
func (r *knownReader) graph(file string) (*graphs.Graph, error) {
	if g := r.graphs[file]; g != nil {
		return g, nil
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	g, err := open(filepath.Join(r.folder, file), graphs.RepeatsAuto)
	r.graphs[file] = &g
	return &g, err
}

// table reads the pairs of a table.
func (r *knownReader) table(path string, most int) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	rows, err := readTable(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, row := range rows {
		if len(r.all) == most {
			return nil
		}
		if err := r.pair(row.first, row.second, row.known); err != nil {
			return fmt.Errorf("%s: line %d: %w", path, row.line, err)
		}
	}
	return nil
}

// tableRow is a pair of a table.
type tableRow struct {
	line                 int
	first, second, known string
}

// readTable reads the rows of a table of pairs. Other columns are left out.
func readTable(r io.Reader) (rows []tableRow, err error) {
	cells := csv.NewReader(r)
	cells.FieldsPerRecord, cells.TrimLeadingSpace = -1, true
	header, err := cells.Read()
	if err != nil && err != io.EOF {
		return nil, err
	}
	var at []int
	for _, name := range tableColumns {
		at = append(at, slices.IndexFunc(header, func(h string) bool { return strings.TrimPrefix(strings.TrimSpace(h), "\ufeff") == name }))
	}
	if at[0] < 0 || at[1] < 0 {
		return nil, errors.New("line 1: want columns first and second, files of graphs, and known, a file of their known matches, if names do not tell them")
	}
	for {
		record, err := cells.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		of := func(column int) string {
			if column < 0 || column >= len(record) {
				return ""
			}
			return strings.TrimSpace(record[column])
		}
		line, _ := cells.FieldPos(0)
		row := tableRow{line, of(at[0]), of(at[1]), of(at[2])}
		if row.first == "" || row.second == "" {
			return nil, fmt.Errorf("line %d: want two files of graphs", line)
		}
		rows = append(rows, row)
	}
}

// pair adds a pair of two files, whose matches are those of a third, or by name where that is "".
func (r *knownReader) pair(first, second, known string) error {
	g1, err := r.graph(first)
	if err != nil {
		return err
	}
	g2, err := r.graph(second)
	if err != nil {
		return err
	}
	p := Known{Name: graphs.PairName(first, second), Files: [2]string{first, second}, Graph1: g1, Graph2: g2, Truth: qap.NewMatching(g1.Nodes)}
	if known == "" {
		if err := errors.Join(checkNames(g1), checkNames(g2)); err != nil {
			return err
		}
		byName(&p)
	} else {
		matches, err := graphs.NewPairing(g1, g2).OpenKnown(filepath.Join(r.folder, known))
		if err != nil {
			return err
		}
		for _, m := range matches {
			p.Truth[m.I] = m.J
		}
	}
	if p.Truth.Size() < leastKnown {
		r.left++
		return nil
	}
	r.all = append(r.all, p)
	return nil
}

// everyTwo adds every two files of the folder, or some at random.
func (r *knownReader) everyTwo(most int, rng *rand.Rand) error {
	byStem, err := graphFiles(r.folder, false)
	if err != nil {
		return err
	}
	var files []string
	for _, paths := range byStem {
		for _, path := range paths {
			files = append(files, filepath.Base(path))
		}
	}
	slices.Sort(files)
	if len(files) < 2 {
		return fmt.Errorf("%s: %d files of graphs: want stacks NAME_A.npy and NAME_X.npy, a table *pairs.csv (columns first, second, known), or two or more files %s whose nodes have names",
			r.folder, len(files), suggest.OneOf(graphs.Extensions()...))
	}
	for _, file := range files {
		g, err := r.graph(file)
		if err != nil {
			return err
		}
		if err := checkNames(g); err != nil {
			return err
		}
	}
	var both [][2]int
	for i := range files {
		for j := range i {
			both = append(both, [2]int{j, i})
		}
	}
	rng.Shuffle(len(both), func(i, j int) { both[i], both[j] = both[j], both[i] })
	for _, ij := range both {
		if len(r.all) == most {
			break
		}
		if err := r.pair(files[ij[0]], files[ij[1]], ""); err != nil {
			return err
		}
	}
	if len(r.all) == 0 {
		return fmt.Errorf("%s: no two of %d files have %d nodes of the same names: want such, or a table *pairs.csv (columns first, second, known)", r.folder, len(files), leastKnown)
	}
	return nil
}

// byName matches the nodes of the same name.
func byName(p *Known) {
	of := make(map[string]int, p.Graph2.Nodes)
	for a, name := range p.Graph2.Names {
		of[name] = a
	}
	for i, name := range p.Graph1.Names {
		if a, both := of[name]; both {
			p.Truth[i] = a
		}
	}
}

// checkNames returns an error unless the nodes of a graph have names, which differ.
func checkNames(g *graphs.Graph) error {
	if g.Names == nil {
		return fmt.Errorf("%s: its nodes have no names: want a column or an attribute name, by which nodes of two files belong together, or a table *pairs.csv with a column known", g.Name)
	}
	seen := make(map[string]bool, len(g.Names))
	for _, name := range g.Names {
		if seen[name] {
			return fmt.Errorf("%s: several nodes are called %.40q: want names that differ, or a table *pairs.csv with a column known", g.Name, name)
		}
		seen[name] = true
	}
	return nil
}
