package graphs

import (
	"reflect"
	"strings"
	"testing"
)

// TestEdgeListsInTheWild: separators, comments, ends of lines, quotes, a header, a size of
// a matrix and a weight, all as people have them, are one graph.
func TestEdgeListsInTheWild(t *testing.T) {
	want := Graph{Nodes: 3, Names: []string{"ann", "bob", "cy"}, Edges: []Edge{{0, 1}, {1, 2}}, Weights: []float64{2, .5}}
	for _, text := range []string{
		"ann bob 2\nbob cy .5\n",
		"# a comment\r\nann\tbob\t2\r\nbob\tcy\t.5\r\n",
		"% asym positive\nann,bob,2\nbob,cy,0.5",
		"\ufeffSource;Target;Weight\n\"ann\";bob;2\nbob;cy;5e-1\n",
		"%%MatrixMarket matrix coordinate real symmetric\n% sizes\n3 3 2\nann bob 2\nbob cy .5\n",
		"ann bob {'weight': 2}\nbob cy {\"weight\": 0.5}\n",
		"ann bob 2\nbob ann 2\n\nbob cy .5 1234567\n",
	} {
		have, err := ReadEdgeList(strings.NewReader(text))
		have.Notices = nil
		if err != nil || !reflect.DeepEqual(have, want) {
			t.Errorf("%q: %+v, %v; want %+v", text, have, err, want)
		}
	}
}
