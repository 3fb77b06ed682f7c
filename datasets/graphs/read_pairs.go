package graphs

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/suggest"
)

// Pair is a node of graph 1 and one of graph 2.
type Pair struct{ I, J int }

// Similar is a pair, and how alike its nodes are apart from the graphs: more than 0, in any unit.
type Similar struct {
	Pair
	Score float64
}

// Index finds the nodes of a graph by what they are called.
type Index struct {
	graph   *Graph
	numbers map[string]int // −1 of names that stand twice
	byName  bool           // some name is a number, so that a number means a name
}

// Index returns that of the graph.
func (g *Graph) Index() *Index {
	x := &Index{graph: g, numbers: make(map[string]int, len(g.Names))}
	for i, name := range g.Names {
		if _, twice := x.numbers[name]; twice {
			i = -1
		}
		x.numbers[name] = i
		if _, err := strconv.Atoi(name); err == nil {
			x.byName = true
		}
	}
	return x
}

// Node returns the node of a name, or of a number from 0 where no name is a number.
func (x *Index) Node(text string) (int, error) {
	of := cmp.Or(x.graph.Name, "the graph")
	i, known := x.numbers[text]
	switch {
	case known && i < 0:
		return 0, fmt.Errorf("several nodes of %s are called %.40q", of, text)
	case known:
		return i, nil
	}
	number, err := strconv.Atoi(text)
	switch {
	case err == nil && !x.byName && number >= 0 && number < x.graph.Nodes:
		return number, nil
	case x.graph.Names == nil:
		return 0, fmt.Errorf("%s has no node %.40q: want one of 0 to %d", of, text, x.graph.Nodes-1)
	}
	meant := ""
	if few := 10_000; len(x.graph.Names) <= few { // a look at all of them
		meant = suggest.Meant(text, x.graph.Names)
	}
	return 0, fmt.Errorf("no node of %s is called %.40q%s", of, text, meant)
}

// Pairing finds pairs of nodes by what they are called.
type Pairing struct{ index1, index2 *Index }

// NewPairing returns that of two graphs.
func NewPairing(g1, g2 *Graph) *Pairing { return &Pairing{g1.Index(), g2.Index()} }

// Pair returns the pair that a text A:B names. A name may hold colons, as long as only one
// of them divides the names of two nodes.
func (p *Pairing) Pair(text string) (Pair, error) {
	var found []Pair
	err := fmt.Errorf("%.60q: want A:B, a node of each graph", text)
	for at, c := range text {
		if c != ':' {
			continue
		}
		one, wrong := p.of(text[:at], text[at+1:])
		if wrong == nil {
			found = append(found, one)
		}
		err = wrong
	}
	switch len(found) {
	case 0:
		return Pair{}, err
	case 1:
		return found[0], nil
	}
	return Pair{}, fmt.Errorf("%.60q names several pairs of nodes: want names without colons", text)
}

func (p *Pairing) of(a, b string) (Pair, error) {
	i, err1 := p.index1.Node(a)
	j, err2 := p.index2.Node(b)
	return Pair{i, j}, cmp.Or(err1, err2)
}

// CheckPairs returns an error where a node is in two different pairs.
func CheckPairs(pairs []Pair, g1, g2 *Graph) error {
	seen1, seen2 := map[int]Pair{}, map[int]Pair{}
	for _, p := range pairs {
		other, again := seen1[p.I]
		if !again {
			other, again = seen2[p.J]
		}
		if again && other != p {
			return fmt.Errorf("%s:%s conflicts with %s:%s", g1.NodeName(p.I), g2.NodeName(p.J), g1.NodeName(other.I), g2.NodeName(other.J))
		}
		seen1[p.I], seen2[p.J] = p, p
	}
	return nil
}

// Known reads pairs that are right: the names of two nodes a line, separated by tabs where the
// line has one, else by commas where it has one, as in CSV, else as those of an edge list.
// Lines that begin with # or % are left out. What rgm match --format csv or tsv prints is such
// a file: after its first line, i,a and more, columns after the second are left out.
func (p *Pairing) Known(r io.Reader) ([]Pair, error) {
	pairs, line, err := p.known(r)
	return pairs, atLine(line, err)
}

