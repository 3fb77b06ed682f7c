package compare

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// mustReadCSV returns the graph of a table.
func mustReadCSV(t *testing.T, name, text string) graphs.Graph {
	t.Helper()
	g, err := graphs.ReadCSV(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	g.Name = name
	return g
}

// TestColumnsByName: the affinities of two tables do not depend on the order of their
// columns, and what only one of them has is named.
func TestColumnsByName(t *testing.T) {
	const left = "name,x,y,height,age,kind\na,0,0,1,30,elm\nb,3,0,2,10,oak\nc,0,4,5,20,elm\n"
	straight := mustReadCSV(t, "straight", "name,x,y,height,age,kind\nA,0,0,1,31,elm\nB,3,1,2,11,oak\nC,0,4,5,21,elm\n")
	crossed := mustReadCSV(t, "crossed", "name,age,y,kind,height,x,girth\nA,31,0,elm,1,0,7\nB,11,1,oak,2,3,8\nC,21,4,elm,5,0,9\n")
	var instances []*qap.Instance
	for _, right := range []graphs.Graph{straight, crossed} {
		p, err := Design{}.Problem(t.Context(), mustReadCSV(t, "left", left), right)
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range []string{"(dheight)^2/", "(dage)^2/", "likelihood of kind"} {
			if !strings.Contains(p.About, column) {
				t.Errorf("%s: about %q, want %s", right.Name, p.About, column)
			}
		}
		want := []string(nil)
		if right.Name == "crossed" {
			want = []string{"the nodes' girth of crossed (left has no such numbers)"}
		}
		if !slices.Equal(p.Unused, want) {
			t.Errorf("%s: unused %q, want %q", right.Name, p.Unused, want)
		}
		instances = append(instances, p.Instance)
	}
	for p := range 9 {
		for q := range 9 {
			if u, v := instances[0].Affinity.At(p, q), instances[1].Affinity.At(p, q); u != v {
				t.Fatalf("K[%d,%d] is %v, and %v with the columns in another order", p, q, u, v)
			}
		}
	}
}

// TestNoSharedColumn: columns of which none has the same name are refused, with the names.
func TestNoSharedColumn(t *testing.T) {
	for _, test := range []struct{ left, right, want string }{
		{"name,x,y,a\n1,0,0,1\n2,1,0,2\n", "name,x,y,b\n1,0,0,1\n2,1,0,2\n", "the features of nodes are a in left and b in right"},
		{"u,v\n0,0\n1,0\n", "s,t\n0,0\n1,0\n", "the coordinates are u, v in left and s, t in right"},
		{"x,y\n0,0\n1,0\n", "x,y,z\n0,0,1\n1,0,1\n", "the points of left have 2 coordinates, those of right 3"},
	} {
		_, err := Design{}.Problem(t.Context(), mustReadCSV(t, "left", test.left), mustReadCSV(t, "right", test.right))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// TestEdgeAttributes: numbers of edges can be their weight, words are compared, and edges
// from a node to itself are left out with a notice.
func TestEdgeAttributes(t *testing.T) {
	g, err := graphs.ReadEdgeList(strings.NewReader("b c {'length': 2.5, 'kind': 'road'}\na b {'kind': 'rail'}\r\nc c {'length': 1, 'kind': 'road'}\n% end\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1 edges from a node to itself are left out"}; !slices.Equal(g.Notices, want) || len(g.Edges) != 2 {
		t.Errorf("notices %q and %d edges, want %q and 2", g.Notices, len(g.Edges), want)
	}
	if want := []graphs.Attribute[string]{{Name: "kind", Values: []string{"road", "rail"}}}; !reflect.DeepEqual(g.EdgeWords, want) {
		t.Errorf("words %v, want %v", g.EdgeWords, want)
	}
	if err := g.Weigh("length"); err == nil || !strings.Contains(err.Error(), "the edge of b and a has no length, which others have") {
		t.Errorf("an edge without a length as weight: %v", err)
	}
	if err := g.Weigh("lenght"); err == nil || !strings.Contains(err.Error(), `edges have length; did you mean length?`) {
		t.Errorf("a weight that is misspelt: %v", err)
	}
	whole, err := graphs.ReadEdgeList(strings.NewReader("a b {'length': 2.5}\nb c {'length': 4}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Design{}.Problem(t.Context(), whole, whole)
	if err != nil || p.Design.Kernel != KernelFeatures || !strings.Contains(p.About, "(dlength)^2") || len(p.Unused) > 0 {
		t.Errorf("%s, unused %q, error %v: want lengths compared", p.About, p.Unused, err)
	}
	p, err = Design{}.Problem(t.Context(), whole, g)
	if want := fmt.Sprint([]string{"the edges' length of a graph (the edge of b and a has none)"}); err != nil || !strings.Contains(fmt.Sprint(p.Unused), want[1:len(want)-1]) {
		t.Errorf("unused %q, error %v: want %s", p.Unused, err, want)
	}
	if err := whole.Weigh("length"); err != nil || !slices.Equal(whole.Weights, []float64{2.5, 4}) {
		t.Errorf("weights %v, error %v", whole.Weights, err)
	}
	if p, err := (Design{}).Problem(t.Context(), whole, whole); err != nil || p.Design.Kernel != KernelWeight || len(p.Unused) != 0 {
		t.Errorf("kernel %s, unused %q, error %v: want weight, and nothing unused", p.Design.Kernel, p.Unused, err)
	}
}
