package graphs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
)

// The graph of the three files below: two people and a place, one of whom has a weight.
const (
	gexfText = `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
<graph defaultedgetype="undirected">
<attributes class="node"><attribute id="0" title="age" type="integer"/><attribute id="1" title="kind" type="string"><default>person</default></attribute></attributes>
<nodes>
<node id="7" label="ann"><attvalues><attvalue for="0" value="30"/></attvalues><viz:position x="1" y="2"/></node>
<node id="8" label="bob"><attvalues><attvalue for="0" value="41"/></attvalues></node>
<node id="9" label="inn"><attvalues><attvalue for="0" value="200"/><attvalue for="1" value="place"/></attvalues></node>
</nodes>
<edges><edge id="0" source="7" target="8" weight="2.5"/><edge id="1" source="9" target="8"/></edges>
</graph></gexf>`
	gmlText = `Creator "someone"
graph [
  comment "three &#38; no more"
  directed 0
  # a comment
  node [ id 7 label "ann" age 30 kind "person" graphics [ x 1.0 y 2.0 ] ]
  node [ id 8 label "bob" age 41 kind "person" ]
  node [ id 9 label "inn" age 200 kind "place" ]
  edge [ source 7 target 8 weight 2.5 ]
  edge [ source 9 target 8 weight 1 ]
]
`
	jsonText = `{"directed": false, "multigraph": false, "graph": {"about": [1, {"a": 2}]},
 "links": [{"source": "ann", "target": "bob", "weight": 2.5}, {"weight": 1, "source": "inn", "target": "bob"}],
 "nodes": [{"age": 30, "kind": "person", "id": "ann", "at": [1, 2]}, {"age": 41, "kind": "person", "id": "bob"}, {"age": 200, "kind": "place", "id": "inn"}]}`
	ledaText = "#header\nLEDA.GRAPH\nstring\ndouble\n-2\n# nodes\n3\n|{ann}|\n|{bob}|\n|{inn}|\n2\n1 2 0 |{2.5}|\n3 2 0 |{1}|\n0\nplaces in a window\n"
	// These three as networkx 3.6 writes them.
	pajekText     = "*vertices 3\n1 ann 0.0 0.0 ellipse\n2 bob 0.0 0.0 ellipse\n3 \"inn\" 0.0 0.0 ellipse\n*edges\n1 2 2.5\n3 2 1.0\n"
	adjacencyText = "#write.py\n# GMT Mon Nov 23\n#\nann bob\nbob inn\ninn\n"
	graph6Text    = ">>graph6<<IheA@GUAo\n"
	tableText     = "to,from,weight\nbob,ann,2.5\nbob,inn,1\n"
)

// three is the graph of those.
func three() Graph {
	return Graph{
		Nodes: 3, Names: []string{"ann", "bob", "inn"}, Edges: []Edge{{0, 1}, {1, 2}}, Weights: []float64{2.5, 1},
		Features: [][]float64{{30}, {41}, {200}}, FeatureNames: []string{"age"},
		NodeWords: []Attribute[string]{{"kind", []string{"person", "person", "place"}}},
	}
}