// Similar reads how alike nodes are: lines as those of Known, with a number above 0 as the
// third word. Pairs that are not there are not alike.
func (p *Pairing) Similar(r io.Reader) ([]Similar, error) {
	all, line, err := p.similar(r)
	return all, atLine(line, err)
}

func atLine(line int, err error) error {
	if err != nil {
		return fmt.Errorf("graphs: %w", &lineError{line, err})
	}
	return nil
}

// OpenKnown is Known of a file.
func (p *Pairing) OpenKnown(path string) ([]Pair, error) { return openPairs(path, p.known) }

// OpenSimilar is Similar of a file.
func (p *Pairing) OpenSimilar(path string) ([]Similar, error) { return openPairs(path, p.similar) }

func openPairs[T any](path string, read func(io.Reader) ([]T, int, error)) ([]T, error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	file, err := os.Open(path)
	if err != nil {
		return nil, &datasets.Error{Instance: name, File: path, Err: errors.Unwrap(err)}
	}
	defer file.Close()
	all, line, err := read(file)
	if err != nil {
		return nil, &datasets.Error{Instance: name, File: path, Line: line, Err: err}
	}
	return all, nil
}

func (p *Pairing) known(r io.Reader) (pairs []Pair, line int, err error) {
	columns := 2
	line, err = eachLine(r, func(_ int, text []byte) error {
		words := pairWords(text)
		switch {
		case words == nil:
			return nil
		case len(pairs) == 0 && len(words) >= 2 && words[0] == "i" && words[1] == "a":
			columns = len(words)
			return nil
		case len(words) < 2 || len(words) > columns: // empty cells at the end of a line may be gone
			return fmt.Errorf("%.40q: want the names of a node of each graph, %s", text, separated)
		}
		one, err := p.of(words[0], words[1])
		pairs = append(pairs, one)
		return err
	})
	if err == nil {
		err = CheckPairs(pairs, p.index1.graph, p.index2.graph)
	}
	return pairs, line, err
}

func (p *Pairing) similar(r io.Reader) (all []Similar, line int, err error) {
	line, err = eachLine(r, func(_ int, text []byte) error {
		words := pairWords(text)
		if words == nil {
			return nil
		}
		if len(words) != 3 {
			return fmt.Errorf("%.40q: want the names of a node of each graph, and how alike they are, %s", text, separated)
		}
		one, err := p.of(words[0], words[1])
		if err != nil {
			return err
		}
		score, err := parseNumber(words[2])
		if err != nil || !(score > 0) || math.IsInf(score, 0) {
			return fmt.Errorf("the similarity %.20q: want a number above 0, and unlike pairs left out", words[2])
		}
		all = append(all, Similar{one, score})
		return nil
	})
	return all, line, err
}

// separated says what separates the words of a line.
const separated = "separated by tabs, commas or, where no name has one, blanks"

// pairWords returns the words of a line, nil of one that is left out.
func pairWords(text []byte) []string {
	if text[0] == '#' || text[0] == '%' {
		return nil
	}
	var words []string
	if bytes.IndexByte(text, '\t') >= 0 {
		for word := range bytes.SplitSeq(text, []byte("\t")) {
			words = append(words, string(bytes.TrimSpace(word)))
		}
		return words
	}
	if bytes.IndexByte(text, ',') >= 0 {
		row := csv.NewReader(bytes.NewReader(text))
		row.TrimLeadingSpace, row.LazyQuotes = true, true
		words, err := row.Read()
		for k := range words {
			words[k] = strings.TrimSpace(words[k])
		}
		if err == nil {
			return words
		}
	}
	for word, rest := nextWord(text, &listGaps); len(word) > 0; word, rest = nextWord(rest, &listGaps) {
		words = append(words, string(word))
	}
	return words
}
