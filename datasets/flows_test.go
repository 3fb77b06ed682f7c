package datasets

import (
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// collectFlows returns what a file of flows yields for the places of a topology.
func collectFlows(t testing.TB, name, content, topology string) (*qap.Instance, error) {
	places := must.Get(qap.ParseTopology(topology))(t)
	r := strings.NewReader(content)
	for in, err := range Read(name, extension(name), r, r.Size(), Options{Topology: places}) {
		return in, err
	}
	t.Fatal("nothing")
	return nil, nil
}

// TestFlows: the same flows in every format, 0–1 with 3, 1–2 with 4, are the same instance.
func TestFlows(t *testing.T) {
	for name, content := range map[string]string{
		"x.graph":    "% a comment\n3 2 1\n2 3\n1 3 3 4\n2 4\n",
		"y.graph":    "3 2 011 2\n7 8 2 3\n7 8 1 3 3 4\n7 8 2 4\n",
		"x.edgelist": "# a comment\n0 1 3\n\n1 2 4\n",
		"x.mtx":      "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 3\n3 2 4\n",
	} {
		in, err := collectFlows(t, name, content, "grid:5")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := in.Objective(in.Score(qap.Matching{4, 0, 1})); in.Sense != qap.Minimize || got != 2*(3*4+4*1) {
			t.Errorf("%s: %v, want 32", name, got)
		}
	}
}

func TestMalformedFlowsAreRefused(t *testing.T) {
	for _, test := range [][3]string{
		{"x.graph", "", "x.graph: the file is empty: want a first line of the numbers of nodes and edges"},
		{"x.graph", "3\n", "x.graph:1: a first line of 1 words: want the numbers of nodes and edges, and what has weights"},
		{"x.graph", "3 x\n", `x.graph:1: "x" in the first line: want a whole number`},
		{"x.graph", "3 2 5\n", "x.graph:1: 5 says what has weights: want digits 0 and 1, of the sizes of nodes, their weights and those of edges"},
		{"x.graph", "2 1\n2\n", "x.graph:2: want a line for each of 2 nodes, have 1"},
		{"x.graph", "2 1\n2\n3\n", `x.graph:3: node 2: the neighbour "3": want 1..2`},
		{"x.graph", "2 1 1\n2\n1\n", "x.graph:2: node 1: the last neighbour has no weight"},
		{"x.graph", "2 1 1\n2 inf\n1\n", `x.graph:2: node 1: the weight "inf": want a finite number`},
		{"x.graph", "2 1 10\n\n", "x.graph:2: node 1: want 1 weights before its neighbours, have 0 numbers"},
		{"x.graph", "2 1\n2\n1\n1\n", "x.graph:4: a line after those of all 2 nodes"},
		{"x.graph", "2 2\n2\n1\n", "x.graph:3: want 2 edges, each in the lines of both its nodes, have 2 neighbours"},
		{"x.edgelist", "", "x.edgelist: no edges: want lines of two nodes, and a weight or none"},
		{"x.edgelist", "0 1 2 3\n", "x.edgelist:1: 4 words: want two nodes, and a weight or none"},
		{"x.edgelist", "0 9\n", `x.edgelist:1: the node "9": want a number from 0 to 5, as there are 6 places`},
		{"x.edgelist", "0 1 far\n", `x.edgelist:1: the weight "far": want a finite number`},
		{"x.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 0\n", "x.mtx: flows of 2×3: want a square matrix"},
		{"x.mtx", "%%MatrixMarket matrix coordinate real general\n7 7 0\n", "x.mtx: qap: 7 facilities, and the topology grid:2x3 has 6 places: want at least as many places"},
		{"x.dat", "1 2 3", `x.dat: unknown format ".dat" of flows: with a topology want .mtx, .graph, .edgelist, .edges, .el, .txt`},
	} {
		_, err := collectFlows(t, test[0], test[1], "grid:2x3")
		if err == nil || err.Error() != "datasets: "+test[2] {
			t.Errorf("%s %q:\n got %v\nwant datasets: %s", test[0], test[1], err, test[2])
		}
	}
	_, failures := collect("x.graph", "1 0\n\n", Options{})
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "a graph alone: give the places of its nodes (--topology), such as grid:32x32") {
		t.Errorf("%v", failures)
	}
}

// FuzzFlows: no text makes the readers fail other than by an error that names the place.
func FuzzFlows(f *testing.F) {
	f.Add("3 2 1\n2 3\n1 3 3 4\n2 4\n")
	f.Add("0 1 3\n1 2 4\n")
	f.Add("2 1 111 3\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"x.graph", "x.edgelist"} {
			in, err := collectFlows(t, name, text, "grid:2x3")
			if (in == nil) == (err == nil) || err != nil && !strings.HasPrefix(err.Error(), "datasets: "+name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
