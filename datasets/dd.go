package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// readDD yields the problems of a file in the format of Torresani, Kolmogorov,
// Rother (ECCV 2008, doi:10.1007/978-3-540-88688-4_44), to be minimised:
//
//	c comment
//	p N0 N1 A E         nodes of graph 1 and of graph 2, number of a and of e lines
//	a ID i s COST       assignment number ID: node i of graph 1 with s of graph 2
//	e ID ID COST        counted once where both assignments are made
//	i0, i1, n0, n1 …    coordinates and neighbours, which cost nothing
//
// Unmatched nodes cost nothing. A file may hold several problems, each under a
// line "gm g1 g2".
//
// An assignment without an a line is forbidden. It gets a cost greater than all
// other costs together, so that leaving it out always pays, and so that a complete
// matching makes as few of them as possible.
func readDD(s source, o Options, yield yieldFunc) {
	const longest = 1 << 16 // characters of a line
	r := &ddReader{lines: bufio.NewScanner(s.text())}
	r.lines.Buffer(nil, longest)
	r.advance()
	several := r.keyword() == "gm"
	for k := 0; ; k++ {
		part := s
		if several {
			part = s.part(k)
			r.advance()
		}
		in, err := r.problem(part, o)
		if !yield(in, err) || !several || !r.skipToProblem() {
			return
		}
	}
}

// ddReader reads a file line by line.
type ddReader struct {
	lines  *bufio.Scanner
	line   int
	fields []string // of the current line, which is not blank; nil at the end
}

// advance goes to the next line that matters, if there is one.
func (r *ddReader) advance() bool {
	for r.lines.Scan() {
		r.line++
		r.fields = strings.Fields(r.lines.Text())
		switch r.keyword() {
		case "", "c", "i0", "i1", "n0", "n1":
		default:
			return true
		}
	}
	r.fields = nil
	return false
}

// keyword returns the first word of the current line, or nothing at the end.
func (r *ddReader) keyword() string {
	if len(r.fields) == 0 {
		return ""
	}
	return r.fields[0]
}

// skipToProblem goes on to a gm line, if there is one.
func (r *ddReader) skipToProblem() bool {
	for r.keyword() != "gm" {
		if !r.advance() {
			return false
		}
	}
	return true
}

// problem reads one problem, from its p line to the next gm line or the end.
func (r *ddReader) problem(s source, o Options) (*qap.Instance, error) {
	in, err := r.parse(s.size)
	if r.lines.Err() != nil {
		err = r.lines.Err()
	}
	if err != nil {
		return nil, s.errorf(r.line, "%w", err)
	}
	in.Name, in.Complete = s.name, o.Complete
	return in, nil
}

func (r *ddReader) parse(size int64) (*qap.Instance, error) {
	p, err := newDDProblem(r.fields, size)
	for err == nil && r.advance() && r.keyword() != "gm" {
		switch r.keyword() {
		case "a":
			err = p.addAssignment(r.fields)
		case "e":
			err = p.addEdge(r.fields)
		default:
			err = fmt.Errorf("a line that begins with %.20q: want a, e or c, and gm before a further problem", r.keyword())
		}
	}
	if err != nil {
		return nil, err
	}
	return p.instance()
}

// ddProblem is what has been read of a problem.
type ddProblem struct {
	n1, n2      int
	edges       int   // promised
	vertex      []int // of each promised assignment; −1 before its line
	assignments int   // read
	edgesRead   int
	allowed     []bool // per vertex, whether an a line names it
	entries     []qap.Entry
	total       float64 // of the absolute costs
}

// parsePromise reads a p line.
func parsePromise(fields []string) (n1, n2, assignments, edges int, err error) {
	if len(fields) != 5 || fields[0] != "p" {
		return 0, 0, 0, 0, errors.New(`want a line "p N0 N1 A E", with which a problem in the .dd format begins`)
	}
	for k, number := range []*int{&n1, &n2, &assignments, &edges} {
		word := fields[k+1]
		if *number, err = strconv.Atoi(word); err != nil || *number < 0 {
			return 0, 0, 0, 0, fmt.Errorf("%.20q in a p line: want a number of nodes, assignments or edges", word)
		}
	}
	return n1, n2, assignments, edges, nil
}