// TestFormats: one graph in every format, as far as they hold it.
func TestFormats(t *testing.T) {
	plain := three()
	plain.Features, plain.FeatureNames, plain.NodeWords = nil, nil, nil
	renamed := plain // a table names nodes as they come
	renamed.Names, renamed.Edges = []string{"ann", "bob", "inn"}, []Edge{{0, 1}, {1, 2}}
	for file, test := range map[string]struct {
		text   string
		want   Graph
		notice string
	}{
		"three.gexf":    {gexfText, three(), "places in a picture are not compared"},
		"three.gml":     {gmlText, three(), "lists within nodes or edges are left out: graphics"},
		"three.json":    {jsonText, three(), `lists and objects within nodes or links are left out: "at"`},
		"three.gw":      {ledaText, plain, ""},
		"three.net":     {pajekText, plain, "places in a picture are not compared"},
		"three.adjlist": {adjacencyText, Graph{Nodes: 3, Names: plain.Names, Edges: plain.Edges}, ""},
		"petersen.g6": {graph6Text, Graph{Nodes: 10, Edges: []Edge{
			{0, 1}, {0, 4}, {0, 5}, {1, 2}, {1, 6}, {2, 3}, {2, 7}, {3, 4}, {3, 8}, {4, 9}, {5, 7}, {5, 8}, {6, 8}, {6, 9}, {7, 9},
		}}, ""},
		"path.g6": {"~?@c" + strings.Repeat("?", 825), Graph{Nodes: 100, Edges: []Edge{}}, ""}, // 63 nodes and more
		"lists.net": {"% mutual\n*Network friends\n*Vertices 4\n*Arcslist\n1 2 4\n2 1\n*Partition p\n1\n",
			Graph{Nodes: 4, Names: []string{"1", "2", "4", "3"}, Edges: []Edge{{0, 1}, {0, 2}, {1, 0}}, Directed: true}, "the section *partition is left out"},
		"some.net": {"*Vertices 3\n2 \"b, c\"\n1 Smith,J\n3 d\n*Arcs\n*Edges\n1 2 1.0\n2 3\n",
			Graph{Nodes: 3, Names: []string{"b, c", "Smith,J", "d"}, Edges: []Edge{{0, 1}, {0, 2}}}, ""},
		"three.csv": {tableText, Graph{Nodes: 3, Names: []string{"ann", "bob", "inn"}, Edges: plain.Edges, Weights: plain.Weights}, ""},
		"points.json": {`{"nodes":[{"id":"ann","x":1,"y":2},{"id":"bob","x":3,"y":4}],"links":[]}`,
			Graph{Nodes: 2, Names: []string{"ann", "bob"}, PointNames: []string{"x", "y"}, Points: [][]float64{{1, 2}, {3, 4}}}, ""},
		"d3.json": {`{"nodes":[{"name":"ann"},{"name":"bob"}],"edges":[{"source":1,"target":0}]}`,
			Graph{Nodes: 2, Names: []string{"ann", "bob"}, Edges: []Edge{{0, 1}}}, ""},
		"ids.gml": {"graph [ node [ id 1 label \"a\" ] node [ id 5 label \"a\" ] edge [ source 5 target 1 ] directed 1 ]",
			Graph{Nodes: 2, Names: []string{"1", "5"}, Edges: []Edge{{1, 0}}, Directed: true, NodeWords: []Attribute[string]{{"label", []string{"a", "a"}}}}, ""},
		"old.gw": {"LEDA.GRAPH\nvoid\nvoid\n2\n|{}|\n|{}|\n1\n2 1 0 |{}|\n", Graph{Nodes: 2, Names: []string{"1", "2"}, Edges: []Edge{{1, 0}}, Directed: true}, ""},
	} {
		path := filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		have, err := Open(path)
		if err != nil {
			t.Error(err)
			continue
		}
		notice := strings.Join(have.Notices, "; ")
		have.Name, have.Notices, have.Identifiers, have.NamedBy = "", nil, nil, ""
		if !reflect.DeepEqual(have, test.want) || notice != test.notice {
			t.Errorf("%s: %+v, notice %q; want %+v, %q", file, have, notice, test.want, test.notice)
		}
	}
}

