package graphs

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ReadEdgeList reads an edge list as networkx.write_edgelist and write_weighted_edgelist
// write it: a line has the names of two nodes and then nothing, a weight, or a Python
// dictionary of which 'weight' counts. Lines that begin with # are left out. Edges have
// no direction. Names that are the numbers 0 to n−1 are these nodes; other nodes are
// numbered as they come.
func ReadEdgeList(r io.Reader) (Graph, error) { return exported(readEdgeList(r)) }

// weightEntry matches the weight in a Python dictionary.
var weightEntry = regexp.MustCompile(`['"]weight['"]\s*:\s*([^,}\s]+)`)

func readEdgeList(r io.Reader) (g Graph, line int, err error) {
	const longest = 1 << 16 // characters of a line
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)
	nodes := map[string]int{}
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if err := addListed(&g, nodes, text); err != nil {
			return g, line, err
		}
	}
	if lines.Err() != nil {
		return g, line + 1, lines.Err()
	}
	g.byNumber()
	return g, 0, nil
}

// addListed reads a line of an edge list.
func addListed(g *Graph, nodes map[string]int, text string) error {
	ends, data, hasData := strings.Cut(text, "{")
	words := strings.FieldsFunc(ends, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	if len(words) < 2 || len(words) > 3 || hasData && len(words) > 2 {
		return fmt.Errorf("%.40q: want the names of two nodes, and then nothing, a weight, or a dictionary", text)
	}
	weight, found := "", false
	if hasData {
		if entry := weightEntry.FindStringSubmatch("{" + data); entry != nil {
			weight, found = entry[1], true
		}
	} else if len(words) == 3 {
		weight, found = words[2], true
	}
	if found {
		v, err := parseNumber(weight)
		if err != nil {
			return fmt.Errorf("the weight %.20q: %w", weight, err)
		}
		g.Weights = append(g.Weights, v)
	}
	var e Edge
	for k, end := range []*int{&e.I, &e.J} {
		number, known := nodes[words[k]]
		if !known {
			number = len(nodes)
			if number == maxNodes {
				return fmt.Errorf("more than %d nodes", maxNodes)
			}
			nodes[words[k]] = number
			g.Names = append(g.Names, words[k])
			g.Nodes++
		}
		*end = number
	}
	g.Edges = append(g.Edges, e)
	if err := g.checkEdge(e); err != nil {
		return err
	}
	if g.Weights != nil && len(g.Weights) != len(g.Edges) {
		return fmt.Errorf("%.40q: some edges have weights and others none", text)
	}
	return nil
}

// byNumber numbers nodes by their names where these are the numbers 0 to n−1.
func (g *Graph) byNumber() {
	numbers := make([]int, len(g.Names))
	for i, name := range g.Names {
		v, err := strconv.Atoi(name)
		if err != nil || v < 0 || v >= len(g.Names) || strconv.Itoa(v) != name {
			return
		}
		numbers[i] = v // names differ, so these are all numbers
	}
	for k, e := range g.Edges {
		g.Edges[k] = Edge{numbers[e.I], numbers[e.J]}
	}
	permute(numbers, g.Points)
	permute(numbers, g.Features)
	g.Names = nil
}

// permute puts the value of each node at its new number.
func permute[T any](numbers []int, values []T) {
	before := slices.Clone(values)
	for i := range before {
		values[numbers[i]] = before[i]
	}
}
