package graphs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestRepeatedEdges: edges that come again with other weights are joined as the rule says; of
// weights that grow as times do they are joined without one, and others are an error that
// names the rules.
func TestRepeatedEdges(t *testing.T) {
	list := func(weights ...float64) string {
		var text strings.Builder
		for k, w := range weights {
			fmt.Fprintln(&text, "a", []string{"b", "c"}[k%2], w)
		}
		return text.String()
	}
	times := []float64{1, 1, 3, 4, 4, 6, 7, 9}
	late := []float64{1.7e9, 1.6e9, 1.8e9}
	for _, c := range []struct {
		weights []float64
		rule    Repeats
		want    []float64
		notice  string
	}{
		{[]float64{5, 2, 5}, RepeatsAuto, []float64{5, 2}, "1 edges come again: two nodes are joined once"},
		{times, RepeatsAuto, nil, "6 edges come again: their weights grow as times do, and are left out"},
		{late, RepeatsAuto, nil, "1 edges come again: their weights grow as times do, and are left out"},
		{times, RepeatsCount, []float64{4, 4}, "6 edges come again: an edge weighs how many they are"},
		{[]float64{5, 2, 3, 1}, RepeatsSum, []float64{8, 3}, "2 edges come again: an edge has the sum of their weights"},
		{[]float64{5, 2, 3, 1}, RepeatsLast, []float64{3, 1}, "2 edges come again: an edge has the last of their weights"},
		{[]float64{1, 2, 3}, RepeatsCount, []float64{2, 1}, "1 edges come again: an edge weighs how many they are"},
	} {
		g, line, err := readEdgeList(strings.NewReader(list(c.weights...)))
		g, err = graphOf("list.edges", g, c.rule, line, err)
		if err != nil || !slices.Equal(g.Weights, c.want) || strings.Join(g.Notices, "; ") != c.notice {
			t.Errorf("%v by %s: weights %v, want %v; %q; %v", c.weights, c.rule, g.Weights, c.want, g.Notices, err)
		}
	}
	_, err := ReadEdgeList(strings.NewReader(list(5, 2, 3)))
	if want := "nodes a and b are joined by edges of weights 5 and 3: want one edge between two nodes, or a rule for repeated edges (repeats: sum, last or count)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestMultigraph: edges between the same two nodes are joined, and what is lost by it is said.
func TestMultigraph(t *testing.T) {
	for text, want := range map[string]string{
		"a b\nb a\nb c\n": "1 edges come again: two nodes are joined once",
		"a b {'kind': 'road', 'toll': 2}\na b {'kind': 'rail', 'toll': 3}\na b {'kind': 'road', 'toll': 2}\n": "2 edges come again: two nodes are joined once; where their kind, toll differ the first counts",
	} {
		g, err := ReadEdgeList(strings.NewReader(text))
		if err != nil || !slices.Equal(g.Notices, []string{want}) {
			t.Errorf("%q: %q, %v; want %q", text, g.Notices, err, want)
		}
	}
}

// TestLabelsName: in every format that has attributes nodes are called by their labels or names
// where each has one of its own, and else by their ids.
func TestLabelsName(t *testing.T) {
	const graphML = `<graphml><key id="d0" for="node" attr.name="%s" attr.type="string"/><graph edgedefault="undirected">` +
		`<node id="n0"><data key="d0">%s</data></node><node id="n1"><data key="d0">%s</data></node><edge source="n0" target="n1"/></graph></graphml>`
	for _, c := range []struct {
		text string
		want []string
	}{
		{fmt.Sprintf(graphML, "label", "hazel", "elm"), []string{"hazel", "elm"}},
		{fmt.Sprintf(graphML, "Name", "hazel", "elm"), []string{"hazel", "elm"}},
		{fmt.Sprintf(graphML, "label", "elm", "elm"), []string{"n0", "n1"}},
		{fmt.Sprintf(graphML, "kind", "hazel", "elm"), []string{"n0", "n1"}},
	} {
		g, err := ReadGraphML(strings.NewReader(c.text))
		if err != nil || !reflect.DeepEqual(g.Names, c.want) {
			t.Errorf("nodes are called %v, want %v; %v", g.Names, c.want, err)
		}
	}
	g, err := ReadNodeLink(strings.NewReader(`{"nodes": [{"id": 7, "label": "hazel"}, {"id": 8, "label": "elm"}], "links": [{"source": 8, "target": 7}]}`))
	if err != nil || !reflect.DeepEqual(g.Names, []string{"hazel", "elm"}) {
		t.Errorf("nodes are called %v; %v", g.Names, err)
	}
}

// TestNumbersAsIDs: ids that are numbers are as good as any, small and large, in any order and
// however they are written.
func TestNumbersAsIDs(t *testing.T) {
	var text strings.Builder
	want := map[string]bool{}
	for k := range 3000 {
		a, b := fmt.Sprint(k*7919%4001), fmt.Sprint(4_000_000_000+k*104_729%50_000)
		fmt.Fprintln(&text, a, b)
		fmt.Fprintln(&text, b, "0"+a)
		want[a], want[b], want["0"+a] = true, true, true
	}
	g, err := ReadEdgeList(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if g.Nodes != len(want) || len(g.Names) != len(want) {
		t.Errorf("%d nodes, want %d", g.Nodes, len(want))
	}
	for _, name := range g.Names {
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%d ids are lost", len(want))
	}
}
