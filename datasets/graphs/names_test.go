package graphs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNamesThatRepeat: in every format label, name and id name the nodes where all values differ, and are
// words where they repeat.
func TestNamesThatRepeat(t *testing.T) {
	for file, text := range map[string]string{
		"a.graphml": `<graphml><key id="k" for="node" attr.name="%s" attr.type="string"/><graph edgedefault="undirected"><node id="n0"><data key="k">%s</data></node>` +
			`<node id="n1"><data key="k">%s</data></node><node id="n2"><data key="k">%s</data></node><edge source="n0" target="n1"/></graph></graphml>`,
		"a.gml":  `graph [ node [ id 5 %[1]s "%[2]s" ] node [ id 6 %[1]s "%[3]s" ] node [ id 7 %[1]s "%[4]s" ] edge [ source 5 target 6 ] ]`,
		"a.json": `{"nodes": [{"id": "n0", "%[1]s": "%[2]s"}, {"id": "n1", "%[1]s": "%[3]s"}, {"id": "n2", "%[1]s": "%[4]s"}], "links": [{"source": "n0", "target": "n1"}]}`,
		"a.csv":  "%[1]s,x,y\n%[2]s,0,0\n%[3]s,1,0\n%[4]s,0,2\n",
		"b.csv":  "node,x,%[1]s,y\n1,0,%[2]s,0\n2,1,%[3]s,0\n3,0,%[4]s,2\n",
		"a.gexf": `<gexf><graph><attributes class="node"><attribute id="0" title="%[1]s" type="string"/></attributes><nodes><node id="n0"><attvalues><attvalue for="0" value="%[2]s"/></attvalues></node>` +
			`<node id="n1"><attvalues><attvalue for="0" value="%[3]s"/></attvalues></node><node id="n2"><attvalues><attvalue for="0" value="%[4]s"/></attvalues></node></nodes><edges><edge source="n0" target="n1"/></edges></graph></gexf>`,
	} {
		for _, name := range []string{"label", "name", "Label", "id"} {
			if name == "id" && (file == "a.gml" || file == "a.json") {
				continue // which has to differ
			}
			if file == "a.csv" || file == "b.csv" {
				name = strings.ToLower(name)
			}
			for _, values := range [][]string{{"C", "N", "O"}, {"C", "N", "C"}, {"1", "2", "1"}} {
				filled := fmt.Sprintf(text, name, values[0], values[1], values[2])
				g, err := Read(file, strings.NewReader(filled), int64(len(filled)))
				if err != nil {
					t.Errorf("%s: %v", filled, err)
					continue
				}
				named, isWord := slices.Equal(g.Names, values), slices.Equal(ValuesOf(g.NodeWords, name), values)
				if repeats := values[0] == values[2]; named == repeats || isWord != repeats {
					t.Errorf("%s with %s %v: names %q, words %v", file, name, values, g.Names, g.NodeWords)
				}
			}
		}
	}
}
