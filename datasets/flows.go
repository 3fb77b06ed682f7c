package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/qap"
)

// FlowFormats returns the extensions of the files that hold flows for the places of a topology
// (Options.Topology).
func FlowFormats() []string { return []string{".mtx", ".graph", ".edgelist", ".edges", ".el", ".txt"} }

// readFlows returns the instance of a file of flows and the places of a topology:
//
//   - .mtx: the matrix of the flows, of MatrixMarket
//   - .graph: a graph in the format of METIS, whose edges are flows both ways
//   - .edgelist, .edges, .el, .txt: a line has two nodes, numbers from 0, and a weight or none: flows
//     both ways; lines that begin with # or % are left out
//
// Costs are minimised.
func readFlows(s source, format string, o Options) (*qap.Instance, error) {
	nodes, flows, line, err := 0, []qap.Entry(nil), 0, error(nil)
	switch format {
	case ".mtx":
		var m SparseMatrix
		if m, line, err = readMTX(s.text(), s.size); err == nil && m.Rows != m.Cols {
			err = fmt.Errorf("flows of %d×%d: want a square matrix", m.Rows, m.Cols)
		}
		nodes, flows = m.Rows, m.Entries
	case ".graph":
		nodes, flows, line, err = readMETIS(s.text())
	case ".edgelist", ".edges", ".el", ".txt":
		nodes, flows, line, err = readFlowList(s.text(), o.Topology.Places())
	default:
		err = fmt.Errorf("unknown format %q of flows: with a topology want %s", format, strings.Join(FlowFormats(), ", "))
	}
	var in *qap.Instance
	if err == nil {
		in, err = qap.NewMapping(nodes, flows, o.Topology, qap.Minimize)
	}
	if err != nil {
		return nil, s.errorf(line, "%w", err)
	}
	in.Name = s.name
	return in, nil
}

// longestLine is in bytes: a line of METIS has all neighbours of a node.
const longestLine = 1 << 22

// textLines calls read with the words of every line that is no comment; METIS needs the empty ones.
func textLines(r io.Reader, comments string, empty bool, read func(words []string) error) (line int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 && !empty || len(text) > 0 && strings.IndexByte(comments, text[0]) >= 0 {
			continue
		}
		if err := read(strings.Fields(string(text))); err != nil {
			return line, err
		}
	}
	if err := lines.Err(); err != nil {
		return line + 1, err
	}
	return line, nil
}

// readMETIS reads a graph in the format of METIS, also of KaHIP, and Chaco: the numbers of nodes and
// edges and what has weights, then a line a node, with its neighbours from 1.
//
// Format: Karypis, METIS 5.1.0 manual, section 4.1.1.
func readMETIS(r io.Reader) (nodes int, flows []qap.Entry, line int, err error) {
	g := metis{node: -1}
	line, err = textLines(r, "%", true, g.read)
	switch {
	case err != nil:
		return 0, nil, line, err
	case g.node < 0:
		err = errors.New("the file is empty: want a first line of the numbers of nodes and edges")
	case g.node < g.nodes:
		err = fmt.Errorf("want a line for each of %d nodes, have %d", g.nodes, g.node)
	case len(g.flows) != 2*g.edges:
		err = fmt.Errorf("want %d edges, each in the lines of both its nodes, have %d neighbours", g.edges, len(g.flows))
	}
	return g.nodes, g.flows, line, err
}

// metis is a file that is being read.
type metis struct {
	nodes, edges int
	skipped      int  // numbers before the neighbours: the weights of a node
	weighted     bool // edges are
	node         int  // whose line comes next, −1 before the first
	flows        []qap.Entry
}

func (g *metis) read(words []string) error {
	if g.node < 0 {
		if len(words) == 0 {
			return nil
		}
		return g.header(words)
	}
	if g.node == g.nodes {
		if len(words) == 0 {
			return nil
		}
		return fmt.Errorf("a line after those of all %d nodes", g.nodes)
	}
	if len(words) < g.skipped {
		return fmt.Errorf("node %d: want %d weights before its neighbours, have %d numbers", g.node+1, g.skipped, len(words))
	}
	words = words[g.skipped:]
	step := 1
	if g.weighted {
		step = 2
	}
	if len(words)%step != 0 {
		return fmt.Errorf("node %d: the last neighbour has no weight", g.node+1)
	}
	for k := 0; k < len(words); k += step {
		other, err := strconv.Atoi(words[k])
		if err != nil || other < 1 || other > g.nodes {
			return fmt.Errorf("node %d: the neighbour %.20q: want 1..%d", g.node+1, words[k], g.nodes)
		}
		weight := 1.0
		if g.weighted {
			var ok bool
			if weight, ok = parseFinite(words[k+1]); !ok {
				return fmt.Errorf("node %d: the weight %.20q: want a finite number", g.node+1, words[k+1])
			}
		}
		g.flows = append(g.flows, qap.Entry{P: g.node, Q: other - 1, Value: weight})
	}
	g.node++
	return nil
}

// header reads the first line.
func (g *metis) header(words []string) error {
	numbers := make([]int, 4)
	if len(words) < 2 || len(words) > 4 {
		return fmt.Errorf("a first line of %d words: want the numbers of nodes and edges, and what has weights", len(words))
	}
	for k, word := range words {
		v, err := strconv.Atoi(word)
		if err != nil || v < 0 {
			return fmt.Errorf("%.20q in the first line: want a whole number", word)
		}
		numbers[k] = v
	}
	what := numbers[2]
	if what%10 > 1 || what/10%10 > 1 || what > 111 {
		return fmt.Errorf("%d says what has weights: want digits 0 and 1, of the sizes of nodes, their weights and those of edges", what)
	}
	g.nodes, g.edges, g.weighted = numbers[0], numbers[1], what%10 == 1
	if what/10%10 == 1 {
		g.skipped = max(1, numbers[3])
	}
	g.skipped += what / 100
	g.node = 0
	return nil
}

// readFlowList reads lines of two nodes and a weight or none; there are at most so many nodes.
func readFlowList(r io.Reader, most int) (nodes int, flows []qap.Entry, line int, err error) {
	line, err = textLines(r, "#%", false, func(words []string) error {
		if len(words) < 2 || len(words) > 3 {
			return fmt.Errorf("%d words: want two nodes, and a weight or none", len(words))
		}
		var ends [2]int
		for k := range ends {
			v, err := strconv.Atoi(words[k])
			if err != nil || v < 0 || v >= most {
				return fmt.Errorf("the node %.20q: want a number from 0 to %d, as there are %d places", words[k], most-1, most)
			}
			ends[k], nodes = v, max(nodes, v+1)
		}
		weight := 1.0
		if len(words) == 3 {
			var ok bool
			if weight, ok = parseFinite(words[2]); !ok {
				return fmt.Errorf("the weight %.20q: want a finite number", words[2])
			}
		}
		flows = append(flows, qap.Entry{P: ends[0], Q: ends[1], Value: weight}, qap.Entry{P: ends[1], Q: ends[0], Value: weight})
		return nil
	})
	if err == nil && nodes == 0 {
		err = errors.New("no edges: want lines of two nodes, and a weight or none")
	}
	return nodes, flows, line, err
}
