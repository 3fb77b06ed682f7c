package graphs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/usage"
)

// four is the graph of the files four.* in testdata, which networkx 2.8.8 and NumPy
// 1.24 wrote.
func four() Graph {
	return Graph{
		Nodes: 4, Names: []string{"a", "b", "c", "d"},
		Points:   [][]float64{{0, 0}, {1, 0}, {1, 1.5}, {0, 2}},
		Features: [][]float64{{1}, {2}, {3}, {4}},
		Edges:    []Edge{{0, 1}, {1, 2}, {2, 3}}, Weights: []float64{.5, 2, 1},
		PointNames: []string{"x", "y"}, FeatureNames: []string{"age"},
		NodeWords: []Attribute[string]{{"colour", []string{"red & blue", "red & blue", "red & blue", "red & blue"}}},
	}
}

// TestOpen reads one graph from files of every format, as far as they hold it.
func TestOpen(t *testing.T) {
	whole := four()
	listed := Graph{Nodes: 4, Names: whole.Names, Edges: whole.Edges, Weights: whole.Weights}
	plain := Graph{Nodes: 4, Names: whole.Names, Edges: whole.Edges}
	numbered := Graph{Nodes: 4, Edges: whole.Edges}
	weighted := Graph{Nodes: 4, Edges: whole.Edges, Weights: whole.Weights}
	arrays := whole
	arrays.Names, arrays.Relation = nil, [][]float64{{1, 1}, {1, 1}, {1, 1}}
	arrays.PointNames, arrays.FeatureNames, arrays.NodeWords = nil, nil, nil
	circle := Graph{Nodes: 3, Edges: []Edge{{0, 1}, {1, 2}, {2, 0}}, Directed: true}
	for file, want := range map[string]Graph{
		"four.graphml": whole, "four.edgelist": listed, "weighted.edgelist": listed, "plain.edgelist": plain, "numbers.edgelist": numbered,
		"directed.graphml": circle, "directed.npz": circle, "adjacency.npz": weighted, "adjacency.mtx": weighted,
		"points.npy": {Nodes: 4, Points: whole.Points}, "arrays.npz": arrays, "edges.npz": {Nodes: 3, Edges: []Edge{{0, 1}, {1, 2}}, Notices: []string{"1 edges come again: two nodes are joined once"}},
	} {
		have, err := Open(filepath.Join("testdata", file))
		if err != nil {
			t.Error(err)
			continue
		}
		want.Name = strings.TrimSuffix(file, filepath.Ext(file))
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s: %+v, want %+v", file, have, want)
		}
	}
}

// TestReadCSV: tables with and without names of columns and nodes.
func TestReadCSV(t *testing.T) {
	points := [][]float64{{0, 1.5}, {2, -3}}
	names, xy := []string{"nose", "left ear"}, []string{"x", "y"}
	for text, want := range map[string]Graph{
		"0,1.5\n2,-3\n":                                       {Nodes: 2, Points: points},
		"\ufeffx,y\r\n0,1.5\r\n2,-3\r\n":                      {Nodes: 2, Points: points, PointNames: xy},
		"x;y\n0;1.5\n2;-3\n":                                  {Nodes: 2, Points: points, PointNames: xy},
		"# two points\nname,x,y\nnose,0,1.5\nleft ear, 2, -3": {Nodes: 2, Points: points, Names: names, PointNames: xy},
		"nose,0,1.5\n\"left ear\",2,-3\n":                     {Nodes: 2, Points: points, Names: names},
		"point,x,y\nnose,0,1.5\nleft ear,2,-3\n":              {Nodes: 2, Points: points, Names: names, PointNames: xy},
		",x,y\nnose,0,1.5\nleft ear,2,-3\n":                   {Nodes: 2, Points: points, Names: names, PointNames: xy},
		"y,X,id,size\n1.5,0,7,4\n-3,2,9,5\n":                  {Nodes: 2, Points: points, PointNames: xy, Names: []string{"7", "9"}, Features: [][]float64{{4}, {5}}, FeatureNames: []string{"size"}},
		"u,v\n0,1.5\n2,-3\n":                                  {Nodes: 2, Points: points, PointNames: []string{"u", "v"}},
		"u,kind,v\n0,a,1.5\n2,b,-3\n": {Nodes: 2, Points: points, PointNames: []string{"u", "v"},
			NodeWords: []Attribute[string]{{"kind", []string{"a", "b"}}}},
		"7\n": {Nodes: 1, Points: [][]float64{{7}}},
	} {
		have, err := ReadCSV(strings.NewReader(text))
		have.Identifiers, have.NamedBy = nil, ""
		if err != nil || !reflect.DeepEqual(have, want) {
			t.Errorf("%q: %+v, %v; want %+v", text, have, err, want)
		}
	}
}