// badFiles are files that contradict themselves, are cut, or claim what they do not hold, and what is said of
// each.
var badFiles = []struct{ name, text, want string }{
	{"cut.gexf", gexfText[:len(gexfText)-7], "the file ends within the element gexf"},
	{"half.gexf", gexfText[:len(gexfText)/2], ":"},
	{"empty.gexf", "", "want GEXF"},
	{"none.gexf", "<gexf/>", "want GEXF"},
	{"two.gexf", "<gexf><graph/><graph/></gexf>", "a second graph"},
	{"levels.gexf", `<gexf><graph><nodes><node id="a"><nodes><node id="b"/></nodes></node></nodes></graph></gexf>`, "a node within a node"},
	{"same.gexf", `<gexf><graph><nodes><node id="a"/><node id="a"/></nodes></graph></gexf>`, `node "a": want an id that no other node has`},
	{"beyond.gexf", `<gexf><graph><nodes count="1000000000000"><node id="a"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`, `an edge from "a" to "b"`},
	{"mixed.gexf", `<gexf><graph><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="a" target="b" type="directed"/></edges></graph></gexf>`, "want all of one type"},
	{"weight.gexf", `<gexf><graph><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="a" target="b" weight="heavy"/></edges></graph></gexf>`, `the weight "heavy"`},
	{"value.gexf", `<gexf><graph><attributes class="node"><attribute id="0" title="age" type="integer"/></attributes><nodes><node id="a"><attvalues><attvalue for="0" value="old"/></attvalues></node></nodes></graph></gexf>`, `"old" of the attribute age`},
	{"for.gexf", `<gexf><graph><nodes><node id="a"><attvalues><attvalue for="9" value="1"/></attvalues></node></nodes></graph></gexf>`, `a value for "9"`},
	{"entity.gexf", `<!DOCTYPE g [<!ENTITY a "b">]><gexf/>`, "document types and entities are not read"},

	{"empty.gml", "", "want GML"},
	{"none.gml", "Creator \"x\"\n", "want GML"},
	{"cut.gml", gmlText[:len(gmlText)-3], "the file ends within a list"},
	{"text.gml", "graph [ node [ id 1 label \"a", "the file ends within a text"},
	{"key.gml", "graph [ node [ id ] ]", `the key "id" has no value`},
	{"bracket.gml", "graph [ [ ] ]", "[: want a key"},
	{"two.gml", "graph [ ] graph [ ]", "a second graph"},
	{"id.gml", "graph [ node [ label \"a\" ] ]", `node "": want an id`},
	{"same.gml", "graph [\nnode [ id 1 ]\nnode [ id 1 ]\n]", `same.gml:3: node "1": want an id that no other node has`},
	{"beyond.gml", "graph [ node [ id 1 ] edge [ source 1 target 1000000000000 ] ]", `an edge from "1" to "1000000000000"`},
	{"nan.gml", "graph [ node [ id 1 age nan ] ]", `"nan" of the attribute age`},
	{"deep.gml", "graph " + strings.Repeat("[ a ", 1<<16), "the file ends within a list"},
	{"long.gml", "graph [ node [ id 1 label \"" + strings.Repeat("a", mostGMLText+1) + "\" ] ]", "a text of more than"},

	{"empty.gw", "", "the file ends before all of its nodes and edges"},
	{"head.gw", "graph\n", `"graph": want LEDA.GRAPH`},
	{"claimed.gw", "LEDA.GRAPH\nstring\nshort\n-2\n1000000000000\n|{a}|\n", "the file ends before all of its nodes"},
	{"count.gw", "LEDA.GRAPH\nstring\nshort\n-2\nmany\n", `"many": want the number of nodes`},
	{"negative.gw", "LEDA.GRAPH\nstring\nshort\n-2\n1\n|{a}|\n-5\n", `"-5": want the number of edges`},
	{"node.gw", "LEDA.GRAPH\nstring\nshort\n-2\n1\na\n", `node.gw:6: "a": want |{`},
	{"beyond.gw", "LEDA.GRAPH\nstring\nshort\n-2\n1\n|{a}|\n1\n1 2 0 |{}|\n", "want the numbers of two nodes from 1 to 1"},
	{"cut.gw", ledaText[:strings.Index(ledaText, "|{bob}|")], "the file ends before all of its nodes"},
	{"none.gw", "LEDA.GRAPH\nstring\nshort\n-2\n0\n0\n", "no nodes"},

	{"empty.net", "", "no nodes"},
	{"head.net", "1 2\n", `"1 2": want *Vertices and how many`},
	{"first.net", "*Edges\n1 2\n", "*Edges: want *Vertices first"},
	{"count.net", "*Vertices many\n", `*Vertices "many": want how many`},
	{"claimed.net", "*Vertices 1000000000000\n*Edges\n1 2\n", "*Vertices 1000000000000, of which 2 have lines or edges"},
	{"huge.net", "*Vertices 100000000000000000000\n", "want how many"},
	{"twice.net", "*Vertices 2\n1 a\n1 b\n", "twice.net:3: a second vertex 1"},
	{"again.net", "*Vertices 2\n*Vertices 2\n", "want how many, once a file"},
	{"beyond.net", "*Vertices 2\n*Edges\n1 3\n", `beyond.net:3: the vertex "3": want a number from 1 to 2`},
	{"cut.net", pajekText[:len(pajekText)-len(" 2 1.0\n")], `the vertex "": want a number`},
	{"weight.net", "*Vertices 2\n*Edges\n1 2 heavy\n", `the weight "heavy"`},
	{"mixed.net", "*Vertices 2\n*Edges\n1 2\n*Arcs\n2 1\n", "edges and arcs: want all of one kind"},
	{"matrix.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n", "want *Edges or *Arcs"},

	{"empty.adjlist", "", "no nodes"},
	{"none.adjlist", "# a comment\n", "no nodes"},
	{"long.adjlist", strings.Repeat("a", 1<<24+1), "a line of more than"},

	{"empty.g6", "", "the file ends before the number of nodes"},
	{"cut.g6", graph6Text[:len(graph6Text)-3], "6 characters of edges: want one for six of the pairs of 10 nodes"},
	{"longer.g6", "Iheq@GUAo?", "10 nodes"},
	{"size.g6", "~?", "the file ends before the number of nodes"},
	{"claimed.g6", "~~~~~~~~", "0 characters of edges: want one for six of the pairs of 68719476735 nodes"},
	{"many.g6", "~n????", "nodes"},
	{"two.g6", "A_\nA_\n", "two.g6:2: a second graph: want one a file"},
	{"sparse.g6", ":Fa@x^", `the character ':': want graph6`},
	{"text.g6", "a b\n", `the character ' '`},

	{"empty.json", "", "the file ends before its JSON does"},
	{"cut.json", jsonText[:len(jsonText)-2], "the file ends before its JSON does"},
	{"list.json", "[1, 2]", "the file: want {"},
	{"other.json", `{"instance": "nug12"}`, "want an object with the lists nodes and links"},
	{"nodes.json", `{"nodes": 1000000000000, "links": []}`, "nodes: want ["},
	{"same.json", `{"nodes": [{"id": 1}, {"id": "1"}], "links": []}`, `node "1": want an id that no other node has`},
	{"some.json", `{"nodes": [{"id": 1}, {}], "links": []}`, "some nodes have an id and others none"},
	{"beyond.json", `{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1000000000000}]}`, `link 0 joins "1" and "1000000000000"`},
	{"twice.json", `{"nodes": [], "nodes": [], "links": []}`, "a second list of nodes"},
	{"after.json", `{"nodes": [{"id": 1}], "links": []} {}`, "something follows after the graph"},
	{"deep.json", `{"graph": ` + strings.Repeat("[", 1<<16), "more than 32 lists and objects within each other"},
	{"large.json", "{\"nodes\": [\n{\"id\": 1, \"age\": 1e999}], \"links\": []}", `large.json:2: "1e999" of the attribute age`},
	{"again.json", `{"nodes": [{"id": 1, "a": 1, "a": 2}], "links": []}`, "a second a of one node or edge"},

	{"directed.json", `{"directed":[{`, "directed: want true or false"},

	{"from.csv", "from,to\na,\n", "an edge without a node"},
	{"weight.csv", "from,to,weight\na,b,heavy\n", `the weight "heavy"`},
	{"claimed.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n1000000000000 1000000000000 1000000000000\n2 1\n", "a file of"},
}

