package edited

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
)

// uniform sums the edits of a map, each of which costs 1.
func uniform(p *Pair) (sum int) {
	hit := map[int]bool{}
	for i, a := range p.Map {
		if hit[a] = true; a < 0 || p.Graph1.Nodes[i] != p.Graph2.Nodes[a] {
			sum++
		}
	}
	for a := range p.Graph2.Nodes {
		if !hit[a] {
			sum++
		}
	}
	left := map[[2]int]string{}
	ends := func(i, j int) [2]int {
		if !p.Graph1.Directed && i > j {
			i, j = j, i
		}
		return [2]int{i, j}
	}
	for _, e := range p.Graph2.Edges {
		left[ends(e.I, e.J)] = e.Label
	}
	for _, e := range p.Graph1.Edges {
		at := ends(p.Map[e.I], p.Map[e.J])
		label, kept := left[at]
		if !kept || label != e.Label {
			sum++
		}
		delete(left, at)
	}
	return sum + len(left)
}

func TestGenerate(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, kind := range Kinds() {
		for range 50 {
			nodes := 3 + rng.IntN(30)
			edits := rng.IntN(nodes + 1)
			p, err := Generate(kind, nodes, edits, rng)
			if err != nil || p.check() != nil {
				t.Fatalf("%s, %d nodes, %d edits: %v, %v", kind, nodes, edits, err, p.check())
			}
			if cost, err := p.Cost(p.Map); err != nil || cost != float64(edits) {
				t.Errorf("%s: the map costs %v, %v, want %d", kind, cost, err, edits)
			}
			if sum := uniform(&p); sum != edits || p.Best != float64(edits) || len(p.Graph1.Nodes) != nodes {
				t.Errorf("%s: the map costs %d, want %d: %+v", kind, sum, edits, p)
			}
			var again bytes.Buffer
			if err := json.NewEncoder(&again).Encode(p); err != nil {
				t.Fatal(err)
			}
			if read := must.Get(Read(&again))(t); !reflect.DeepEqual(read[0], p) {
				t.Errorf("read back: %+v, want %+v", read[0], p)
			}
		}
	}
	for _, wrong := range [][2]int{{2, 0}, {5, 6}, {5, -1}} {
		if _, err := Generate("plain", wrong[0], wrong[1], rng); err == nil {
			t.Errorf("%d edits of %d nodes are made", wrong[1], wrong[0])
		}
	}
}

func TestNodeLink(t *testing.T) {
	p := must.Get(Generate("molecules", 20, 3, rand.New(rand.NewPCG(rand.Uint64(), 2))))(t)
	var text bytes.Buffer
	if err := p.Graph1.WriteNodeLink(&text); err != nil {
		t.Fatal(err)
	}
	g := must.Get(graphs.ReadNodeLink(&text))(t)
	if symbols := graphs.ValuesOf(g.NodeWords, "symbol"); !reflect.DeepEqual(symbols, p.Graph1.Nodes) || len(g.Edges) != len(p.Graph1.Edges) {
		t.Errorf("%+v", g)
	}
}

func TestMeasured(t *testing.T) {
	g := Graph{Nodes: []string{"1:AB", "2:C"}, Edges: []Edge{{1, 0, "x,y"}}}
	of := must.Get(g.Measured("protein"))(t)
	if words := of.Words(); len(words) != 2 || words[0].Values[1] != "2" || words[1].Values[0] != "AB" || of.Edges[0] != (graphs.Edge{I: 0, J: 1}) {
		t.Errorf("%+v", of)
	}
}

func TestRead(t *testing.T) {
	const whole = `{"id":"a","g1":{"nodes":["C","O"],"edges":[[0,1,2]]},"g2":{"nodes":["C"],"edges":[]},"best":1,"map":[0,-1]}`
	if all := must.Get(Read(strings.NewReader("\n" + whole + "\n")))(t); len(all) != 1 || all[0].Graph1.Edges[0] != (Edge{0, 1, "2"}) {
		t.Errorf("%+v", all)
	}
	for change, want := range map[string]string{
		`[0,1,2]|[0,2,2]`:            "edge 0 joins 0 and 2",
		`[0,1,2]|[0,1,2],[1,0,2]`:    "edge 1",
		`[0,1,2]|[0,1]`:              "want [node, node, label]",
		`[0,1,2]|[0,1,{}]`:           "want a word or a number",
		`"map":[0,-1]|"map":[0,1]`:   "node 1 goes to 1",
		`"map":[0,-1]|"map":[0]`:     "1 entries for 2 nodes",
		`"nodes":["C"]|"nodes":[]`:   "0 nodes",
		`"best":1|"best":-1`:         "best -1",
		`"best":1|"best":"1"`:        "line 1",
		whole + `|`:                  "no pairs",
		`{"id"|` + "\n\n" + `{{"id"`: "line 3",
	} {
		before, after, _ := strings.Cut(change, "|")
		if _, err := Read(strings.NewReader(strings.Replace(whole, before, after, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", change, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":"a","g1":{"nodes":["C","O"],"edges":[[0,1,2]]},"g2":{"nodes":["C"],"edges":[]},"best":1,"map":[0,-1]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := Read(bytes.NewReader(text))
		for k := range all {
			if err != nil || all[k].check() != nil {
				t.Fatalf("%v, %v", err, all[k].check())
			}
			if g, err := all[k].Graph1.Measured("protein"); err == nil && g.Check() != nil {
				t.Error(g.Check())
			}
		}
	})
}
