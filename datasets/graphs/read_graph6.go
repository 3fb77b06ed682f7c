package graphs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// readGraph6 reads a graph in graph6 (.g6), six places of the adjacency matrix a character, as nauty
// and networkx.write_graph6 write it.
//
// Format: https://users.cecs.anu.edu.au/~bdm/data/formats.txt
func readGraph6(r io.Reader) (Graph, int, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Graph{}, 0, err
	}
	text = bytes.TrimPrefix(bytes.TrimSpace(text), []byte(">>graph6<<"))
	const least, most = '?', '~' // the characters of 0 and 63
	for _, c := range text {
		switch {
		case c == '\n':
			return Graph{}, 2, errors.New("a second graph: want one a file")
		case c < least || c > most:
			return Graph{}, 1, fmt.Errorf("the character %q: want graph6 (of sparse6 and digraph6 other formats, such as an edge list)", c)
		}
	}
	width := 1 // characters of the number of nodes
	for _, longer := range []int{3, 6} {
		if len(text) > 0 && text[0] == most {
			text, width = text[1:], longer
		}
	}
	if len(text) < width {
		return Graph{}, 1, errors.New("the file ends before the number of nodes")
	}
	n := 0
	for _, c := range text[:width] {
		n = n<<6 | int(c-least)
	}
	text = text[width:]
	if n > MaxNodes || len(text) != (n*(n-1)/2+5)/6 {
		return Graph{}, 1, fmt.Errorf("%d characters of edges: want one for six of the pairs of %d nodes", len(text), n)
	}
	g := Graph{Nodes: n, Edges: []Edge{}}
	i, j := 0, 1
	for _, c := range text {
		for bit := 5; bit >= 0 && j < n; bit-- {
			if (c-least)>>bit&1 == 1 {
				g.Edges = append(g.Edges, Edge{i, j})
			}
			if i++; i == j {
				i, j = 0, j+1
			}
		}
	}
	return g, 0, nil
}