// TestBadInput: one clear error each, which names the file, the line and what is wanted.
func TestBadInput(t *testing.T) {
	const head = `<graphml><graph edgedefault="undirected">`
	deep := strings.Repeat("<a>", 30)
	for name, test := range map[string]struct{ text, want string }{
		"empty.csv":        {"", "empty.csv: no nodes: want one at least"},
		"header.csv":       {"x,y\n", "header.csv: no nodes"},
		"inf.csv":          {"x,y\n1,2\ninf,3\n", `inf.csv:3: "inf" in column 1: want a finite number`},
		"large.csv":        {"x,y\n1,2\n2,1e308\n", `large.csv:3: "1e308" in column 2: want a number of at most 1e+60 in size: scale all of them down`},
		"first.csv":        {"1,1e999\n2,3\n", `first.csv:1: "1e999" in column 2: want a finite number`},
		"large.edgelist":   {"a b 1\nb c -1e300\n", `large.edgelist:2: the weight "-1e300": want a number of at most 1e+60`},
		"word.csv":         {"1,2\n3,four\n", `word.csv:2: "four" in column 2: want a finite number`},
		"mixed.csv":        {"1,2\n3,4,5\n", "mixed.csv:2: 3 columns, where the lines before have 2"},
		"names.csv":        {"name,x\na\n", "names.csv:2: 1 columns"},
		"only.csv":         {"name\na\n", "only.csv:2: no numbers"},
		"quote.csv":        {"1,2\n\"3,4\n", "quote.csv:"},
		"one.edgelist":     {"a\n", `one.edgelist:1: "a": want the names of two nodes`},
		"some.edgelist":    {"a b 1\nb c\n", "some.edgelist:2: \"b c\": some edges have weights and others none"},
		"weight.edgelist":  {"a b {'weight': inf}\n", `weight.edgelist:1: the weight "inf": want a finite number`},
		"twice.edgelist":   {"a b 1\nb a 2\n", "twice.edgelist: nodes a and b are joined by edges of weights 1 and 2"},
		"long.edgelist":    {strings.Repeat("a", 1<<24+1), "long.edgelist:1: a line of more than 16777216 characters"},
		"none.edgelist":    {"# nothing\n", "none.edgelist: no nodes"},
		"entities.graphml": {`<!DOCTYPE g [<!ENTITY a "b">]>` + head + "</graph></graphml>", "entities.graphml:1: document types and entities are not read"},
		"entity.graphml":   {head + `<node id="&a;"/></graph></graphml>`, "entity.graphml:1: invalid character entity &a;"},
		"no.graphml":       {"<graphml/>", "no.graphml:1: the file holds no graph element"},
		"text.graphml":     {"hello", "text.graphml:1: the file holds no graph element"},
		"deep.graphml":     {deep, "deep.graphml:1: more than 16 elements within each other"},
		"beyond.graphml":   {head + "\n" + `<node id="a"/><edge source="a" target="b"/></graph></graphml>`, `beyond.graphml:2: an edge from "a" to "b"`},
		"same.graphml":     {head + `<node id="a"/><node id="a"/></graph></graphml>`, `same.graphml:1: node "a": want an id that no other node has`},
		"two.graphml":      {head + `</graph><graph/></graphml>`, "two.graphml:1: a second graph"},
		"claimed.graphml":  {`<graphml><graph parse.nodes="1000000000" edgedefault="directed"></graph></graphml>`, "claimed.graphml: no nodes"},
		"infinite.graphml": {`<graphml><key id="d" for="node" attr.name="x" attr.type="double"/><graph><node id="a"><data key="d">inf</data></node></graph></graphml>`, `infinite.graphml:1: "inf" of the attribute x`},
		"large.graphml":    {`<graphml><key id="d" for="node" attr.name="x" attr.type="double"/><graph><node id="a"><data key="d">1e307</data></node></graph></graphml>`, `large.graphml:1: "1e307" of the attribute x: want a number of at most 1e+60`},
		"oblong.mtx":       {"%%MatrixMarket matrix coordinate real general\n2 3 0\n", "oblong.mtx: a matrix of 2×3: want an adjacency matrix"},
		"far.mtx":          {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", "far.mtx:3: an entry in row 0 and column 2"},
		"many.mtx":         {"%%MatrixMarket matrix coordinate pattern general\n40000 40000 0\n", "many.mtx: 40000 nodes with 0 edges: want at most 32768"},
		"again.csv":        {"name,x,size,size\na,1,2,3\n", `again.csv:1: column 4, "size", has the name of one before`},
		"picture.jpg":      {"", `picture.jpg: unknown format ".jpg" of a graph: want .csv,`},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		var placed *datasets.Error
		if !errors.As(err, &placed) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want an error with %q", name, err, test.want)
		}
	}
	long := filepath.Join(t.TempDir(), "long.csv") // and sparse: it takes no room
	if err := errors.Join(os.WriteFile(long, nil, 0o666), os.Truncate(long, mostText+1)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(long); err == nil || !strings.Contains(err.Error(), "long.csv: 2147483649 bytes of text: want at most") {
		t.Errorf("a file of 2 GB: %v", err)
	}
	for file, want := range map[string]string{
		"far_edge.npz": "far_edge.npz: edge 1: it joins 2 and 4: want nodes from 0 to 3",
		"missing.csv":  "missing.csv: no such file",
		".":            "unknown format",
	} {
		if _, err := Open(filepath.Join("testdata", file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", file, err, want)
		}
	}
}

// checkBounded reads a graph and fails where that allocates more than most bytes, or gives
// a graph whose parts do not fit together.
func checkBounded(t *testing.T, most int, read func() (Graph, error)) {
	var g Graph
	var err error
	usage.AtMost(t, uint64(most), func() { g, err = read() })
	if err == nil {
		err = g.Check()
		for k, e := range g.Edges {
			if k > 0 && g.Edges[k-1] == e || !g.Directed && e.I >= e.J {
				t.Fatalf("edges %v", g.Edges)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, text := range []string{"name,x,y,size\na,0,1,2\nb,3,4,5\n", "1;2\n3;4\n", "# c\n\"a\"\"b\",1e300\n", "x\n", "\ufeffx,y\n,\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkBounded(t, 1024*len(text)+1<<20, func() (Graph, error) { return ReadCSV(strings.NewReader(text)) })
	})
}

func FuzzEdgeList(f *testing.F) {
	for _, text := range []string{"a b {'weight': 0.5}\nb c {'weight': 2}\n", "0 1\n1 2 # \n", "a,b,1\n", "# c\n1 0 -1e3\n", fmt.Sprint(strings.Repeat("a b\n", 99))} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkBounded(t, 1024*len(text)+1<<20, func() (Graph, error) { return ReadEdgeList(strings.NewReader(text)) })
	})
}

func FuzzGraphML(f *testing.F) {
	for _, file := range []string{"four.graphml", "directed.graphml"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`<!DOCTYPE g [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;&a;">]><graphml><graph><node id="&c;"/></graph></graphml>`)
	f.Add(`<graphml><key id="k" for="node" attr.name="y" attr.type="int"><default>1</default></key><graph parse.nodes="1000000000"><node id="1"/><node id="0"/></graph></graphml>`)
	f.Fuzz(func(t *testing.T, text string) {
		checkBounded(t, 1024*len(text)+1<<20, func() (Graph, error) { return ReadGraphML(strings.NewReader(text)) })
	})
}

func FuzzGraphArrays(f *testing.F) {
	for _, file := range []string{"points.npy", "arrays.npz", "adjacency.npz", "adjacency.mtx"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, filepath.Ext(file) == ".npy", filepath.Ext(file) == ".mtx")
	}
	dir := f.TempDir() // of this process, which tries one input after the other
	f.Fuzz(func(t *testing.T, data []byte, isArray, isMatrix bool) {
		name := "g.npz"
		if isArray {
			name = "g.npy"
		} else if isMatrix {
			name = "g.mtx"
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		// What an archive may inflate to, as entries that are sorted and held.
		checkBounded(t, 256*(200*len(data)+1<<20), func() (Graph, error) { return Open(path) })
	})
}

// TestGraphMLDefaults: attributes with a default alone do not fill the memory.
func TestGraphMLDefaults(t *testing.T) {
	var b strings.Builder
	b.WriteString("<graphml>")
	for k := range 1100 {
		fmt.Fprintf(&b, `<key id="k%d" for="node" attr.name="a%d" attr.type="int"><default>1</default></key>`, k, k)
	}
	b.WriteString(`<graph edgedefault="undirected">`)
	for i := range 1 << 14 {
		fmt.Fprintf(&b, `<node id="%d"/>`, i)
	}
	b.WriteString("</graph></graphml>")
	if _, err := ReadGraphML(strings.NewReader(b.String())); err == nil || !strings.Contains(err.Error(), "numbers") {
		t.Errorf("error %v, want one that says how many numbers are too many", err)
	}
}