// TestBadFormats: one clear error each, with the name of the file, and memory that does not
// follow what a file claims.
func TestBadFormats(t *testing.T) {
	for _, test := range badFiles {
		path := filepath.Join(t.TempDir(), test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Open(path)
		runtime.ReadMemStats(&after)
		var placed *datasets.Error
		if !errors.As(err, &placed) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("%s: %v, want an error with %q", test.name, err, test.want)
		}
		if used, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<20+16*len(test.text)); used > most {
			t.Errorf("%s: %d bytes allocated for a file of %d", test.name, used, len(test.text))
		}
	}
}

// fuzzFormat fuzzes a reader of a text.
func fuzzFormat(f *testing.F, extension string, read func(text string) (Graph, error), texts ...string) {
	for _, text := range texts {
		f.Add(text)
	}
	for _, bad := range badFiles {
		if filepath.Ext(bad.name) == extension && len(bad.text) < 1<<12 {
			f.Add(bad.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkBounded(t, 1024*len(text)+2<<20, func() (Graph, error) { return read(text) }) // a file may claim 10,000 nodes without edges
	})
}

func FuzzGEXF(f *testing.F) {
	fuzzFormat(f, ".gexf", func(text string) (Graph, error) { return ReadGEXF(strings.NewReader(text)) }, gexfText)
}

func FuzzGML(f *testing.F) {
	fuzzFormat(f, ".gml", func(text string) (Graph, error) { return ReadGML(strings.NewReader(text)) }, gmlText)
}

func FuzzLEDA(f *testing.F) {
	fuzzFormat(f, ".gw", func(text string) (Graph, error) { return ReadLEDA(strings.NewReader(text)) }, ledaText)
}

func FuzzPajek(f *testing.F) {
	fuzzFormat(f, ".net", func(text string) (Graph, error) { return exported(readPajek(strings.NewReader(text))) }, pajekText)
}

func FuzzAdjacencyList(f *testing.F) {
	fuzzFormat(f, ".adjlist", func(text string) (Graph, error) { return exported(readAdjacencyList(strings.NewReader(text))) }, adjacencyText)
}

func FuzzGraph6(f *testing.F) {
	fuzzFormat(f, ".g6", func(text string) (Graph, error) { return exported(readGraph6(strings.NewReader(text))) }, graph6Text)
}

func FuzzNodeLink(f *testing.F) {
	fuzzFormat(f, ".json", func(text string) (Graph, error) { return ReadNodeLink(strings.NewReader(text)) }, jsonText)
}

// TestReadFromMemory: bytes are read as the file that holds them is, in binary formats too, and
// a square array with zeros on its diagonal is an adjacency matrix.
func TestReadFromMemory(t *testing.T) {
	square := datasets.Array{Shape: []int{4, 4}, Data: []float64{0, 1, 0, 0, 1, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0}}
	var npy bytes.Buffer
	if err := datasets.WriteArray(&npy, square); err != nil {
		t.Fatal(err)
	}
	mtx := "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n2 1 1\n3 2 2\n"
	for name, text := range map[string]string{"a.npy": npy.String(), "a.mtx": mtx, "a.edges": "0 1 1\n1 2 2\n"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err1 := Open(path)
		memory, err2 := Read(path, strings.NewReader(text), int64(len(text)))
		if err1 != nil || err2 != nil || !reflect.DeepEqual(file, memory) {
			t.Errorf("%s: %+v and %v from a file, %+v and %v from memory", name, file, err1, memory, err2)
		}
		if want := []Edge{{0, 1}, {1, 2}}; !slices.Equal(file.Edges, want) || !slices.Equal(file.Weights, []float64{1, 2}) || file.Directed {
			t.Errorf("%s: %+v, want the edges %v of weights 1 and 2", name, file, want)
		}
	}
}