// newDDProblem returns the problem that a p line promises. The size of the file
// bounds what it may promise.
func newDDProblem(fields []string, size int64) (*ddProblem, error) {
	n1, n2, assignments, edges, err := parsePromise(fields)
	if err != nil {
		return nil, err
	}
	if n1 < 1 || n2 < 1 || n1 > maxNodes || n2 > maxNodes {
		return nil, fmt.Errorf("graphs of %d and %d nodes: want 1..%d each", n1, n2, maxNodes)
	}
	// Real files spend 10 to 1000 bytes a vertex, and less where few assignments
	// are allowed.
	const verticesPerByte, harmless = 4, 1 << 16
	if int64(n1*n2) > verticesPerByte*size+harmless {
		return nil, fmt.Errorf("graphs of %d and %d nodes: a file of %d bytes cannot hold such a problem", n1, n2, size)
	}
	if assignments > n1*n2 {
		return nil, fmt.Errorf("%d assignments: %d·%d nodes have only %d", assignments, n1, n2, n1*n2)
	}
	p := &ddProblem{n1: n1, n2: n2, edges: edges, vertex: make([]int, assignments), allowed: make([]bool, n1*n2)}
	for id := range p.vertex {
		p.vertex[id] = -1
	}
	return p, nil
}

// addAssignment reads an a line.
func (p *ddProblem) addAssignment(fields []string) error {
	if len(fields) != 5 {
		return errors.New(`want a line "a ID i s COST"`)
	}
	id, err := index(fields[1], len(p.vertex), "assignment")
	if err != nil {
		return err
	}
	i, err := index(fields[2], p.n1, "node of graph 1")
	if err != nil {
		return err
	}
	a, err := index(fields[3], p.n2, "node of graph 2")
	if err != nil {
		return err
	}
	v := i*p.n2 + a
	if p.vertex[id] >= 0 || p.allowed[v] {
		return fmt.Errorf("assignment %d of node %d to %d: its number or its nodes come a second time", id, i, a)
	}
	p.vertex[id], p.allowed[v] = v, true
	p.assignments++
	return p.addCost(v, v, fields[4])
}

// addEdge reads an e line.
func (p *ddProblem) addEdge(fields []string) error {
	if len(fields) != 4 {
		return errors.New(`want a line "e ID ID COST"`)
	}
	id1, err := index(fields[1], len(p.vertex), "assignment")
	if err != nil {
		return err
	}
	id2, err := index(fields[2], len(p.vertex), "assignment")
	if err != nil {
		return err
	}
	if id1 == id2 {
		return fmt.Errorf("an edge joins assignment %d to itself", id1)
	}
	for _, id := range []int{id1, id2} {
		if p.vertex[id] < 0 {
			return fmt.Errorf("an edge names assignment %d before its a line", id)
		}
	}
	p.edgesRead++
	return p.addCost(p.vertex[id1], p.vertex[id2], fields[3])
}

// addCost adds a cost that counts once in the objective: the instance halves an
// entry off the diagonal and counts it twice.
func (p *ddProblem) addCost(v, w int, word string) error {
	cost, ok := parseFinite(word)
	if !ok {
		return fmt.Errorf("cost %.20q: want a finite number", word)
	}
	p.total += math.Abs(cost)
	p.entries = append(p.entries, qap.Entry{P: v, Q: w, Value: cost})
	return nil
}

// index reads a number 0..n−1 of what.
func index(word string, n int, what string) (int, error) {
	v, err := strconv.Atoi(word)
	if err != nil || v < 0 || v >= n {
		return 0, fmt.Errorf("%s %.20q: want 0..%d", what, word, n-1)
	}
	return v, nil
}

// instance returns the problem, once all promised lines have come.
func (p *ddProblem) instance() (*qap.Instance, error) {
	if p.assignments != len(p.vertex) || p.edgesRead != p.edges {
		return nil, fmt.Errorf("want %d a lines and %d e lines, have %d and %d", len(p.vertex), p.edges, p.assignments, p.edgesRead)
	}
	forbidden := 1 + 2*p.total
	for v, ok := range p.allowed {
		if !ok {
			p.entries = append(p.entries, qap.Entry{P: v, Q: v, Value: forbidden})
		}
	}
	return qap.NewSparse(p.n1, p.n2, p.entries, qap.Minimize)
}
